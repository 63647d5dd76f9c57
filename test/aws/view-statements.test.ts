import { describe, expect, test } from 'vitest';
import { AthenaViewStatements } from '../../src/aws/view-statements.ts';
import { TestClock } from './support/clock.ts';
import { serviceError } from './support/failures.ts';
import { FakeAthena, type Plan } from './support/fake-athena.ts';
import { LogRecorder } from './support/log.ts';

function setUp(plan: Plan | readonly Plan[] = {}) {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const logger = new LogRecorder();
  const statements = new AthenaViewStatements({
    client: athena.client,
    workGroup: 'sluice-catalog',
    database: 'sluice',
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
  });
  const run = (text: string) => statements.run(text, clock.now() + 45_000);
  return { athena, clock, logger, run };
}

test('a statement runs in its workgroup and database, and is waited for', async () => {
  const { athena, run } = setUp({ before: ['QUEUED', 'RUNNING'] });

  await run('DROP VIEW IF EXISTS "a"');

  expect(athena.starts).toMatchObject([
    {
      QueryString: 'DROP VIEW IF EXISTS "a"',
      WorkGroup: 'sluice-catalog',
      QueryExecutionContext: { Database: 'sluice' },
    },
  ]);
  expect(athena.calls.filter((call) => call === 'GetQueryResults')).toEqual([]);
});

test('the same statement again is another execution: what it did may have been undone', async () => {
  const { athena, run } = setUp();

  await run('DROP VIEW IF EXISTS "a"');
  await run('DROP VIEW IF EXISTS "a"');

  expect(athena.executions).toBe(2);
});

test('Athena without capacity is waited out', async () => {
  const { athena, run } = setUp();
  athena.fail('StartQueryExecution', serviceError('TooManyRequestsException'));

  await run('DROP VIEW IF EXISTS "a"');

  expect(athena.executions).toBe(1);
});

describe('a statement that fails', () => {
  const reason = "line 1:15: Table 'awsdatacatalog.sluice.secret_name' already exists";

  test.each(['FAILED', 'CANCELLED'] as const)(
    'as %s is an error without Athena’s text',
    async (State) => {
      const { logger, run } = setUp({ end: { State, StateChangeReason: reason } });

      await expect(run('CREATE OR REPLACE VIEW "a" AS SELECT 1')).rejects.toMatchObject({
        code: 'query_failed',
        message: expect.not.stringContaining('secret_name'),
      });
      expect(logger.at('error')).toHaveLength(1);
      expect(logger.text).not.toContain('secret_name');
    },
  );

  test('to end in time is cancelled', async () => {
    const { athena, run } = setUp({ before: ['RUNNING'], endless: true });

    await expect(run('CREATE OR REPLACE VIEW "a" AS SELECT 1')).rejects.toMatchObject({
      code: 'query_timeout',
    });
    expect(athena.stopped).toHaveLength(1);
  });
});
