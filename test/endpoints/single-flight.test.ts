import { describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../../src/catalog/types.ts';
import { planKey } from '../../src/endpoints/call-plan.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { cacheTable, eventually, freshEndpoint, startProcess, TestTime } from './support.ts';

const table = cacheTable();

const keyOf = (of: Endpoint) =>
  planKey({ endpoint: of, composed: [], consumer: undefined, parameters: {} });

describe('identical calls at the same time', () => {
  it('share one run within a process', async () => {
    const { call, engine } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    const run = engine.hold();
    const calls = [call(of), call(of), call(of)];
    await engine.started(1);
    run.end([['7']]);
    expect((await Promise.all(calls)).map(({ n }) => n)).toEqual([7, 7, 7]);
    expect(engine.queries).toHaveLength(1);
  });

  it('share its failure, and the next call runs again', async () => {
    const { call, engine } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    const run = engine.hold();
    const calls = Promise.allSettled([call(of), call(of)]);
    await engine.started(1);
    run.end(new ServiceError('query_failed', 502, 'The engine failed.'));
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    engine.answerWith(async () => [['8']]);
    expect(await call(of)).toMatchObject({ n: 8 });
  });

  it('share one run between processes', async () => {
    const time = new TestTime();
    const [first, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint();
    const run = first.engine.hold();
    const ran = first.call(of);
    await first.engine.started(1);
    const acquire = vi.spyOn(second.results.leases, 'acquire');
    const waited = second.call(of);
    await eventually(() => expect(acquire).toHaveResolvedTimes(1));
    run.end([['7']]);
    expect(await ran).toEqual({ n: 7, cache: 'miss', age: 0 });
    await waitThrough(time, waited);
    expect(await waited).toMatchObject({ n: 7, cache: 'hit' });
    expect(second.engine.queries).toEqual([]);
  });

  it('keep their lease while the run goes on', async () => {
    const time = new TestTime();
    const [first, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint();
    const run = first.engine.hold();
    const ran = first.call(of);
    await first.engine.started(1);
    const renew = vi.spyOn(first.results.leases, 'renew');
    for (let renewals = 1; renewals <= 5; renewals++) {
      time.advance(3);
      await eventually(() => expect(renew).toHaveResolvedTimes(renewals));
      expect(await second.results.leases.acquire(keyOf(of))).toBeUndefined();
    }
    run.end([['7']]);
    expect(await ran).toMatchObject({ n: 7 });
  });

  it('give the key to the next process when a run fails', async () => {
    const time = new TestTime();
    const [first, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint();
    const run = first.engine.hold();
    const failed = first.call(of);
    await first.engine.started(1);
    const waiting = second.call(of);
    run.end(new ServiceError('query_failed', 502, 'The engine failed.'));
    await expect(failed).rejects.toThrow('The engine failed.');
    await waitThrough(time, waiting);
    expect(await waiting).toMatchObject({ n: 1, cache: 'miss' });
  });

  it('take over the run of a process that crashed, under the same token', async () => {
    const time = new TestTime();
    const [crashed, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint();
    crashed.engine.hold();
    vi.spyOn(crashed.results.leases, 'renew').mockReturnValue(new Promise(() => {}));
    crashed.call(of).catch(() => {});
    await crashed.engine.started(1);
    time.advance(11);
    expect(await second.call(of)).toMatchObject({ n: 1, cache: 'miss' });
    expect(second.engine.queries[0]).toEqual(crashed.engine.queries[0]);
  });

  it('start anew after a process that crashed when its rows were there already', async () => {
    const time = new TestTime();
    const [crashed, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    vi.spyOn(crashed.results.leases, 'end').mockResolvedValue(undefined);
    await crashed.call(of);
    time.advance(60);
    expect(await second.call(of)).toMatchObject({ n: 1, cache: 'miss' });
    expect(second.engine.queries[0]?.token).not.toBe(crashed.engine.queries[0]?.token);
  });

  it('wait for another process no longer than their deadline', async () => {
    const time = new TestTime();
    const [first, second] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint();
    first.engine.hold();
    first.call(of).catch(() => {});
    await first.engine.started(1);
    const acquire = vi.spyOn(second.results.leases, 'acquire').mockResolvedValue(undefined);
    const waiting = second.call(of);
    await eventually(() => expect(acquire).toHaveBeenCalled());
    time.advance(25);
    await expect(waiting).rejects.toMatchObject({ code: 'query_timeout', status: 504 });
  });

  it('do not let a slow run overwrite the rows of a later one', async () => {
    const time = new TestTime();
    const [slow, quick] = [startProcess(table, time), startProcess(table, time)];
    const of = freshEndpoint({ cache_duration_seconds: 3_600 });
    const run = slow.engine.hold();
    slow.call(of).catch(() => {});
    await slow.engine.started(1);
    time.advance(601);
    quick.engine.answerWith(async () => [['2']]);
    const write = vi.spyOn(slow.results, 'write');
    await waitThrough(time, quick.call(of));
    run.end([['1']]);
    await eventually(() => expect(write).toHaveResolvedTimes(1));
    expect(await quick.call(of)).toMatchObject({ n: 2, cache: 'hit' });
  });
});

/** Lets time pass in steps that are short against every deadline, until a call has ended. */
async function waitThrough(time: TestTime, call: Promise<unknown>): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  call.then(end, end);
  await eventually(() => {
    time.advance(0.05);
    expect(ended).toBe(true);
  }, 20);
}
