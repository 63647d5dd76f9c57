/**
 * The statements of compaction. Trino takes the SELECTs, INSERT and DELETE as they are, which is how
 * the conformance suite runs them. DDL, OPTIMIZE and VACUUM are Athena's alone, which reads them by other
 * grammars: no name in them is quoted, as quotes mean a text in one, a name in another, and nothing in the third.
 */
import {
  COMPACTED_COLUMNS,
  COMPACTED_TIME,
  LANDING_COLUMNS,
  type LakeType,
} from '../../layout/columns.ts';
import type { HourRange } from '../compaction-store.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../hours.ts';

/** The two tables as FROM names them. */
export interface CompactionTables {
  readonly landing: string;
  readonly compacted: string;
}

/** Parts that the rows of a day are filed in, by source. */
const BUCKETS = 8;

/** Athena ends an INSERT that writes to more partitions than this at once. */
const MAX_OPEN_PARTITIONS = 100;

/** Event days that one INSERT may write, when every bucket has rows. */
export const MAX_DAYS_PER_COPY = Math.floor(MAX_OPEN_PARTITIONS / BUCKETS);

/**
 * Rows are sorted within a slot of event time, so that one busy source is sorted by many workers, and
 * by none in one piece: a worker keeps what it sorts in memory.
 */
const SORTED_SLOT_US = 300_000_000;

/**
 * Event times that nearly all rows of a landing hour have, from its start: few come later than two
 * hours, and an event may be an hour ahead of the clock when its file, minutes after the hour's end,
 * is full.
 */
const NEAR_FROM_MS = -2 * HOUR_MS;
const NEAR_BEFORE_MS = 3 * HOUR_MS;

/**
 * What tells copies of an event, together with its time. Only id and message can hold any character:
 * the length tells where the id ends, and the texts after the message cannot hold the separator.
 */
const CONTENT_HASH = `from_big_endian_64(xxhash64(to_utf8(concat(${[
  'source_id',
  'cast(length(id) AS varchar)',
  "':'",
  'id',
  "coalesce(concat('=', event_message), '')",
  'chr(0)',
  "coalesce(metadata, '')",
  'chr(0)',
  "coalesce(body, '')",
].join(', ')}))))`;

/** Columns `dt` and `hour` as text, and the number of rows. No column of the files is read. */
export function landedRowsSql({ landing }: CompactionTables, { from, before }: HourRange): string {
  const [first, end] = [dayOf(from), dayOf(before)];
  return [
    `SELECT cast(dt AS varchar), cast(hour AS varchar), count(*) FROM ${landing}`,
    `WHERE dt BETWEEN DATE '${first}' AND DATE '${end}'`,
    `AND (dt > DATE '${first}' OR hour >= ${hourNumber(from)})`,
    `AND (dt < DATE '${end}' OR hour < ${hourNumber(before)})`,
    'GROUP BY dt, hour',
  ].join(' ');
}

/** Event days of an hour's rows, oldest first. */
export function landedDaysSql({ landing }: CompactionTables, hour: number): string {
  return `SELECT DISTINCT ${dayText('"timestamp"')} FROM ${landing} WHERE ${isHour(hour)} ORDER BY 1`;
}

/** One row when anything was copied from the hour. Statistics of the files answer most of it. */
export function anyCopySql({ compacted }: CompactionTables, hour: number): string {
  return `SELECT 'yes' FROM ${compacted} WHERE landed_hour = ${timestamp(hour)} LIMIT 1`;
}

/** Those of the days in which a row of the hour has no copy, oldest first. */
export function missingDaysSql(
  tables: CompactionTables,
  hour: number,
  days: readonly string[],
): string {
  const uncopied = uncopiedSql(tables, hour, days, ['timestamp', 'timestamp_us']);
  return `SELECT DISTINCT ${dayText('"timestamp"')} FROM (${uncopied}) ORDER BY 1`;
}

/**
 * Copies the rows of these days that have no copy. Athena takes no sort order for a table and drops
 * ORDER BY of an INSERT; but the window that finds copies within the hour puts rows in order, and
 * they are written as they leave it.
 */
