import { expect, test } from 'vitest';
import { AthenaDdlRunner } from '../../../src/platform/athena/athena-ddl.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { serviceError } from '../../support/aws/failures.ts';
import { FakeAthena, type Plan } from '../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../support/aws/log.ts';

const TOKEN = 'a'.repeat(64);

function setUp(plan: Plan | readonly Plan[] = {}) {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const logger = new LogRecorder();
  const statements = new AthenaDdlRunner({
    client: athena.client,
    workGroup: 'sluice-compaction',
    database: 'sluice',
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
  });
  const run = (withinMs = 60_000) =>
    statements.run({
      text: 'INSERT INTO t SELECT 1',
      token: TOKEN,
      deadline: clock.now() + withinMs,
    });
  return { clock, athena, logger, run };
}

test('a statement is started under its token and waited for', async () => {
  const { athena, logger, run } = setUp({
    before: ['QUEUED', 'RUNNING'],
    statistics: { DataScannedInBytes: 7 },
  });

  await run();

  expect(athena.starts).toEqual([
    {
      QueryString: 'INSERT INTO t SELECT 1',
      ClientRequestToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      WorkGroup: 'sluice-compaction',
      QueryExecutionContext: { Database: 'sluice' },
    },
  ]);
  expect(logger.at('info')).toMatchObject([
    { message: 'athena statement done', fields: { bytesScanned: 7 } },
  ]);
});

test('past the deadline it goes on, and the next call waits for the same execution', async () => {
  const { athena, run } = setUp({ before: Array<'RUNNING'>(20).fill('RUNNING') });

  await expect(run(10_000)).rejects.toMatchObject({ code: 'query_timeout' });
  expect(athena.stopped).toEqual([]);
  await run(600_000);

  expect(athena.executions).toBe(1);
});

test('a statement that has succeeded before is not run again', async () => {
  const { athena, run } = setUp();

  await run();
  await run();

  expect(athena.executions).toBe(1);
});

test('a failure is told once, and the next call starts another execution', async () => {
  const { clock, athena, logger, run } = setUp([
    { end: { State: 'FAILED', StateChangeReason: "secret 'value' in it" } },
    { end: { State: 'CANCELLED' } },
    {},
  ]);

  await expect(run()).rejects.toMatchObject({ code: 'query_failed' });
  expect(logger.at('error')).toHaveLength(1);
  expect(logger.text).not.toContain('value');
  clock.advance(1);
  await expect(run()).rejects.toMatchObject({ code: 'query_failed' });
  clock.advance(1);
  await run();

  expect(athena.executions).toBe(3);
});

test('an engine that is busy is asked again until the deadline', async () => {
  const { athena, run } = setUp();
  athena.fail('StartQueryExecution', serviceError('TooManyRequestsException'));
  await run();
  athena.fail(
    'StartQueryExecution',
    ...Array.from({ length: 100 }, () => serviceError('TooManyRequestsException')),
  );

  await expect(run(5_000)).rejects.toMatchObject({ code: 'engine_throttled' });
});

test.each(['ICEBERG_VACUUM_MORE_RUNS_NEEDED', 'ICEBERG_OPTIMIZE_MORE_RUNS_NEEDED'])(
  '%s is not an error but a request for another run',
  async (reason) => {
    const { logger, run } = setUp({
      end: { State: 'FAILED', StateChangeReason: `${reason}: remove more files` },
    });

    await expect(run()).rejects.toMatchObject({ code: 'more_runs_needed' });
    expect(logger.at('error')).toEqual([]);
  },
);
