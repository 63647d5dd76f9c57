import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LocalLake } from '../../../../src/local/lake.ts';
import { lineBytes } from '../../../../src/local/storage/log/log-line.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { RetryableFailure } from '../../../../src/platform/execution.ts';
import { DEFAULT_LOCAL_LIMITS } from '../../../../src/query/execution/duckdb/local-limits.ts';
import {
  cleanUpAfterEach,
  openLake,
  query,
  RecordingLogger,
  stringColumn,
  temporaryDirectory,
} from '../../../local/support.ts';
import { landingRow } from '../../../ports/event-sink.contract.ts';
import { runStatement } from '../../../support/run-statement.ts';

cleanUpAfterEach();

let directory: string;
let lake: LocalLake;
let logger: RecordingLogger;

beforeEach(async () => {
  directory = await temporaryDirectory();
  logger = new RecordingLogger();
  lake = await openLake(directory, { logger });
});

const ENDLESS =
  'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range = b.range % 7';

/** Callers who have no time left. */
const GONE = { until: 0 };

interface RunOptions {
  readonly token?: string;
  readonly withinMs?: number;
  readonly columns?: number;
  readonly caller?: string;
}

function run(text: string, options: RunOptions = {}) {
  const { token, caller } = options;
  return runStatement(lake.engine, {
    text,
    columns: Array.from({ length: options.columns ?? 1 }, (_, index) => stringColumn(`c${index}`)),
    deadline: systemClock.now() + (options.withinMs ?? 30_000),
    ...(token === undefined ? {} : { token }),
    ...(caller === undefined ? {} : { caller }),
  });
}

describe('what a statement may do', () => {
  test.each([
    ['read a file', "SELECT content FROM read_text('/etc/hostname')"],
    ['list files', "SELECT file FROM glob('/*')"],
    ['write a file', "COPY (SELECT 1) TO '/tmp/sluice-escape.csv'"],
    ['attach a database', "ATTACH '/tmp/sluice-escape.db'"],
    ['load an extension', 'INSTALL httpfs'],
    ['change a setting', 'SET memory_limit = 0'],
    ['change the table', 'DROP VIEW log_events'],
    ['insert rows', 'INSERT INTO log_events (id) VALUES (1)'],
    ['run a second statement', 'SELECT 1; SELECT 2'],
  ])('not %s', async (_what, text) => {
    await expect(run(text)).rejects.toMatchObject({ code: 'query_failed', status: 502 });

    expect(await query(lake, `SELECT count(*) FROM ${lake.table}`)).toEqual([['0']]);
  });

  test('not read the write-ahead log', async () => {
    await lake.sink.write([landingRow('a')]);
    const path = join(directory, 'wal/0000000001.ndjson');

    await expect(run(`SELECT content FROM read_text('${path}')`)).rejects.toMatchObject({
      code: 'query_failed',
    });
  });

  test('not answer other columns than were declared', async () => {
    await expect(run('SELECT 1, 2', { columns: 1 })).rejects.toMatchObject({
      code: 'query_failed',
    });
  });
});

describe('errors', () => {
  test('puts the text of DuckDB into the log and nowhere else', async () => {
    const error = await run('SELECT wrong_column').catch((reason) => reason);

    expect(error.message).not.toContain('wrong_column');
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: 'DuckDB could not run a query',
        fields: { error: expect.stringContaining('wrong_column') },
      },
    ]);
  });

  test('fails a query whose data does, after it has begun', async () => {
    await expect(
      run("SELECT CAST(CASE WHEN range > 5000 THEN 'x' ELSE '1' END AS INTEGER) FROM range(9000)"),
    ).rejects.toMatchObject({ code: 'query_data_error', status: 400 });

    expect(await query(lake, 'SELECT 1')).toEqual([['1']]);
  });

  test('is not the log’s business that a query ran out of time', async () => {
    await expect(run(ENDLESS, { withinMs: 30 })).rejects.toMatchObject({ code: 'query_timeout' });

    expect(logger.lines).toEqual([]);
  });
});