export function copySql(tables: CompactionTables, hour: number, days: readonly string[]): string {
  const columns = LANDING_COLUMNS.map(({ name }) => name);
  const window = `OVER (PARTITION BY source_id, project, timestamp_us / ${SORTED_SLOT_US} ORDER BY timestamp_us, content_hash)`;
  const listed = columns.map(quoted).join(', ');
  return [
    `INSERT INTO ${tables.compacted} (${COMPACTED_COLUMNS.map(({ name }) => quoted(name)).join(', ')})`,
    `SELECT ${LANDING_COLUMNS.map(asIceberg).join(', ')}, CAST(${timestamp(hour)} AS timestamp(6)), content_hash FROM (`,
    `SELECT ${listed}, content_hash,`,
    `lag(timestamp_us) ${window} AS last_us, lag(content_hash) ${window} AS last_hash`,
    `FROM (${uncopiedSql(tables, hour, days, columns)})`,
    ') WHERE last_us IS DISTINCT FROM timestamp_us OR last_hash IS DISTINCT FROM content_hash',
  ].join(' ');
}

/** @param sourceId a UUID, or undefined for all sources. */
export function deleteSql(
  { compacted }: CompactionTables,
  day: string,
  sourceId: string | undefined,
): string {
  return `DELETE FROM ${compacted} WHERE ${expiredPredicate(day, sourceId)}`;
}

/** One row when there is any event before the day. */
export function anyOldSql({ compacted }: CompactionTables, day: string): string {
  return `SELECT 'yes' FROM ${compacted} WHERE ${expiredPredicate(day)} LIMIT 1`;
}

/** Event days before the day that have rows of the source, oldest first. */
export function oldDaysSql({ compacted }: CompactionTables, day: string, sourceId: string): string {
  return `SELECT DISTINCT ${dayText(COMPACTED_TIME)} FROM ${compacted} WHERE ${expiredPredicate(day, sourceId)} ORDER BY 1`;
}

/**
 * @param table an unquoted name.
 * @param location URL of an S3 prefix with a slash at its end.
 */
export function createTableSql(table: string, location: string): string {
  const columns = COMPACTED_COLUMNS.map(({ name, type }) => `${name} ${type}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')})`,
    `PARTITIONED BY (bucket(${BUCKETS}, source_id), day(${COMPACTED_TIME}))`,
    `LOCATION '${location}'`,
    "TBLPROPERTIES ('table_type' = 'ICEBERG', 'format' = 'parquet', 'write_compression' = 'zstd',",
    // Five days: many times what any statement runs, so that no file of one that still runs is taken
    // for one that nothing refers to.
    "'vacuum_max_snapshot_age_seconds' = '432000', 'vacuum_min_snapshots_to_keep' = '1')",
  ].join(' ');
}

/**
 * Without these OPTIMIZE leaves a data file as it is until two files of deleted rows belong to it, and
 * does nothing while fewer than five data files need it: Athena's defaults.
 */
export function setThresholdsSql(table: string): string {
  return `ALTER TABLE ${table} SET TBLPROPERTIES ('optimize_rewrite_delete_file_threshold' = '1', 'optimize_rewrite_data_file_threshold' = '1')`;
}

/** @param day its partitions alone; undefined for all, of which small files and those with deleted rows are read. */
export function optimizeSql(table: string, day?: string): string {
  const condition = day === undefined ? '' : ` WHERE ${within(COMPACTED_TIME, [day])}`;
  return `OPTIMIZE ${table} REWRITE DATA USING BIN_PACK${condition}`;
}

/** Expires snapshots, and removes files that none refers to any more, both past five days. */
export function vacuumSql(table: string): string {
  return `VACUUM ${table}`;
}

/** Times are of microseconds in Iceberg, always, and of milliseconds in landing files. */
function asIceberg({ name, type }: { name: string; type: LakeType }): string {
  return type === 'timestamp' ? `CAST(${quoted(name)} AS timestamp(6))` : quoted(name);
}

/**
 * Time and hash as one number, of which a set takes least memory. It may be another copy's as well:
 * whatever is found by it is compared in full.
 */
