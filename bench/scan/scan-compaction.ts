/**
 * What compaction saves: the same queries over a week and a day of events, in files as Firehose writes
 * them every 300 s, and compacted.
 *
 * - needed: the columns whose values decide or appear in the answer, of all rows in the time range, at
 *   their mean size in the compacted table. The same for all layouts. Rows of other projects count too,
 *   as in `scan.ts`; a layout that lets the engine skip them gets below 1.
 * - read: column chunks of the columns that the statement's scans list or filter by, in the files that
 *   its printed conditions leave: those of landing hours; of the compacted table those whose event
 *   times overlap, which Iceberg's manifests tell.
 * - after statistics: what is left where the engine also skips row groups by the minima and maxima of
 *   source, project and time, as Athena does and DuckDB.
 * - files: those, as printed for Athena. "opened" are those that DuckDB opened; it opens each file of
 *   the compacted table to see its statistics.
 *
 * All events are of one source; compacting splits those of several further. The compacted files are
 * those that the local store writes: hours of the last two days apart, earlier days optimized. Times
 * are DuckDB's on this machine, for information only.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { COMPACTED_TABLE, LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { listParquetFiles, partitionHour } from '../../src/local/storage/parquet/parquet-files.ts';
import type { SqlTarget } from '../../src/sql/common/result-schema.ts';
import { ATHENA_MAX_FILING_DELAY_SECONDS, compileScan, neededColumns } from './scan-compile.ts';
import { PROJECT_REFERENCES } from './scan-event.ts';
import { type BenchSource, compactHours, type FilledLake, fillLake } from './scan-lake.ts';
import { Layout, type Rows } from './scan-layout.ts';
import { COMPACTION_QUERIES, type ScanQuery } from './scan-queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 1, 11, 10, 30);
/** Later hours were not closed yet when compaction ran last. */
const WATERMARK_MS = Date.UTC(2026, 1, 11, 10);
/** A project of middling traffic. */
const PROJECT = PROJECT_REFERENCES[10] ?? '';
const COMPACTED_FILE = /^day=[^/]+\/[^/]+\.parquet$/;
const MIB = 1024 ** 2;

export async function measureCompaction(
  directory: string,
  events: number,
  source: BenchSource,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const filled = await fillLake({
    directory,
    fromMs: NOW_MS - 8 * DAY_MS,
    toMs: NOW_MS,
    events,
    source,
    eventsPerRequest: 500,
    progress: (stored) => process.stderr.write(`\r${stored} of ${events} events stored`),
  });
  process.stderr.write('\n');
  try {
    await compact(filled, directory);
    const compacted = await listParquetFiles(
      join(directory, 'lake', COMPACTED_TABLE),
      COMPACTED_FILE,
    );
    const landing = await listParquetFiles(join(directory, 'lake', LANDING_TABLE));
    const every300 = await slice(landing, join(directory, 'every-300-s'), 300);
    const open = every300.filter((path) => partitionHour(path) >= WATERMARK_MS);
    const layouts = [
      await Layout.open('300 s files', every300, []),
      await Layout.open('compacted', open, compacted),
    ];
    for (const layout of layouts) {
      const { files, bytes, rows } = await layout.size();
      if (rows !== events) throw new Error(`${layout.name} holds ${rows} events, not ${events}.`);
      console.log(
        `compaction ${source.name} ${layout.name.padEnd(11)} ${files} files, ${mib(bytes)}`,
      );
    }
    for (const query of COMPACTION_QUERIES) {
      if (query.source === source) await measure(query, filled, layouts);
    }
  } finally {
    await filled.lake.close();
  }
}

/** As the job does: every closed hour, and days that have been over for a day. */
async function compact({ lake }: FilledLake, directory: string): Promise<void> {
  await compactHours(lake, directory, WATERMARK_MS);
  for (let day = NOW_MS - 9 * DAY_MS; day <= NOW_MS - 2 * DAY_MS; day += DAY_MS) {
    await lake.compaction.optimize(new Date(day).toISOString().slice(0, 10));
  }
  await lake.compaction.expireSnapshots();
}