describe('capacity', () => {
  test('runs a query that waited for another one', async () => {
    const blocking = Array.from({ length: 4 }, () =>
      run(ENDLESS, { withinMs: 100 }).catch((error) => error.code),
    );

    expect((await run("SELECT 'ran'")).rows).toEqual([['ran']]);
    expect(await Promise.all(blocking)).toEqual(Array(4).fill('query_timeout'));
  });

  test('times out a query that still waits', async () => {
    const blocking = Array.from({ length: 4 }, () => run(ENDLESS).catch((error) => error.code));

    await expect(run('SELECT 1', { withinMs: 30 })).rejects.toMatchObject({
      code: 'query_timeout',
    });

    await lake.close();
    expect(await Promise.all(blocking)).toEqual(Array(4).fill('engine_throttled'));
  });

  test('refuses queries after it was closed', async () => {
    await lake.close();

    await expect(run('SELECT 1')).rejects.toMatchObject({ code: 'engine_throttled', status: 503 });
  });
});

describe('a caller', () => {
  test('has three queries at a time; a fourth waits, and those of others pass it', async () => {
    const three = Array.from({ length: 3 }, () =>
      run(ENDLESS, { caller: 'greedy' }).catch((error) => error.code),
    );
    const fourth = run('SELECT 1', { caller: 'greedy', withinMs: 200 });
    const refused = expect(fourth).rejects.toMatchObject({ code: 'query_timeout' });

    expect((await run("SELECT 'passed'", { caller: 'modest' })).rows).toEqual([['passed']]);

    await refused;
    await lake.endQueries();
    expect(await Promise.all(three)).toEqual(Array(3).fill('engine_throttled'));
  });

  test('is told when too many of its own wait, while others may come', async () => {
    const many = Array.from({ length: 19 }, () =>
      run(ENDLESS, { caller: 'greedy' }).catch((error) => error.code),
    );

    await expect(run('SELECT 1', { caller: 'greedy' })).rejects.toMatchObject({
      code: 'too_many_queries',
      status: 429,
      retryAfterSeconds: expect.any(Number),
    });
    expect((await run("SELECT 'passed'", { caller: 'modest' })).rows).toEqual([['passed']]);

    await lake.endQueries();
    expect(new Set(await Promise.all(many))).toEqual(new Set(['engine_throttled']));
  });

  test('gets the place of another query of its own', async () => {
    const three = Array.from({ length: 3 }, () =>
      run(ENDLESS, { caller: 'greedy', withinMs: 100 }).catch((error) => error.code),
    );

    expect((await run("SELECT 'ran'", { caller: 'greedy' })).rows).toEqual([['ran']]);
    expect(await Promise.all(three)).toEqual(Array(3).fill('query_timeout'));
  });

  test('ends a query by cancelling it', async () => {
    const columns = [stringColumn('n')];
    const four = Array.from({ length: 4 }, async (_, n) => {
      const token = `endless ${n}`;
      const statement = { text: ENDLESS, columns, token, deadline: systemClock.now() + 30_000 };
      const ended = runStatement(lake.engine, statement).catch((error) => error);
      await lake.engine.cancel(token);
      return ended;
    });

    expect((await run("SELECT 'ran'")).rows).toEqual([['ran']]);
    expect(await Promise.all(four)).toMatchObject(Array(4).fill({ code: 'query_failed' }));
  });
});

describe('an execution whose callers have gone', () => {
  const start = (text: string, keepMs: number) =>
    lake.engine.start({ text, width: 1, token: randomUUID(), caller: randomUUID(), keepMs }, GONE);
  const collect = (id: string) => lake.engine.collect(id, 1, { until: systemClock.now() + 30_000 });

  test('goes on, and its rows are had by the next caller, once', async () => {
    const id = await start("SELECT 'kept'", 30_000);
    await expect(lake.engine.collect(id, 1, GONE)).rejects.toMatchObject({ code: 'query_timeout' });

    expect((await collect(id)).rows).toEqual([['kept']]);
    await expect(collect(id)).rejects.toBeInstanceOf(RetryableFailure);
  });

  test('ends when none has come again in time', async () => {
    // As many as there are places.
    const ids = await Promise.all(Array.from({ length: 4 }, () => start(ENDLESS, 50)));

    expect((await run("SELECT 'ran'")).rows).toEqual([['ran']]);
    for (const id of ids) await expect(collect(id)).rejects.toBeInstanceOf(RetryableFailure);
  });

  test('is one of a few', async () => {
    const ids = await Promise.all(Array.from({ length: 9 }, () => start('SELECT 1', 30_000)));
    for (const id of ids) await lake.engine.collect(id, 1, GONE).catch(() => {});

    await expect(collect(ids[0] ?? '')).rejects.toBeInstanceOf(RetryableFailure);
    for (const id of ids.slice(1)) expect((await collect(id)).rows).toEqual([['1']]);
  });

  test('tells how it failed to the next caller', async () => {
    const id = await start("SELECT error('secret')", 30_000);

    await expect(collect(id)).rejects.toMatchObject({ status: expect.any(Number) });
  });
});

