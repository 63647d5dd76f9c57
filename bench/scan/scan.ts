/**
 * Bytes that shipped endpoints read of a day of edge events, and charts by any field of a day of an
 * application's, as a ratio to the bytes they need.
 * `npm run bench:scan [events]`
 *
 * The lake is written by the ingest pipeline and the local lake: hourly partitions, a Parquet file
 * for each quarter hour of arrival, ZSTD. Files that Firehose writes differ in compression (GZIP) and
 * length, and so in bytes; the ratios depend on neither much.
 *
 * - read: column chunks of the columns that the compiled statement's scans list or filter by, in the
 *   files of the partitions that pass its printed condition on `dt` and `hour`; each scan counts.
 * - needed: column chunks of the columns whose values decide or appear in the answer, in the hours of
 *   event time it asks about. Partitions are whole hours: half an hour needs all of its hour. The
 *   column `source_id` counts on both sides.
 * - after statistics: what is left of "read" where the engine also skips row groups by their minima
 *   and maxima of source, project and time. Below 1 where a row group covers less than an hour. Only
 *   time skips any: all events have one source, and every file holds most projects. Whether Athena
 *   skips them is not measured here.
 *
 * Not counted: Parquet footers, S3 requests, Athena's minimum of 10 MB a query, and that engines may
 * read columns late, only for rows that passed a filter. Here every event arrives at its event time.
 * Times are DuckDB's on this machine, one warm run, for information only.
 *
 * What compaction saves is measured on a lake of its own: see `scan-compaction.ts`.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { listParquetFiles } from '../../src/local/storage/parquet/parquet-files.ts';
import type { SqlTarget } from '../../src/sql/common/result-schema.ts';
import type { CompiledQuery } from '../../src/sql/compile.ts';
import { runStatement } from '../../test/support/run-statement.ts';
import { measureCompaction } from './scan-compaction.ts';
import { ATHENA_MAX_FILING_DELAY_SECONDS, compileScan, neededColumns } from './scan-compile.ts';
import { PROJECT_REFERENCES } from './scan-event.ts';
import { ParquetFiles, type Scan } from './scan-files.ts';
import { type BenchSource, type FilledLake, fillLake, SOURCES } from './scan-lake.ts';
import type { Rows } from './scan-layout.ts';
import { SCAN_QUERIES, type ScanQuery } from './scan-queries.ts';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const HOUR_MS = 3_600_000;
/** Within an hour, as most queries are; half past the hour favours no layout. */
const NOW_MS = Date.UTC(2026, 1, 3, 10, 30);
/** A project of middling traffic. */
const PROJECT = PROJECT_REFERENCES[10] ?? '';
const EVERYTHING = 'true';
const MIB = 1024 ** 2;

function compileFor(target: SqlTarget, query: ScanQuery, { lake, catalog }: FilledLake) {
  return compileScan(query, {
    project: PROJECT,
    nowMs: NOW_MS,
    catalog,
    target,
    table: lake.table,
    maxFilingDelaySeconds:
      target === 'athena' ? ATHENA_MAX_FILING_DELAY_SECONDS : lake.maxFilingDelaySeconds,
  });
}

const SCAN =
  /\(SELECT (?<list>[\w, ]+) FROM "log_events" WHERE source_id = '[^']*'(?: AND (?<partitions>\(dt > DATE '[-\d]+' OR \(dt = DATE '[-\d]+' AND hour >= \d+\)\)))?\)/g;

function scansOf({ text }: CompiledQuery): Scan[] {
  const scans = [...text.matchAll(SCAN)].map(({ groups = {} }) => ({
    columns: new Set([...(groups.list ?? '').split(', '), 'source_id']),
    partitions: groups.partitions ?? EVERYTHING,
  }));
  // A scan that is printed in another form must not go uncounted.
  if (scans.length === 0 || scans.length !== text.split(`"${LANDING_TABLE}"`).length - 1) {
    throw new Error(`The scans of this statement are not understood: ${text}`);
  }
  return scans;
}

async function sum<T>(items: readonly T[], count: (item: T) => Promise<number>): Promise<number> {
  let total = 0;
  for (const item of items) total += await count(item);
  return total;
}