/** The same rows in files of so many seconds, in the order of arrival, as if each came at its time. */
async function slice(
  paths: readonly string[],
  directory: string,
  seconds: number,
): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  for (const [hour, files] of Map.groupBy(paths, partitionHour)) {
    const [date, time] = new Date(hour).toISOString().split('T');
    const target = join(directory, `dt=${date}`, `hour=${time?.slice(0, 2)}`);
    await mkdir(target, { recursive: true });
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE rows AS SELECT *, timestamp_us // ${seconds * 1_000_000} AS slot
       FROM read_parquet([${files.map((path) => `'${path}'`).join(', ')}], hive_partitioning = false)`,
    );
    const slots = await connection.runAndReadAll('SELECT DISTINCT slot::VARCHAR FROM rows');
    for (const [slot] of slots.getRowsJS()) {
      const path = join(target, `${String(slot).padStart(10, '0')}.parquet`);
      await connection.run(
        `COPY (SELECT * EXCLUDE slot FROM rows WHERE slot = ${slot} ORDER BY timestamp_us)
         TO '${path}' (FORMAT parquet, COMPRESSION zstd)`,
      );
    }
  }
  return listParquetFiles(directory);
}

async function measure(
  query: ScanQuery,
  filled: FilledLake,
  layouts: readonly Layout[],
): Promise<void> {
  const rows: Rows = {
    sourceId: query.source.token,
    project: query.needs.includes('project') ? PROJECT : undefined,
    fromUs: BigInt(NOW_MS - query.fromHoursAgo * HOUR_MS) * 1000n,
    toUs: BigInt(NOW_MS - query.toHoursAgo * HOUR_MS) * 1000n,
  };
  const [first] = layouts;
  const compacted = layouts.at(-1);
  if (first === undefined || compacted === undefined) throw new Error('There is no layout.');
  const { bytes, rows: all } = await compacted.size(neededColumns(query, filled.catalog));
  const needed = (bytes / all) * (await first.rowsAt(rows));
  const answers = new Set<number>();
  for (const layout of layouts) {
    const text = (target: SqlTarget) => statement(query, filled, target, layout === compacted);
    const cost = await layout.cost(text('athena'), rows);
    const run = await layout.run(text('duckdb'));
    answers.add(run.rows);
    console.log(
      `compaction ${query.name.padEnd(36)} ${layout.name.padEnd(11)} ` +
        `read/needed ${ratio(cost.bytes, needed)}  ` +
        `after statistics ${ratio(cost.bytesAfterStatistics, needed)}  ` +
        `files ${String(cost.files).padStart(5)}  (read ${mib(cost.bytes)}, ` +
        `after statistics ${mib(cost.bytesAfterStatistics)}, needed ${mib(needed)}; ` +
        `DuckDB opened ${run.files} files, ${run.rows} rows, ${run.ms.toFixed(0)} ms)`,
    );
  }
  if (answers.size !== 1) throw new Error(`Layouts answer "${query.name}" differently.`);
}

function statement(
  query: ScanQuery,
  { lake, catalog }: FilledLake,
  target: SqlTarget,
  isCompacted: boolean,
): string {
  return compileScan(query, {
    project: PROJECT,
    nowMs: NOW_MS,
    catalog,
    target,
    table: lake.table,
    maxFilingDelaySeconds:
      target === 'athena' ? ATHENA_MAX_FILING_DELAY_SECONDS : lake.maxFilingDelaySeconds,
    ...(isCompacted
      ? { compacted: { table: lake.compactedTable, beforeUs: WATERMARK_MS * 1000 } }
      : {}),
  }).text;
}

const ratio = (part: number, of: number): string => (part / of).toFixed(2).padStart(8);
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(2)} MiB`;
