import { expect, test } from 'vitest';
import { AthenaCompactionStore } from '../../../../src/lake/compaction/athena/athena-compaction-store.ts';
import { copySql, missingDaysSql } from '../../../../src/lake/compaction/athena/compaction-sql.ts';
import { dayOf } from '../../../../src/lake/compaction/hours.ts';
import { COMPACTED_COLUMNS } from '../../../../src/lake/layout/columns.ts';
import { AthenaDdlRunner } from '../../../../src/platform/athena/athena-ddl.ts';
import { AthenaEngine } from '../../../../src/platform/athena/athena-engine.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { serviceError } from '../../../support/aws/failures.ts';
import { FakeAthena, type Plan } from '../../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

const HOUR = Date.UTC(2026, 1, 2, 9);
const SOURCE = '00000000-0000-4000-8000-000000000001';
const noNote = async (): Promise<void> => {};

/** What the statements do is tested on Trino; here it is which are sent, and when. */
function setUp(plan: (text: string) => Plan = () => ({})) {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const logger = new LogRecorder();
  const parts = {
    client: athena.client,
    workGroup: 'sluice-compaction',
    database: 'sluice',
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
  };
  const store = new AthenaCompactionStore({
    engine: new AthenaEngine(parts),
    statements: new AthenaDdlRunner(parts),
    location: 's3://lake/compacted/',
    clock,
    logger,
    deadline: clock.now() + 600_000,
  });
  const sent = () => athena.starts.map(({ QueryString: text = '' }) => text);
  return { athena, clock, logger, store, sent };
}

const failed = (reason: string): Plan => ({ end: { State: 'FAILED', StateChangeReason: reason } });