/** Condition for the partitions that hold events of a query's time range. */
function neededHours({ fromHoursAgo, toHoursAgo }: ScanQuery): string {
  const hour = (hoursAgo: number) => {
    const ms = NOW_MS - hoursAgo * HOUR_MS;
    return `TIMESTAMP '${new Date(ms - (ms % HOUR_MS)).toISOString().slice(0, 19)}'`;
  };
  return `dt + to_hours(hour) BETWEEN ${hour(fromHoursAgo)} AND ${hour(toHoursAgo)}`;
}

async function measure(query: ScanQuery, filled: FilledLake, files: ParquetFiles): Promise<void> {
  const duckdb = compileFor('duckdb', query, filled);
  const athena = scansOf(compileFor('athena', query, filled));
  const local = scansOf(duckdb);
  const opened = await files.filesInPlan(duckdb.text);
  const expected = await sum(local, (scan) => files.files(scan.partitions));
  if (opened !== expected) {
    throw new Error(`DuckDB opened ${opened} files for "${query.name}", counted were ${expected}.`);
  }

  const range: Rows = {
    sourceId: query.source.token,
    project: query.needs.includes('project') ? PROJECT : undefined,
    fromUs: BigInt(NOW_MS - query.fromHoursAgo * HOUR_MS) * 1000n,
    toUs: BigInt(NOW_MS - query.toHoursAgo * HOUR_MS) * 1000n,
  };
  const read = await sum(athena, (scan) => files.bytes(scan.partitions, scan.columns));
  const readLocally = await sum(local, (scan) => files.bytes(scan.partitions, scan.columns));
  const kept = await sum(athena, (scan) => files.bytes(scan.partitions, scan.columns, range));
  const needs = neededColumns(query, filled.catalog);
  const needed = await files.bytes(neededHours(query), new Set(needs));
  const whole = await files.bytes(EVERYTHING);
  const { rows, ms } = await run(duckdb, filled);

  const extra = [...(athena[0]?.columns ?? [])].filter((name) => !needs.includes(name));
  console.log(
    `scan ${query.name.padEnd(33)} read/needed ${ratio(read, needed)} athena, ` +
      `${ratio(readLocally, needed)} duckdb  after statistics ${ratio(kept, needed)}  ` +
      `read/table ${((100 * read) / whole).toFixed(3).padStart(7)} %  ` +
      `(read ${mib(read)} of ${mib(whole)}, needed ${mib(needed)}` +
      `${extra.length > 0 ? `, also reads ${extra.join(', ')}` : ''}; ` +
      `${opened} files, ${rows} rows, ${ms.toFixed(0)} ms)`,
  );
}

async function run(query: CompiledQuery, { lake }: FilledLake) {
  const once = () => runStatement(lake.engine, query);
  await once();
  const { rows, engineMs } = await once();
  if (rows.length === 0) throw new Error('A query found no rows.');
  return { rows: rows.length, ms: engineMs };
}

const ratio = (part: number, of: number): string => (part / of).toFixed(2).padStart(5);
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(2)} MiB`;

const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-scan-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

async function measureLanding(source: BenchSource, directory: string): Promise<void> {
  const filled = await fillLake({
    directory,
    fromMs: NOW_MS - 24 * HOUR_MS,
    toMs: NOW_MS,
    events: EVENTS,
    source,
    eventsPerRequest: 500,
    progress: (stored) => process.stderr.write(`\r${stored} of ${EVENTS} events stored`),
  });
  process.stderr.write('\n');
  try {
    const paths = await listParquetFiles(join(directory, 'lake', LANDING_TABLE));
    const files = await ParquetFiles.open(paths, filled.lake.table);
    const { rows, rowGroups } = await files.size();
    if (rows !== EVENTS) throw new Error(`The lake holds ${rows} events instead of ${EVENTS}.`);
    console.log(
      `scan lake: ${rows} events of ${source.name}, of ${PROJECT_REFERENCES.length} projects over ` +
        `24 hours, ${paths.length} files, ${rowGroups} row groups, ${mib(await files.bytes(EVERYTHING))}`,
    );
    for (const query of SCAN_QUERIES) {
      if (query.source === source) await measure(query, filled, files);
    }
  } finally {
    await filled.lake.close();
  }
}

for (const source of SOURCES) {
  await measureLanding(source, join(directory, source.name, 'day'));
  await measureCompaction(join(directory, source.name, 'week'), EVENTS, source);
}
