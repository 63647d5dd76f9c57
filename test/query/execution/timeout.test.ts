import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { ExecutionGoesOn } from '../../../src/platform/execution.ts';
import {
  cacheTable,
  eventually,
  freshEndpoint,
  ScriptedEngine,
  startProcess,
  TestTime,
  waitThrough,
} from '../support.ts';

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
    const call = process.call(of);
    const refused = expect(call).rejects.toMatchObject({
      code: 'query_timeout',
      status: 504,
      message: expect.stringContaining('goes on'),
    });
    await process.engine.started(calls + 1);
    time.advance(25);
    await refused;
    return { run, of };
  }

  test('goes on, and the next identical call gets its rows without running', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    run.end([['7']]);
    time.advance(20);
    expect(await process.call(of)).toMatchObject({ n: 7 });
    expect(process.engine.queries).toHaveLength(1);
  });

  test('is joined by an identical call while it goes on', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    const again = process.call(of);
    time.advance(10);
    run.end([['7']]);
    expect(await again).toMatchObject({ n: 7 });
    expect(process.engine.queries).toHaveLength(1);
  });

  test('gives a call in another process its rows', async () => {
    const time = new TestTime();
    const engine = new ScriptedEngine({ durable: true });
    const { run, of } = await timeOut(startProcess(table, time, engine), time);
    time.advance(5);
    run.end([['7']]);
    expect(await startProcess(table, time, engine).call(of)).toMatchObject({ n: 7 });
    expect(engine.queries).toHaveLength(1);
  });

  test('runs anew when its process, and it with it, has died', async () => {
    const time = new TestTime();
    const { of } = await timeOut(startProcess(table, time), time);
    const other = startProcess(table, time);
    expect(await other.call(of)).toMatchObject({ n: 1 });
  });

  test('is not taken over once it is ten minutes old', async () => {
    const time = new TestTime();
    const engine = new ScriptedEngine({ durable: true });
    const { of } = await timeOut(startProcess(table, time, engine), time);
    time.advance(600);
    engine.answerWith(async () => [['8']]);
    const later = startProcess(table, time, engine).call(of);
    await waitThrough(time, later);
    expect(await later).toMatchObject({ n: 8 });
    expect(engine.queries[1]?.token).not.toBe(engine.queries[0]?.token);
  });

  test('is ended when a caller still waits for it after ten minutes', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { of } = await timeOut(process, time);
    time.advance(565);
    const collect = vi.spyOn(process.engine, 'collect');
    const late = process.call(of);
    const refused = expect(late).rejects.toMatchObject({ code: 'query_timeout' });
    await eventually(() => expect(collect).toHaveBeenCalled());
    time.advance(10);
    await refused;
    expect(process.engine.cancelled).toEqual([process.engine.queries[0]?.token]);
  });

  test('tells the next caller how it failed, and the one after runs anew', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    const { run, of } = await timeOut(process, time);
    run.end(new ServiceError('query_failed', 502, 'The engine failed.'));
    await expect(process.call(of)).rejects.toMatchObject({ code: 'query_failed' });
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(of)).toMatchObject({ n: 8, age: 0 });
    expect(process.engine.queries[1]?.token).not.toBe(process.engine.queries[0]?.token);
  });

  test('can be waited for again and again', async () => {
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
  test('gives its rows to one later call only, where nothing is cached', async () => {
    const time = new TestTime();
    const process = startProcess(table, time, new ScriptedEngine({ durable: true }));
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    const run = process.engine.hold();
    const refused = expect(process.call(of)).rejects.toMatchObject({ code: 'query_timeout' });
    await process.engine.started(1);
    time.advance(25);
    await refused;
    run.end([['7']]);
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(of)).toMatchObject({ n: 7, cache: 'off' });
    expect(await process.call(of)).toMatchObject({ n: 8, cache: 'off' });
  });

  test('is left also where the engine saw first that the time was up', async () => {
    const process = startProcess(table, new TestTime(), new ScriptedEngine({ durable: true }));
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    vi.spyOn(process.engine, 'collect').mockRejectedValueOnce(new ExecutionGoesOn());

    await expect(process.call(of)).rejects.toThrow('Send the same request again');

    expect(await process.call(of)).toMatchObject({ n: 1 });
    expect(process.engine.queries).toHaveLength(1);
  });

  test('is covered by rows that are not too stale', async () => {
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

  test('goes on for half a minute after its caller was told to come again', async () => {
    const time = new TestTime();
    const process = startProcess(table, time);
    process.engine.hold();
    const refused = expect(process.call(of())).rejects.toMatchObject({
      code: 'query_timeout',
      message: expect.stringContaining('30 more'),
    });
    await process.engine.started(1);
    time.advance(25);
    await refused;

    expect(process.engine.queries[0]?.keepMs).toBe(30_000);
    expect(process.engine.cancelled).toEqual([]);
  });

  test('ends when its only caller hangs up, and the next one has a run of its own', async () => {
    const process = startProcess(table, new TestTime());
    const endpoint = of();
    process.engine.hold();
    const gone = new AbortController();
    const call = process.runner.run(endpoint, { input: {}, redact: false, gone: gone.signal });
    const refused = expect(call).rejects.toMatchObject({ code: 'query_timeout' });
    await process.engine.started(1);
    await new Promise(setImmediate);

    gone.abort();
    await refused;

    expect(process.engine.cancelled).toHaveLength(1);
    process.engine.answerWith(async () => [['8']]);
    expect(await process.call(endpoint)).toMatchObject({ n: 8 });
    expect(process.engine.queries).toHaveLength(2);
  });

  test('counts for the key that asks, or for the endpoint where none is needed', async () => {
    const process = startProcess(table, new TestTime());
    const endpoint = of();

    await process.runner.run(endpoint, { input: {}, redact: false, keyId: 'key-1' });
    await process.call(endpoint);

    const callers = process.engine.queries.map(({ caller }) => caller);
    expect(callers).toEqual(['key-1', endpoint.token]);
  });
});
