import { describe, expect, test } from 'vitest';
import { AthenaEngine } from '../../../src/platform/athena/athena-engine.ts';
import { RetryableFailure } from '../../../src/platform/execution.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { serviceError } from '../../support/aws/failures.ts';
import { FakeAthena, type Plan } from '../../support/aws/fake-athena.ts';
import { LogRecorder } from '../../support/aws/log.ts';

const QUERY = { text: 'SELECT 1', token: 'b'.repeat(64) };

/** An account, and engines of as many processes as a test wants. */
function account(plan: Plan | readonly Plan[] = {}) {
  const clock = new TestClock();
  const athena = new FakeAthena(clock, plan);
  const process = () =>
    new AthenaEngine({
      client: athena.client,
      workGroup: 'sluice-api',
      database: 'sluice',
      clock,
      logger: new LogRecorder(),
      sleep: clock.sleep,
      random: () => 0.5,
    });
  /** Callers who wait so many seconds. */
  const within = (seconds: number) => ({ until: clock.now() + seconds * 1_000 });
  return { clock, athena, process, within };
}

describe('an execution', () => {
  test('is collected by its id in any process', async () => {
    const { athena, process, within } = account({ before: ['QUEUED', 'RUNNING'], rows: [['1']] });
    const id = await process().start(QUERY, within(25));

    const results = await Promise.all([
      process().collect(id, 1, within(25)),
      process().collect(id, 1, within(25)),
    ]);

    expect(results.map(({ rows }) => rows)).toEqual([[['1']], [['1']]]);
    expect(athena.executions).toBe(1);
  });

  test('is the same for equal tokens', async () => {
    const { athena, process, within } = account();

    const ids = await Promise.all([
      process().start(QUERY, within(25)),
      process().start(QUERY, within(25)),
    ]);

    expect(new Set(ids).size).toBe(1);
    expect(athena.executions).toBe(1);
  });

  test('is never that of another text', async () => {
    const { process, within } = account();
    await process().start(QUERY, within(25));

    const wrong = process().start({ ...QUERY, text: 'SELECT 2' }, within(25));

    await expect(wrong).rejects.toMatchObject({ code: 'query_failed' });
  });

  test('goes on when its callers have gone', async () => {
    const { athena, clock, process, within } = account({ before: Array(20).fill('RUNNING') });
    const id = await process().start(QUERY, within(25));
    const { until } = within(2);

    await expect(process().collect(id, 1, { until })).rejects.toMatchObject({
      code: 'query_timeout',
    });

    expect(clock.now()).toBe(until);
    expect(athena.stopped).toEqual([]);
    expect((await process().collect(id, 1, within(60))).rows).toEqual([]);
  });

  test('is waited for as long as a caller does who comes later', async () => {
    const { clock, process, within } = account({ before: Array(20).fill('RUNNING') });
    const id = await process().start(QUERY, within(25));
    const [first, second] = [within(2), within(60)];
    const come = clock.now() + 1_000;

    const { rows } = await process().collect(id, 1, {
      get until() {
        return clock.now() < come ? first.until : second.until;
      },
    });

    expect(rows).toEqual([]);
  });

  test('says what it does meanwhile', async () => {
    const { process, within } = account({ before: ['QUEUED', 'RUNNING', 'RUNNING'] });
    const id = await process().start(QUERY, within(25));
    const told: string[] = [];

    await process().collect(id, 1, { ...within(25), tell: (state) => void told.push(state) });

    expect(told).toEqual(['queued', 'running', 'running']);
  });

  test.each([
    { State: 'CANCELLED' },
    { State: 'FAILED', AthenaError: { Retryable: true } },
  ] as const)('that ended by chance is known by that: $State', async (end) => {
    const { process, within } = account({ end });
    const id = await process().start(QUERY, within(25));

    const failed = process().collect(id, 1, within(25));

    await expect(failed).rejects.toBeInstanceOf(RetryableFailure);
  });

  test.each([
    { State: 'FAILED', StateChangeReason: 'SYNTAX_ERROR' },
    { State: 'CANCELLED', StateChangeReason: 'Bytes scanned limit was exceeded' },
  ] as const)('that would end the same again is known by that: $State', async (end) => {
    const { process, within } = account({ end });
    const id = await process().start(QUERY, within(25));

    const failed = process().collect(id, 1, within(25));

    await expect(failed).rejects.not.toBeInstanceOf(RetryableFailure);
  });

  test('that is not told of is no failure of the query', async () => {
    const { athena, process, within } = account();
    const id = await process().start(QUERY, within(25));
    athena.fail('GetQueryExecution', ...Array(500).fill(serviceError('ThrottlingException')));

    const failed = process().collect(id, 1, within(25));

    await expect(failed).rejects.toMatchObject({ code: 'query_timeout' });
  });
});
