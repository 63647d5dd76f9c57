import { describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/platform/errors.ts';
import { cacheTable, eventually, freshEndpoint, startProcess, TestTime } from './support.ts';

const table = cacheTable();

describe.each([
  ['caches', 600],
  ['does not cache', 0],
])('a query past 25 seconds, at an endpoint that %s', (_what, duration) => {
  const start = () => freshEndpoint({ cache_duration_seconds: duration });

  /** Calls, and lets the caller give up while the engine is held. */
  async function timeOut(process: ReturnType<typeof startProcess>, time: TestTime, of = start()) {
    const run = process.engine.hold();
    const calls = process.engine.queries.length;
    const leave = vi.spyOn(process.results.leases, 'leave');
    const call = process.call(of);
    const refused = expect(call).rejects.toMatchObject({
      code: 'query_timeout',
      status: 504,
      message: expect.stringContaining('goes on'),
    });
    await process.engine.started(calls + 1);
    time.advance(25);
    await refused;
    expect(leave).toHaveBeenCalledTimes(1);
    return { run, of };
  }

  it('goes on, and the next identical call gets its rows without running', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    const write = vi.spyOn(process.results, 'write');
    run.end([['7']]);
    await eventually(() => expect(write).toHaveResolvedTimes(1));
    time.advance(30);
    expect(await process.call(of)).toMatchObject({ n: 7, age: 30 });
    expect(process.engine.queries).toHaveLength(1);
  });

  it('is joined by an identical call while it goes on', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    const again = process.call(of);
    time.advance(10);
    run.end([['7']]);
    expect(await again).toMatchObject({ n: 7 });
    expect(process.engine.queries).toHaveLength(1);
  });

  it('gives a call in another process the finished rows', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    const write = vi.spyOn(process.results, 'write');
    run.end([['7']]);
    await eventually(() => expect(write).toHaveResolvedTimes(1));
    const other = startProcess(table, time);
    expect(await other.call(of)).toMatchObject({ n: 7 });
    expect(other.engine.queries).toEqual([]);
  });

  it('is taken over by another process under the same token, when its own is frozen', async () => {
    const time = new TestTime();
    const frozen = startProcess(table, time);
    const { of } = await timeOut(frozen, time);
    time.advance(5);
    const other = startProcess(table, time);
    other.engine.answerWith(async () => [['7']]);
    expect(await other.call(of)).toMatchObject({ n: 7 });
    const statements = ({ engine }: typeof other) =>
      engine.queries.map(({ token, text, deadline }) => ({ token, text, deadline }));
    expect(statements(other)).toEqual(statements(frozen));
  });

  it('is not taken over once it is ten minutes old', async () => {
    const time = new TestTime();
    const frozen = startProcess(table, time);
    const { of } = await timeOut(frozen, time);
    time.advance(600);
    const other = startProcess(table, time);
    await other.call(of);
    expect(other.engine.queries[0]?.token).not.toBe(frozen.engine.queries[0]?.token);
  });

  it('is not waited for once it is ten minutes old', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { of } = await timeOut(process, time);
    time.advance(600);
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(of)).toMatchObject({ n: 8 });
  });

  it('runs anew after it has failed unseen, and the failure is logged', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    run.end(new ServiceError('query_failed', 502, 'The engine failed.'));
    await eventually(() =>
      expect(process.lines).toMatchObject([
        { level: 'warn', message: 'a query failed after its callers had gone' },
      ]),
    );
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(of)).toMatchObject({ n: 8, age: 0 });
    expect(process.engine.queries[1]?.token).not.toBe(process.engine.queries[0]?.token);
  });

  it('can be waited for again and again', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    const second = process.call(of);
    const refused = expect(second).rejects.toMatchObject({ code: 'query_timeout' });
    // The call reads the store before it waits; the deadline counts from its arrival all the same.
    time.advance(25);
    await refused;
    const third = process.call(of);
    run.end([['7']]);
    expect(await third).toMatchObject({ n: 7 });
    expect(process.engine.queries).toHaveLength(1);
  });
});

describe('a query past 25 seconds', () => {
  it('gives its rows to one later call only, where nothing is cached', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    const run = process.engine.hold();
    const write = vi.spyOn(process.results, 'write');
    const refused = expect(process.call(of)).rejects.toMatchObject({ code: 'query_timeout' });
    await process.engine.started(1);
    time.advance(25);
    await refused;
    run.end([['7']]);
    await eventually(() => expect(write).toHaveResolvedTimes(1));
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(of)).toMatchObject({ n: 7, cache: 'off' });
    expect(await process.call(of)).toMatchObject({ n: 8, cache: 'off' });
  });

  it('is covered by rows that are not too stale', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await process.call(of);
    time.advance(60);
    process.engine.hold();
    const call = process.call(of);
    await process.engine.started(2);
    time.advance(25);
    expect(await call).toEqual({ n: 1, cache: 'stale', age: 85 });
  });
});

describe('a run on a laptop, where nothing is cached', () => {
  const of = () => freshEndpoint({ cache_duration_seconds: 0 });

  /** Has a call wait for its 25 seconds, with the engine held and heeding what it is told. */
  function startHeld() {
    const time = new TestTime();
    const process = startProcess(table, time);
    process.engine.answerWith(
      (_run, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () =>
            reject(new ServiceError('query_timeout', 504, 'The run was ended.')),
          );
        }),
    );
    const ended = (run = 0) => process.engine.queries[run]?.signal?.aborted;
    return { time, process, ended };
  }

  it('ends half a minute after its caller was told to come again', async () => {
    const { time, process, ended } = startHeld();
    const refused = expect(process.call(of())).rejects.toMatchObject({
      code: 'query_timeout',
      message: expect.stringContaining('30 more'),
    });
    await process.engine.started(1);
    time.advance(25);
    await refused;

    time.advance(29);
    expect(ended()).toBe(false);
    time.advance(1);

    await eventually(() => expect(ended()).toBe(true));
  });

  it('goes on while a caller has come again', async () => {
    const { time, process, ended } = startHeld();
    const endpoint = of();
    const first = expect(process.call(endpoint)).rejects.toMatchObject({ code: 'query_timeout' });
    await process.engine.started(1);
    time.advance(25);
    await first;

    time.advance(20);
    const second = process.call(endpoint);
    const refused = expect(second).rejects.toMatchObject({ code: 'query_timeout' });
    // Past the half minute of the first.
    time.advance(15);
    expect(ended()).toBe(false);
    time.advance(10);
    await refused;

    expect(process.engine.queries).toHaveLength(1);
  });

  it('ends when its only caller hangs up, and the next one has a run of its own', async () => {
    const { process, ended } = startHeld();
    const endpoint = of();
    const gone = new AbortController();
    const call = process.runner.run(endpoint, { input: {}, redact: false, gone: gone.signal });
    const refused = expect(call).rejects.toMatchObject({ code: 'query_timeout' });
    await process.engine.started(1);

    gone.abort();
    await refused;

    expect(ended()).toBe(true);
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(endpoint)).toMatchObject({ n: 8 });
    expect(process.engine.queries).toHaveLength(2);
  });

  it('counts for the key that asks, or for the endpoint where none is needed', async () => {
    const process = startProcess(table, new TestTime());
    const endpoint = of();

    await process.runner.run(endpoint, { input: {}, redact: false, keyId: 'key-1' });
    await process.call(endpoint);

    const callers = process.engine.queries.map(({ caller }) => caller);
    expect(callers).toEqual(['key-1', endpoint.token]);
  });
});
