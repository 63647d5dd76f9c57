/**
 * What queries over a million events of one source take on the local server, through its own compiler and
 * engine. `npm run bench:query [events]`, Linux only.
 *
 * The events are of a day, of an application and fifty projects, and one in the middle has a needle in its
 * message. They were sent in requests of a hundred, and have been filed every quarter hour. Measured are
 * the files as they came, and the same compacted.
 *
 * - cold: the first query after the lake was opened. The system may still have the files in memory.
 * - warm: the fastest of five after it.
 * - CPU: of the whole process, milliseconds; where the machine is busy, it says more than the time.
 * - read: bytes that the process has read of files for the cold query.
 */
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalLake } from '../src/local/lake.ts';
import type { CompiledQuery } from '../src/sql/compile.ts';
import { runStatement } from '../test/support/run-statement.ts';
import { type QueryCase, queryCases } from './query-cases.ts';
import { withNeedle } from './query-lake.ts';
import { compileScan } from './scan/scan-compile.ts';
import { PROJECT_REFERENCES } from './scan/scan-event.ts';
import { APP_SOURCE, compactHours, type FilledLake, fillLake, logger } from './scan/scan-lake.ts';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 1, 3, 10, 0);
const WARM_RUNS = 5;
const MIB = 1024 ** 2;

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytes: number;
  readonly rows: number;
}

function compiled(sql: string, lake: LocalLake, { catalog }: FilledLake, isCompacted: boolean) {
  const query = { name: '', source: APP_SOURCE, sql, fromHoursAgo: 24, toHoursAgo: 0, needs: [] };
  return compileScan(query, {
    project: PROJECT_REFERENCES[10] ?? '',
    nowMs: NOW_MS,
    catalog,
    target: 'duckdb',
    table: lake.table,
    maxFilingDelaySeconds: lake.maxFilingDelaySeconds,
    ...(isCompacted ? { compacted: { table: lake.compactedTable, beforeUs: NOW_MS * 1000 } } : {}),
  });
}

async function costOf(query: CompiledQuery, lake: LocalLake): Promise<Cost> {
  const before = { bytes: bytesRead(), cpu: process.cpuUsage(), ms: performance.now() };
  const { rows } = await runStatement(lake.engine, query);
  const ms = performance.now() - before.ms;
  const { user, system } = process.cpuUsage(before.cpu);
  const bytes = bytesRead() - before.bytes;
  return { ms, cpuMs: (user + system) / 1000, bytes, rows: rows.length };
}

function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

async function measure(test: QueryCase, filled: FilledLake, isCompacted: boolean): Promise<void> {
  const lake = await LocalLake.open({ directory, clock: filled.clock, logger });
  try {
    const query = compiled(test.sql, lake, filled, isCompacted);
    const cold = await costOf(query, lake);
    const warm: Cost[] = [];
    for (let run = 0; run < WARM_RUNS; run++) warm.push(await costOf(query, lake));
    const least = (part: 'ms' | 'cpuMs') => Math.min(...warm.map((cost) => cost[part]));
    const figures = [least('ms'), least('cpuMs'), cold.ms, cold.cpuMs].map((n) => n.toFixed(0));
    const [ms, cpu, coldMs, coldCpu] = figures.map((text) => text.padStart(5));
    const aim = test.aimMs === undefined ? '' : `, aim ${test.aimMs} ms`;
    console.log(
      `query ${isCompacted ? 'compacted' : 'landing  '} ${test.name.padEnd(33)} ` +
        `warm ${ms} ms ${cpu} CPU  cold ${coldMs} ms ${coldCpu} CPU  ` +
        `read ${(cold.bytes / MIB).toFixed(2).padStart(7)} MiB  (${cold.rows} rows${aim})`,
    );
  } finally {
    await lake.close();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'sluice-bench-query-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const { source, id } = withNeedle(APP_SOURCE, Math.floor(EVENTS / 2));
const filled = await fillLake({
  directory,
  fromMs: NOW_MS - 24 * HOUR_MS,
  toMs: NOW_MS,
  events: EVENTS,
  source,
  eventsPerRequest: 100,
  progress: (stored) => process.stderr.write(`\r${stored} of ${EVENTS} events stored`),
});
process.stderr.write('\n');
await filled.lake.close();
for (const test of queryCases(id)) await measure(test, filled, false);
const lake = await LocalLake.open({ directory, clock: filled.clock, logger });
await compactHours(lake, directory, NOW_MS);
await lake.compaction.optimize('2026-02-02');
await lake.close();
for (const test of queryCases(id)) await measure(test, filled, true);
