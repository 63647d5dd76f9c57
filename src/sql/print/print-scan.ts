import { COMPACTED_TIME, LANDING_COLUMNS, MAX_FUTURE_US } from '../../lake/layout/columns.ts';
import { quoteText } from '../../platform/sql-text.ts';
import type { ScanNode } from '../ir/ir.ts';
import { FIXED_UNITS, formatCivil } from '../ir/time.ts';
import type { Dialect } from './dialect.ts';

/** The tables of the lake, as they stand in FROM. */
export interface LakeTables {
  readonly table: string;
  /** Longest time between an event's arrival and the hour its file is filed under, seconds. */
  readonly maxFilingDelaySeconds: number;
  readonly compacted?: CompactedTable;
}

/** The table that landing hours before one have been copied to. */
export interface CompactedTable {
  readonly table: string;
  /** Start of the first hour that is read from the landing table, microseconds since the epoch. */
  readonly beforeUs: number;
}

const HOUR_US = Number(FIXED_UNITS.HOUR);

/**
 * Prints what a scan reads: the compacted table's copies of landing hours before the watermark, and the
 * landing table's hours from there on. Each copy says which hour it is from, so that no row is read
 * twice or not at all, however far compaction has got meanwhile.
 */
export function printScan(scan: ScanNode, lake: LakeTables, dialect: Dialect): string {
  const columns = scan.columns ?? [...READABLE_COLUMNS];
  for (const column of columns) {
    if (!READABLE_COLUMNS.has(column)) {
      throw new Error(`${column} is not a column that queries read`);
    }
  }
  const list = columns.length === 0 ? '1 AS one' : columns.join(', ');
  const select = (table: string, conditions: readonly string[]): string => {
    const all = [`source_id = ${quoteText(scan.sourceId)}`, ...conditions];
    return `SELECT ${list} FROM ${table} WHERE ${all.join(' AND ')}`;
  };
  const { compacted } = lake;
  if (compacted === undefined || !readsCompacted(scan, lake)) {
    const landed = landedFrom(firstHour(scan, lake), dialect);
    return `(${select(lake.table, landed)}) AS ${scan.alias}`;
  }
  const { table, beforeUs } = compacted;
  if (beforeUs % HOUR_US !== 0) {
    throw new Error(`compaction moves on by whole hours, not to ${beforeUs}`);
  }
  const copies = [`landed_hour < ${timestamp(beforeUs)}`, ...eventTimes(scan)];
  // The newest first: DuckDB skips what is older than the newest rows of a query.
  const arms = [select(lake.table, landedFrom(beforeUs, dialect)), select(table, copies)];
  return `(${arms.join(' UNION ALL ')}) AS ${scan.alias}`;
}

/** Whether a scan opens the compacted table: the newest events are not in it. */
export function readsCompacted(scan: ScanNode, lake: LakeTables): boolean {
  return lake.compacted !== undefined && firstHour(scan, lake) < lake.compacted.beforeUs;
}

/** Columns that any query reads. Times are read as integers: how exact a TIMESTAMP is differs by table. */
const READABLE_COLUMNS: ReadonlySet<string> = new Set(
  LANDING_COLUMNS.filter(({ type }) => type !== 'timestamp').map(({ name }) => name),
);

/**
 * The earliest landing hour that can hold an event of the scan: one may arrive up to an hour before its
 * time, and is filed with the oldest of its buffer. It may land any time later; so no upper bound of
 * event time prunes landing hours.
 */
function firstHour({ times }: ScanNode, { maxFilingDelaySeconds }: LakeTables): number {
  const earliest = times.from - MAX_FUTURE_US - maxFilingDelaySeconds * 1_000_000;
  return Math.floor(earliest / HOUR_US) * HOUR_US;
}

function landedFrom(hourUs: number, dialect: Dialect): string[] {
  // Nothing landed before the epoch, and engines differ about dates before the year 1.
  if (hourUs < 0) return [];
  const text = formatCivil(BigInt(hourUs));
  return [dialect.partitionLowerBound(text.slice(0, 10), Number(text.slice(11, 13)))];
}

/**
 * Compacted rows are filed by the day of their event time, so both bounds prune. The column holds
 * milliseconds, cut. Bounds before 1684 are left out (readers of Parquet differ about days before the
 * calendar's reform of 1582), as are those after 2255.
 */
function eventTimes({ times: { from, before } }: ScanNode): string[] {
  const fromMs = Math.floor(from / 1_000) * 1_000;
  return [
    ...(Number.isSafeInteger(fromMs) ? [`${COMPACTED_TIME} >= ${timestamp(fromMs)}`] : []),
    ...(Number.isSafeInteger(before) ? [`${COMPACTED_TIME} < ${timestamp(before)}`] : []),
  ];
}

/** A literal of both engines, in UTC and without a zone. */
function timestamp(us: number): string {
  return `TIMESTAMP ${quoteText(formatCivil(BigInt(us)))}`;
}