const COPY_KEY = 'bitwise_xor(timestamp_us, content_hash)';

function dayText(column: string): string {
  return `cast(cast(${column} AS date) AS varchar)`;
}

function landedSql(
  { landing }: CompactionTables,
  hour: number,
  days: readonly string[],
  columns: readonly string[],
): string {
  return `SELECT ${columns.map(quoted).join(', ')}, ${CONTENT_HASH} AS content_hash FROM ${landing} WHERE ${isHour(hour)} AND ${within('"timestamp"', days)}`;
}

/**
 * Rows of the hour that have no copy. A join, because Trino makes the copies of a NOT EXISTS distinct
 * first, and so keeps them in memory twice.
 */
function uncopiedSql(
  tables: CompactionTables,
  hour: number,
  days: readonly string[],
  columns: readonly string[],
): string {
  return [
    `SELECT l.* FROM (${landedSql(tables, hour, days, columns)}) l`,
    `LEFT JOIN (${copiesSql(tables, hour, days)}) c`,
    'ON c.timestamp_us = l.timestamp_us AND c.content_hash = l.content_hash',
    'WHERE c.content_hash IS NULL',
  ].join(' ');
}

/**
 * Time and hash of each copy that a row of the hour may have. They are kept in memory, where those of
 * whole days, a billion rows each, have no room: so they are the copies with times near the hour, and
 * of the others only those of the hour's own rows. Beside OR, Trino keeps what IN looks in, and lets
 * the days pass; of IN alone it makes a join, either side of which may be kept.
 */
function copiesSql(tables: CompactionTables, hour: number, days: readonly string[]): string {
  const from = (hour + NEAR_FROM_MS) * 1000;
  const before = (hour + NEAR_BEFORE_MS) * 1000;
  const others = `${landedSql(tables, hour, days, ['timestamp_us'])} AND (timestamp_us < ${from} OR timestamp_us >= ${before})`;
  return [
    `SELECT c.timestamp_us, c.content_hash FROM ${tables.compacted} c WHERE ${within(`c.${COMPACTED_TIME}`, days)}`,
    `AND (c.timestamp_us >= ${from} AND c.timestamp_us < ${before}`,
    `OR ${COPY_KEY} IN (SELECT ${COPY_KEY} FROM (${others})))`,
  ].join(' ');
}

/** Longer lists become one range: a statement has at most 256 KB, and partitions are pruned as well. */
const MAX_RANGES = 100;

/** Days in a row become one range. */
function within(column: string, days: readonly string[]): string {
  const starts = days.map((day) => Date.parse(day)).sort((a, b) => a - b);
  const ranges: { from: number; before: number }[] = [];
  for (const from of starts) {
    const last = ranges.at(-1);
    if (last !== undefined && (last.before === from || ranges.length > MAX_RANGES)) {
      last.before = from + DAY_MS;
    } else {
      ranges.push({ from, before: from + DAY_MS });
    }
  }
  const conditions = ranges.map(
    ({ from, before }) => `${column} >= ${timestamp(from)} AND ${column} < ${timestamp(before)}`,
  );
  return conditions.length === 1 ? conditions.join() : `(${conditions.join(' OR ')})`;
}

function expiredPredicate(day: string, sourceId?: string): string {
  const ofSource = sourceId === undefined ? '' : ` AND source_id = '${uuid(sourceId)}'`;
  return `${COMPACTED_TIME} < ${timestamp(Date.parse(day))}${ofSource}`;
}

function isHour(hour: number): string {
  return `dt = DATE '${dayOf(hour)}' AND hour = ${hourNumber(hour)}`;
}

function hourNumber(ms: number): number {
  return (ms / HOUR_MS) % 24;
}

function timestamp(ms: number): string {
  return `TIMESTAMP '${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}'`;
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Tokens are checked where sources are made; what goes into a statement is checked once more. */
function uuid(text: string): string {
  if (!/^[0-9a-f-]{36}$/.test(text)) throw new Error('the token of a source is no UUID');
  return text;
}
