import { GetQueryExecutionCommand } from '@aws-sdk/client-athena';
import { describe, expect, test, vi } from 'vitest';
import { serviceError } from '../../support/aws/failures.ts';
import type { FakeAthena, Plan } from '../../support/aws/fake-athena.ts';
import { openAccount, SUCCEEDED } from '../account.ts';
import { cacheTable, eventually, freshEndpoint } from '../support.ts';

const table = cacheTable();

const QUEUED: Plan = { before: ['QUEUED'], endless: true };
const failed = (reason: string, retryable = false): Plan => ({
  end: {
    State: 'FAILED',
    StateChangeReason: reason,
    AthenaError: { Retryable: retryable },
  },
});

const account = (plan?: Plan) => openAccount(table, plan);

const reads = (athena: FakeAthena) =>
  athena.calls.filter((operation) => operation === 'GetQueryResults').length;

describe.each([
  ['caches', 600, 'miss'],
  ['does not cache', 0, 'off'],
] as const)('an execution that its caller left, at an endpoint that %s', (_, duration, state) => {
  const endpoint = () => freshEndpoint({ cache_duration_seconds: duration });

  test('answers the next call, and its rows are as old as its end', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    const { error, id } = await leave(of);
    expect(error).toMatchObject({ code: 'query_timeout', status: 504 });
    current.plan = SUCCEEDED;
    await athena.client.send(new GetQueryExecutionCommand({ QueryExecutionId: id }));

    time.advance(35);

    expect(await start().call(of)).toEqual({ n: 7, cache: state, age: 35 });
    expect(athena.executions).toBe(1);
    expect(reads(athena)).toBe(1);
  });

  test('answers each of those who wait for it in other processes', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    await leave(of);
    time.advance(35);
    const polls = athena.calls.length;
    const calls = [start().call(of), start().call(of), start().call(of)];
    await eventually(() => expect(athena.calls.length).toBeGreaterThanOrEqual(polls + 3));

    current.plan = SUCCEEDED;
    time.advance(1);

    expect((await Promise.all(calls)).map(({ n }) => n)).toEqual([7, 7, 7]);
    expect(athena.executions).toBe(1);
  });

  test('is not compiled again, should its statement be another by now', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);
    const { call, compiler } = start();
    const moved = vi.spyOn(compiler, 'compile').mockReturnValue({
      text: 'select of what was compacted meanwhile',
      columns: [],
      warnings: [],
      sources: [],
      scans: [],
    });

    expect(await call(of)).toMatchObject({ n: 7 });

    expect(athena.executions).toBe(1);
    expect(moved).not.toHaveBeenCalled();
    time.advance(1_200);
    await call(of);
    expect(athena.starts.at(-1)?.QueryString).toBe('select of what was compacted meanwhile');
  });

  test('that failed tells the next caller why, and the one after runs anew', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    await leave(of);
    current.plan = failed('Query exhausted resources at this scale factor');
    time.advance(35);

    await expect(start().call(of)).rejects.toMatchObject({
      code: 'query_too_large',
      message: expect.stringContaining('more memory'),
    });

    expect(athena.executions).toBe(1);
    current.plan = SUCCEEDED;
    expect(await start().call(of)).toMatchObject({ n: 7, age: 0 });
    expect(athena.executions).toBe(2);
  });

  test('that failed by chance runs anew for the next caller', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = failed('Internal error', true);
    await athena.client.send(new GetQueryExecutionCommand({ QueryExecutionId: id }));
    current.plan = SUCCEEDED;
    time.advance(35);

    expect(await start().call(of)).toMatchObject({ n: 7, age: 0 });

    expect(athena.executions).toBe(2);
  });

  test('can be left again', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    await leave(of);
    time.advance(20);
    const second = start().call(of);
    const refused = expect(second).rejects.toMatchObject({ code: 'query_timeout' });
    const polls = athena.calls.length;
    await eventually(() => expect(athena.calls.length).toBeGreaterThan(polls));
    time.advance(25);
    await refused;

    current.plan = SUCCEEDED;

    expect(await start().call(of)).toMatchObject({ n: 7 });
    expect(athena.executions).toBe(1);
  });
});

test('the warmer collects an execution that a caller left', async () => {
  const { time, athena, records, current, start, leave } = account(SUCCEEDED);
  const of = freshEndpoint({ cache_duration_seconds: 600, proactive_requerying_seconds: 300 });
  await start().call(of);
  current.plan = { before: ['RUNNING'], endless: true };
  time.advance(600);
  await leave(of);
  current.plan = { ...SUCCEEDED, rows: [['8']] };

  expect(await start().warm(of)).toMatchObject({ refreshed: 1, failed: 0 });

  expect(await start().call(of)).toMatchObject({ n: 8, cache: 'hit' });
  expect(athena.executions).toBe(2);
  expect(records.filter(({ bytes_scanned }) => bytes_scanned !== undefined)).toMatchObject([
    { origin: 'call' },
    { origin: 'warmer' },
  ]);
});

describe('a caller whose time is up', () => {
  test('is told that the query waits in the queue', async () => {
    const { leave } = account(QUEUED);

    const { error } = await leave(freshEndpoint());

    expect(error).toMatchObject({
      code: 'query_queued',
      status: 504,
      retryAfterSeconds: 15,
      message: expect.stringContaining('free place'),
    });
  });

  test('is told that the engine takes no queries', async () => {
    const { time, athena, start } = account();
    const throttled = Array.from({ length: 200 }, () => serviceError('TooManyRequestsException'));
    athena.fail('StartQueryExecution', ...throttled);
    const refused = expect(start().call(freshEndpoint())).rejects.toMatchObject({
      code: 'engine_throttled',
      status: 503,
      retryAfterSeconds: 15,
    });
    await eventually(() => expect(athena.starts).toHaveLength(1));

    time.advance(25);

    await refused;
    expect(athena.executions).toBe(0);
  });
});
