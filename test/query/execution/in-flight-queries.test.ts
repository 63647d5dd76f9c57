import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
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

const FAILED = new ServiceError('query_failed', 502, 'The engine failed.');

/** So many processes on one engine. */
function start(count: number) {
  const time = new TestTime();
  const engine = new ScriptedEngine({ durable: true });
  const processes = Array.from({ length: count }, () => startProcess(table, time, engine));
  return { time, engine, processes };
}

/** A process that dies after its first so many calls to its leases. */
function dying(process: ReturnType<typeof startProcess>, step: 'note' | 'claim' | 'end') {
  return vi.spyOn(process.leases, step).mockReturnValue(new Promise<never>(() => {}));
}

describe('identical calls at the same time', () => {
  test('share one run within a process', async () => {
    const { call, engine } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    const run = engine.hold();
    const calls = [call(of), call(of), call(of)];
    await engine.started(1);
    run.end([['7']]);
    expect((await Promise.all(calls)).map(({ n }) => n)).toEqual([7, 7, 7]);
    expect(engine.queries).toHaveLength(1);
  });

  test('share its failure, and the next call runs again', async () => {
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

  test('share one run between processes', async () => {
    const { engine, processes } = start(3);
    const of = freshEndpoint();
    const run = engine.hold();
    const [first, ...others] = processes;
    const ran = first?.call(of);
    await engine.started(1);
    const found = others.map(({ leases }) => vi.spyOn(leases, 'find'));
    const waited = others.map(({ call }) => call(of));
    for (const find of found) await eventually(() => expect(find).toHaveResolved());

    run.end([['7']]);

    const answers = await Promise.all([ran, ...waited]);
    expect(answers.map((answer) => answer?.n)).toEqual([7, 7, 7]);
    expect(engine.queries).toHaveLength(1);
  });

  test('wait for a process that is about to start the run', async () => {
    const { time, engine, processes } = start(2);
    const of = freshEndpoint();
    const [first, second] = processes;
    const { promise: noted, resolve: note } = Promise.withResolvers<void>();
    const leases = first?.leases;
    const original = leases?.note.bind(leases);
    if (leases && original) {
      vi.spyOn(leases, 'note').mockImplementation(async (...of) => {
        await noted;
        return original(...of);
      });
    }
    const ran = first?.call(of);
    await engine.started(1);
    const waiting = second?.call(of) ?? Promise.reject();

    note();

    expect(await ran).toMatchObject({ n: 1 });
    await waitThrough(time, waiting);
    expect(await waiting).toMatchObject({ n: 1 });
    expect(engine.queries).toHaveLength(1);
  });

  test('all hear of a failure that would come again', async () => {
    const { time, engine, processes } = start(2);
    const of = freshEndpoint();
    const run = engine.hold();
    const calls = processes.map(({ call }) => call(of));
    await engine.started(1);
    run.end(FAILED);

    for (const call of calls) {
      await waitThrough(time, call);
      await expect(call).rejects.toMatchObject({ code: 'query_failed' });
    }
  });

  test.each(['note', 'claim', 'end'] as const)(
    'take over the run of a process that died at its lease (%s)',
    async (step) => {
      const { time, engine, processes } = start(2);
      const of = freshEndpoint({ cache_duration_seconds: 60 });
      const [dead, second] = processes;
      if (dead) {
        const died = dying(dead, step);
        dead.call(of).catch(() => {});
        await eventually(() => expect(died).toHaveBeenCalled());
      }

      time.advance(11);

      expect(await second?.call(of)).toMatchObject({ n: 1 });
      expect(engine.queries).toHaveLength(1);
    },
  );

  test('start anew after a process that died when its rows were there already', async () => {
    const { time, engine, processes } = start(2);
    const [dead, second] = processes;
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    if (dead) {
      const died = dying(dead, 'end');
      dead.call(of).catch(() => {});
      await eventually(() => expect(died).toHaveBeenCalled());
    }
    time.advance(60);
    expect(await second?.call(of)).toMatchObject({ n: 2, cache: 'miss' });
    expect(engine.queries[1]?.token).not.toBe(engine.queries[0]?.token);
  });

  test('wait for another process no longer than their deadline', async () => {
    const { time, processes } = start(1);
    const [process] = processes;
    if (process === undefined) throw new Error('There is no process.');
    const acquire = vi.spyOn(process.leases, 'acquire').mockResolvedValue(undefined);
    const waiting = process.call(freshEndpoint());
    const refused = expect(waiting).rejects.toMatchObject({ code: 'query_timeout', status: 504 });
    await eventually(() => expect(acquire).toHaveBeenCalled());
    time.advance(25);
    await refused;
  });

  test('do not let a slow run overwrite the rows of a later one', async () => {
    const { time, engine, processes } = start(2);
    const [slow, quick] = processes;
    const of = freshEndpoint({ cache_duration_seconds: 3_600 });
    const run = engine.hold();
    slow?.call(of).catch(() => {});
    await engine.started(1);
    time.advance(601);
    engine.answerWith(async () => [['2']]);
    const later = quick?.call(of) ?? Promise.reject();
    await waitThrough(time, later);
    expect(await later).toMatchObject({ n: 2, cache: 'miss' });

    run.end([['1']]);

    expect(await quick?.call(of)).toMatchObject({ n: 2, cache: 'hit' });
  });
});
