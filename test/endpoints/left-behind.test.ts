import { describe, expect, it, vi } from 'vitest';
import { LeftRuns } from '../../src/endpoints/left-runs.ts';
import { ResultStore } from '../../src/endpoints/result-store.ts';
import { serviceError } from '../support/aws/failures.ts';
import type { FakeAthena, Plan } from '../support/aws/fake-athena.ts';
import { openAccount, SUCCEEDED } from './account.ts';
import { cacheTable, eventually, freshEndpoint } from './support.ts';

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
  ['caches', 600, 'hit'],
  ['does not cache', 0, 'off'],
] as const)('a run that its caller left behind, at an endpoint that %s', (_, duration, state) => {
  const endpoint = () => freshEndpoint({ cache_duration_seconds: duration });

  it('answers the next call from the cache once its end was heard of', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { error, id } = await leave(of);
    expect(error).toMatchObject({ code: 'query_timeout', status: 504 });

    current.plan = SUCCEEDED;
    time.advance(35);
    expect(await finisher().finish(id)).toBe('kept');

    time.advance(10);
    expect(await start().call(of)).toEqual({ n: 7, cache: state, age: 10 });
    expect(athena.executions).toBe(1);
    expect(reads(athena)).toBe(1);
  });

  it('is finished once, however often its end is heard of', async () => {
    const { time, athena, current, records, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);

    expect(await finisher().finish(id)).toBe('kept');
    expect(await finisher().finish(id)).toBe('unknown');

    expect(reads(athena)).toBe(1);
    expect(records.filter(({ origin }) => origin === 'left')).toHaveLength(1);
    expect(await start().call(of)).toMatchObject({ n: 7 });
  });

  it('is finished to the same rows when its end is heard of twice at once', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);

    await Promise.all([finisher().finish(id), finisher().finish(id)]);

    expect(await start().call(of)).toMatchObject({ n: 7, cache: state });
    expect(athena.executions).toBe(1);
  });

  it('is picked up by the next call when its end is never heard of', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);

    expect(await start().call(of)).toMatchObject({ n: 7 });

    expect(athena.executions).toBe(1);
  });

  it('is picked up with its own statement, should that be another by now', async () => {
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

  it('is picked up by compiling it again when it could not be noted', async () => {
    const { time, athena, current, start, leave } = account();
    const of = endpoint();
    vi.spyOn(LeftRuns.prototype, 'note').mockResolvedValueOnce(false);
    await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);

    expect(await start().call(of)).toMatchObject({ n: 7 });

    expect(athena.executions).toBe(1);
  });

  it('needs no finishing once a caller has picked it up', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);
    await start().call(of);

    expect(await finisher().finish(id)).toBe('unknown');

    expect(reads(athena)).toBe(1);
  });

  it('that failed tells the next caller why, and the one after runs anew', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = failed('Query exhausted resources at this scale factor');
    time.advance(35);

    expect(await finisher().finish(id)).toBe('failed');

    await expect(start().call(of)).rejects.toMatchObject({
      code: 'query_too_large',
      message: expect.stringContaining('more memory'),
    });
    expect(athena.executions).toBe(1);
    current.plan = SUCCEEDED;
    expect(await start().call(of)).toMatchObject({ n: 7, age: 0 });
    expect(athena.executions).toBe(2);
  });

  it('that failed by chance runs anew for the next caller', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = failed('Internal error', true);
    time.advance(35);
    await finisher().finish(id);
    current.plan = SUCCEEDED;

    expect(await start().call(of)).toMatchObject({ n: 7, age: 0 });

    expect(athena.executions).toBe(2);
  });

  it('leaves rows that are too large to be kept to the next caller', async () => {
    const { time, athena, current, start, leave, finisher } = account();
    const of = endpoint();
    const { id } = await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);
    const { finish, results } = finisher();
    vi.spyOn(ResultStore.prototype, 'write').mockResolvedValueOnce(false);

    expect(await finish(id)).toBe('too_large');

    expect(await results.left.find(id)).toMatchObject({ counted: true });
    expect(await start().call(of)).toMatchObject({ n: 7 });
    expect(athena.executions).toBe(1);
  });

  it('that Athena tries again by itself is not finished yet', async () => {
    const { current, leave, finisher } = account();
    const { id } = await leave(endpoint());
    current.plan = QUEUED;
    expect(await finisher().finish(id)).toBe('goes_on');

    current.plan = SUCCEEDED;
    expect(await finisher().finish(id)).toBe('kept');
  });

  it('brings its rows to its caller when it ends as the time is up', async () => {
    const { time, athena, current, start, finisher } = account();
    const of = endpoint();
    const { call } = start();
    const answer = call(of);
    await eventually(() => expect(athena.calls).toContain('GetQueryExecution'));
    // Its end is heard of before anybody has left it.
    current.plan = SUCCEEDED;
    expect(await finisher().finish(athena.latest)).toBe('unknown');

    time.advance(25);

    expect(await answer).toMatchObject({ n: 7 });
  });
});

describe('finishing a run', () => {
  it('does not care for runs that nobody left behind', async () => {
    const { athena, finisher } = account();

    expect(await finisher().finish('of-an-analyst')).toBe('unknown');

    expect(athena.calls).toEqual([]);
  });

  it('waits out throttling', async () => {
    const { time, athena, current, leave, finisher } = account();
    const { id } = await leave(freshEndpoint());
    current.plan = SUCCEEDED;
    time.advance(35);
    athena.fail('GetQueryExecution', serviceError('ThrottlingException'));
    athena.fail('GetQueryResults', serviceError('ThrottlingException'));

    expect(await finisher().finish(id)).toBe('kept');
  });

  it('gives up when throttling does not pass, and can be called again', async () => {
    const { time, athena, current, leave, finisher } = account();
    const { id } = await leave(freshEndpoint());
    current.plan = SUCCEEDED;
    time.advance(35);
    const throttled = Array.from({ length: 200 }, () => serviceError('ThrottlingException'));
    athena.fail('GetQueryResults', ...throttled);
    const { finish, results } = finisher();

    await expect(finish(id)).rejects.toMatchObject({ code: 'query_timeout' });

    expect(await results.left.find(id)).toMatchObject({ id });
  });

  it('records what the run cost, for whoever had called', async () => {
    const { time, current, records, leave, finisher } = account();
    const of = freshEndpoint();
    const { id } = await leave(of);
    current.plan = SUCCEEDED;
    time.advance(35);

    await finisher().finish(id);

    expect(records).toEqual([
      {
        endpoint: of.name,
        endpoint_token: of.token,
        language: 'none',
        origin: 'call',
        status_code: 504,
        error_code: 'query_timeout',
      },
      {
        endpoint: of.name,
        endpoint_token: of.token,
        language: 'none',
        origin: 'left',
        status_code: 200,
        cache: 'miss',
        compile_ms: 0,
        rows: 1,
        bytes_scanned: 25_000_000,
        cost_usd: 0.000125,
        queue_ms: 40,
        engine_ms: 60_000,
      },
    ]);
  });
});

describe('a caller whose time is up', () => {
  it('is told that the query waits in the queue', async () => {
    const { leave } = account(QUEUED);

    const { error } = await leave(freshEndpoint());

    expect(error).toMatchObject({
      code: 'query_queued',
      status: 504,
      retryAfterSeconds: 15,
      message: expect.stringContaining('free place'),
    });
  });

  it('is told that the engine takes no queries', async () => {
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