describe('limits of one query', () => {
  let small: LocalLake;
  beforeEach(async () => {
    await lake.close();
    const limits = { ...DEFAULT_LOCAL_LIMITS, queryMemoryMiB: 128, spillMiB: 16, resultMiB: 1 };
    small = await openLake(directory, { logger, limits });
    lake = small;
  });

  test.each([
    [
      'memory and spill',
      'SELECT max(n) FROM (SELECT count(*) AS n FROM range(5000000) GROUP BY md5(range::VARCHAR))',
    ],
    ['a result in memory', "SELECT repeat('x', 100000) || range FROM range(3000)"],
    // Texts that functions make are not in DuckDB's own count.
    ['vectors', 'SELECT max(length(repeat(range::VARCHAR, 15000))) FROM range(100000, 900000)'],
  ])('%s: past it the query is refused, and the next one runs', async (_what, text) => {
    await expect(run(text)).rejects.toMatchObject({ code: 'query_too_large', status: 400 });

    expect(await query(small, 'SELECT 1')).toEqual([['1']]);
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('the text of its result', async () => {
    const rows = (count: number) => run(`SELECT repeat('x', 1000) FROM range(${count})`);

    expect((await rows(1_000)).rows).toHaveLength(1_000);
    await expect(rows(1_100)).rejects.toMatchObject({ code: 'result_too_large', status: 400 });
  });

  test('what is spilled is not among the data, and is gone at the next start', async () => {
    await small.close();
    await mkdir(join(directory, 'spill'), { recursive: true });
    await writeFile(join(directory, 'spill', 'left.tmp'), 'by a killed process');

    await openLake(directory);

    expect(await readdir(directory)).toEqual(['lake', 'wal']);
    expect(await readdir(join(directory, 'lake'))).not.toContain('spill');
  });
});

describe('callers that share a run', () => {
  test('leave at their own deadline and let it go on for the others', async () => {
    const token = randomUUID();
    const slow = 'SELECT count(DISTINCT hash(range)) > 0 FROM range(3000000)';
    const patient = run(slow, { token });

    await expect(run(slow, { token, withinMs: 1 })).rejects.toMatchObject({
      code: 'query_timeout',
    });

    expect((await patient).rows).toEqual([['true']]);
  });
});

describe('cells of other types', () => {
  test.each([
    ['CAST(7 AS TINYINT)', '7'],
    [
      'CAST(170141183460469231731687303715884105727 AS HUGEINT)',
      '170141183460469231731687303715884105727',
    ],
    ['CAST(1.50 AS DECIMAL(9, 2))', '1.50'],
    ["DATE '2026-01-02'", '2026-01-02'],
    ["TIMESTAMP '2026-01-02 03:04:05.678901'", '2026-01-02 03:04:05.678901'],
    ['CAST(\'{"a":1}\' AS JSON)', '{"a":1}'],
    ['NULL', null],
  ])('%s is %s', async (expression, cell) => {
    expect(await query(lake, `SELECT ${expression}`)).toEqual([[cell]]);
  });
});

describe('bytesScanned', () => {
  test('is the size of what the statement can reach', async () => {
    await lake.sink.write([landingRow('a')]);

    const pending = await run(`SELECT id FROM ${lake.table}`);
    await lake.flush();
    const filed = await run(`WITH t AS (SELECT id FROM ${lake.table}) SELECT id FROM t`);

    expect(pending.bytesScanned).toBe(lineBytes(landingRow('a')));
    expect(filed.bytesScanned).toBeGreaterThan(0);
  });

  test('is nothing for a statement that reads no table', async () => {
    await lake.sink.write([landingRow('a')]);

    expect((await run('SELECT 1')).bytesScanned).toBe(0);
  });
});

test('answers in UTC whatever the time zone of the machine', async () => {
  expect(await query(lake, "SELECT current_setting('TimeZone')")).toEqual([['UTC']]);
});

test('finds files put into the lake by hand, at the next start', async () => {
  await lake.sink.write([landingRow('a')]);
  await lake.flush();
  await lake.close();
  await writeFile(join(directory, 'lake/log_events/README.txt'), 'not a Parquet file');

  lake = await openLake(directory);

  expect(await query(lake, `SELECT id FROM ${lake.table}`)).toEqual([['a']]);
});