test('the table is created as an Iceberg table by bucket of source and event day', async () => {
  const { store, sent } = setUp();

  await store.prepare();

  const [create, ...more] = sent();
  expect(create).toMatch(/^CREATE TABLE IF NOT EXISTS log_events_compacted \(source_id string, /);
  expect(create).toContain('PARTITIONED BY (bucket(8, source_id), day(event_time))');
  expect(create).toContain("LOCATION 's3://lake/compacted/'");
  expect(create).toContain("'table_type' = 'ICEBERG'");
  expect(more).toEqual([]);
});

test('rows are counted by partitions alone', async () => {
  const { store, sent } = setUp(() => ({
    columns: ['dt', 'hour', 'n'],
    rows: [
      ['2026-02-02', '9', '12'],
      ['2026-02-03', '0', '3'],
    ],
  }));

  const rows = await store.landedRows({ from: HOUR, before: HOUR + 15 * 3_600_000 + 3_600_000 });

  expect(rows).toEqual(
    new Map([
      [HOUR, 12],
      [HOUR + 15 * 3_600_000, 3],
    ]),
  );
  expect(sent()).toEqual([
    `SELECT cast(dt AS varchar), cast(hour AS varchar), count(*) FROM "log_events" WHERE dt BETWEEN DATE '2026-02-02' AND DATE '2026-02-03' AND (dt > DATE '2026-02-02' OR hour >= 9) AND (dt < DATE '2026-02-03' OR hour < 1) GROUP BY dt, hour`,
  ]);
});

test('contents are read to find missing days only when the hour was copied before', async () => {
  const days = { columns: ['day'], rows: [['2026-02-01'], ['2026-02-02']] };
  const fresh = setUp((text) => (text.startsWith('SELECT DISTINCT') ? days : {}));

  expect(await fresh.store.missingDays(HOUR)).toEqual(['2026-02-01', '2026-02-02']);
  expect(fresh.sent().some((text) => text.includes('xxhash64'))).toBe(false);

  const copied = setUp((text) => {
    if (text.includes('xxhash64')) return { columns: ['day'], rows: [['2026-02-02']] };
    return text.startsWith('SELECT DISTINCT') ? days : { columns: ['x'], rows: [['yes']] };
  });
  expect(await copied.store.missingDays(HOUR)).toEqual(['2026-02-02']);
});

test('a copy carries the token of the job, in all processes', async () => {
  const { athena, store } = setUp();
  const token = '3f1b2c4d-0000-4000-8000-000000000000';

  await store.copy(HOUR, ['2026-02-02'], token);
  await store.copy(HOUR, ['2026-02-02'], token);

  expect(athena.starts).toHaveLength(2);
  expect(athena.executions).toBe(1);
});

test('a copy that an earlier release began is waited for in its words', async () => {
  const { athena, store } = setUp();
  const token = '3f1b2c4d-0000-4000-8000-000000000000';

  await store.copy(HOUR, ['2026-02-02'], token, 'INSERT in other words');

  expect(store.copyStatement(HOUR, ['2026-02-02'])).toMatch(/^INSERT INTO/);
  expect(athena.starts).toEqual([
    expect.objectContaining({ QueryString: 'INSERT in other words' }),
  ]);
});

test('what is deleted is looked for first, so that nothing to delete makes no state', async () => {
  const { store, sent } = setUp();

  await store.deleteBefore('2026-02-02', undefined, noNote);
  await store.deleteBefore('2026-02-02', SOURCE, noNote);

  expect(sent()).toEqual([
    `SELECT 'yes' FROM "log_events_compacted" WHERE event_time < TIMESTAMP '2026-02-02 00:00:00' LIMIT 1`,
    `SELECT DISTINCT cast(cast(event_time AS date) AS varchar) FROM "log_events_compacted" WHERE event_time < TIMESTAMP '2026-02-02 00:00:00' AND source_id = '${SOURCE}' ORDER BY 1`,
  ]);
});

test('days that lose rows of a source are noted before it deletes, or nothing is deleted', async () => {
  const days = { columns: ['day'], rows: [['2026-01-30'], ['2026-02-01']] };
  const { store, sent } = setUp((text) => (text.startsWith('SELECT DISTINCT') ? days : {}));
  const deletions = () => sent().filter((text) => text.startsWith('DELETE')).length;
  const noted: unknown[] = [];

  const refused = store.deleteBefore('2026-02-02', SOURCE, () => Promise.reject(new Error('no')));
  await expect(refused).rejects.toThrow('no');
  expect(deletions()).toBe(0);

  await store.deleteBefore('2026-02-02', SOURCE, async (days) => {
    noted.push(days, deletions());
  });
  expect(noted).toEqual([['2026-01-30', '2026-02-01'], 0]);
  expect(deletions()).toBe(1);
});

test('days of all sources go whole, and none is noted', async () => {
  const { store, sent } = setUp(() => ({ columns: ['yes'], rows: [['yes']] }));

  await store.deleteBefore('2026-02-02', undefined, () => Promise.reject(new Error('noted')));

  expect(sent().at(-1)).toBe(
    `DELETE FROM "log_events_compacted" WHERE event_time < TIMESTAMP '2026-02-02 00:00:00'`,
  );
});

test('OPTIMIZE rewrites any file that has deleted rows, be it a single one', async () => {
  const { store, sent } = setUp();

  await store.optimize('2026-02-01');
  await store.optimize('2026-02-02');

  const thresholds =
    "ALTER TABLE log_events_compacted SET TBLPROPERTIES ('optimize_rewrite_delete_file_threshold' = '1', 'optimize_rewrite_data_file_threshold' = '1')";
  const optimize = (day: string, next: string) =>
    `OPTIMIZE log_events_compacted REWRITE DATA USING BIN_PACK WHERE event_time >= TIMESTAMP '${day} 00:00:00' AND event_time < TIMESTAMP '${next} 00:00:00'`;
  expect(sent()).toEqual([
    thresholds,
    optimize('2026-02-01', '2026-02-02'),
    thresholds,
    optimize('2026-02-02', '2026-02-03'),
  ]);
});

/** How Athena says that it does not read a statement: at its start, or as its end. */
const REFUSALS = [
  ['at its start', 'line 1:68: mismatched input'],
  ['when it is analysed', 'NOT_SUPPORTED: only conditions on partitions'],
  ['when it is planned', 'Unexpected FilterNode found in plan; probably connector was not able'],
] as const;

test.each(REFUSALS)(
  'where a condition on the day is refused %s, one OPTIMIZE of all days does for the run',
  async (when, reason) => {
    const { athena, logger, store, sent } = setUp((text) => {
      if (!text.startsWith('OPTIMIZE') || !text.includes(' WHERE ')) return {};
      if (when === 'at its start') throw serviceError('InvalidRequestException', 400, reason);
      return failed(reason);
    });

    await store.optimize('2026-02-01');
    await store.optimize('2026-02-02');

    const optimizes = sent().filter((text) => text.startsWith('OPTIMIZE'));
    expect(optimizes).toEqual([
      expect.stringContaining(' WHERE event_time >= '),
      'OPTIMIZE log_events_compacted REWRITE DATA USING BIN_PACK',
    ]);
    expect(logger.at('warn')).toEqual([
      expect.objectContaining({ message: 'all days are optimized, as one day was refused' }),
    ]);
    expect(athena.calls.at(-1)).toBe('GetQueryExecution');
  },
);

test('where OPTIMIZE of all days fails too, every day of the run has failed with it', async () => {
  const { store, sent } = setUp((text) =>
    text.startsWith('OPTIMIZE') ? failed('line 1:1: mismatched input') : {},
  );

  for (const day of ['2026-02-01', '2026-02-02'])
    await expect(store.optimize(day)).rejects.toMatchObject({ code: 'query_failed' });

  expect(sent().filter((text) => text.startsWith('OPTIMIZE'))).toHaveLength(2);
});

test.each([
  'Query exhausted resources at this scale factor',
  'ICEBERG_COMMIT_ERROR: Failed to commit',
  'Access denied',
])('a day that fails for another reason is not made to read all days: %s', async (reason) => {
  const { store, sent } = setUp((text) => (text.startsWith('OPTIMIZE') ? failed(reason) : {}));

  await expect(store.optimize('2026-02-01')).rejects.toThrow();

  expect(sent().filter((text) => text.startsWith('OPTIMIZE'))).toHaveLength(1);
});

test('no name in what Athena reads by other grammars than Trino needs quotes', async () => {
  const { store, sent } = setUp();

  await store.prepare();
  await store.optimize('2026-02-01');
  await store.expireSnapshots();

  for (const text of sent()) expect(text).not.toMatch(/["`]/);
  const reserved = new Set([
    'date',
    'day',
    'hour',
    'interval',
    'order',
    'time',
    'timestamp',
    'user',
  ]);
  expect(COMPACTED_COLUMNS.filter(({ name }) => reserved.has(name))).toEqual([]);
  // One that begins with anything else needs quotes in Hive's grammar.
  expect(COMPACTED_COLUMNS.filter(({ name }) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

test('what asks to be run again without end fails, and is no success', async () => {
  const { store, sent } = setUp(() => failed('ICEBERG_VACUUM_MORE_RUNS_NEEDED'));

  await expect(store.expireSnapshots()).rejects.toMatchObject({ code: 'more_runs_needed' });

  expect(sent()).toHaveLength(20);
});

test('VACUUM is run again as often as it asks for', async () => {
  let runs = 0;
  const { store, sent } = setUp(() =>
    ++runs < 4 ? failed('ICEBERG_VACUUM_MORE_RUNS_NEEDED') : {},
  );

  await store.expireSnapshots();

  expect(sent()).toEqual(Array(4).fill('VACUUM log_events_compacted'));
});

test('days in a row are one condition, and long lists one range', () => {
  const tables = { landing: 'l', compacted: 'c' };
  const text = copySql(tables, HOUR, ['2026-02-02', '2026-02-01', '2026-02-04']);
  expect(text).toContain(
    `("timestamp" >= TIMESTAMP '2026-02-01 00:00:00' AND "timestamp" < TIMESTAMP '2026-02-03 00:00:00' OR "timestamp" >= TIMESTAMP '2026-02-04 00:00:00' AND "timestamp" < TIMESTAMP '2026-02-05 00:00:00')`,
  );

  const years = Array.from({ length: 5_000 }, (_, n) => dayOf(HOUR - n * 2 * 86_400_000));
  expect(missingDaysSql(tables, HOUR, years).length).toBeLessThan(50_000);
  // Athena takes 262,144 bytes.
  expect(copySql(tables, HOUR, years).length).toBeLessThan(100_000);
});

test('a source whose token is no UUID gets into no statement', async () => {
  const { store } = setUp();
  await expect(store.deleteBefore('2026-02-02', "x' OR 1=1", noNote)).rejects.toThrow('no UUID');
});
