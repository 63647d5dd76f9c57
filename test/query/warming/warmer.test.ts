import { describe, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/catalog/types.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { Warmer } from '../../../src/query/warming/warmer.ts';
import { cacheTable, eventually, freshEndpoint, startProcess, TestTime } from '../support.ts';

const table = cacheTable();

/** Cached for ten minutes, warmed every five. */
const warmed = (changes: Partial<Endpoint> = {}) =>
  freshEndpoint({ cache_duration_seconds: 600, proactive_requerying_seconds: 300, ...changes });

/** A process that answers calls, and a warmer over a list of endpoints that can be changed. */
function setUp(...endpoints: Endpoint[]) {
  const time = new TestTime();
  const process = startProcess(table, time);
  const registry = { listEndpoints: async () => endpoints };
  const warmer = new Warmer({ ...process, registry, clock: time, budgetMs: 50_000 });
  const summary = () => process.lines.findLast(({ message }) => message === 'warming pass')?.fields;
  const oneByOne = new Warmer({ ...process, registry, clock: time, concurrency: 1 });
  return { ...process, time, warmer, oneByOne, endpoints, summary };
}

const engineDown = async () => {
  throw new ServiceError('query_failed', 502, 'The engine failed.');
};

describe('Warmer', () => {
  test('replaces rows that are due, so that readers find fresh ones', async () => {
    const of = warmed();
    const { call, time, warmer, engine } = setUp(of);
    await call(of);
    time.advance(300);
    expect(await warmer.runOnce()).toEqual({ due: 1, refreshed: 1, failed: 0, postponed: 0 });
    time.advance(400);
    expect(await call(of)).toEqual({ n: 2, cache: 'hit', age: 400 });
    expect(engine.queries).toHaveLength(2);
  });

  test('repeats the call with its parameters and its consumer query', async () => {
    const of = warmed({
      query: 'select @a from events',
      parameters: [{ name: 'a', type: 'int64', required: true }],
      sandboxable: true,
    });
    const { call, time, warmer, compiler } = setUp(of);
    const input = { a: '9007199254740993', sql: 'select n from cte', unused: 'x' };
    await call(of, input);
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ refreshed: 1 });
    const [first, second] = compiler.inputs;
    expect(second).toEqual({ ...first, catalog: second?.catalog, nowUs: time.now() * 1_000 });
    expect(await call(of, input)).toMatchObject({ n: 2, cache: 'hit' });
  });

  test('knows nothing of reads from before the clock was set back, until the next one', async () => {
    const of = warmed();
    const { call, time, warmer } = setUp(of);
    await call(of);
    time.advance(-3_600);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    await call(of);
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 1, refreshed: 1 });
  });

  test('leaves rows alone that are younger than the interval', async () => {
    const of = warmed();
    const { call, time, warmer } = setUp(of);
    await call(of);
    time.advance(299);
    expect(await warmer.runOnce()).toEqual({ due: 0, refreshed: 0, failed: 0, postponed: 0 });
  });

  test('stops when nobody has read for the cache duration', async () => {
    const of = warmed();
    const { call, time, warmer, warm } = setUp(of);
    await call(of);
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ refreshed: 1 });
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    expect(await warm.list(of.token)).toEqual([]);
  });

  test('goes on while somebody reads', async () => {
    const of = warmed();
    const { call, time, warmer } = setUp(of);
    await call(of);
    for (let pass = 0; pass < 4; pass++) {
      time.advance(300);
      await call(of);
      expect(await warmer.runOnce()).toMatchObject({ refreshed: 1 });
    }
  });

  test.each([
    ['has no warming interval', { proactive_requerying_seconds: 0 }],
    ['does not cache', { cache_duration_seconds: 0 }],
  ])('does nothing for an endpoint that %s', async (_what, changes) => {
    const of = warmed(changes);
    const { call, time, warmer, warm } = setUp(of);
    await call(of);
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    expect(await warm.list(of.token)).toEqual([]);
  });

  test('forgets calls of an earlier version of the endpoint', async () => {
    const of = warmed();
    const { call, time, warmer, endpoints, warm } = setUp(of);
    await call(of);
    endpoints[0] = { ...of, version: 2 };
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    expect(await warm.list(of.token)).toEqual([]);
  });

  test('does nothing for an endpoint that is gone', async () => {
    const of = warmed();
    const { call, time, warmer, endpoints, engine } = setUp(of);
    await call(of);
    endpoints.length = 0;
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    expect(engine.queries).toHaveLength(1);
  });

  test('leaves a call whose rows are gone to its next reader', async () => {
    const of = warmed();
    const { call, time, warmer, warm, results } = setUp(of);
    await call(of);
    const [entry] = await warm.list(of.token);
    await results.discard(entry?.key ?? '');
    time.advance(300);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
  });

  test('keeps the old rows when a refresh fails, and backs off', async () => {
    const of = warmed();
    const { call, time, warmer, engine, lines } = setUp(of);
    await call(of);
    engine.answerWith(engineDown);
    time.advance(300);
    expect(await warmer.runOnce()).toEqual({ due: 1, refreshed: 0, failed: 1, postponed: 0 });
    expect(lines[0]).toMatchObject({
      level: 'warn',
      fields: { code: 'query_failed', failures: 1 },
    });
    expect(await call(of)).toMatchObject({ n: 1, cache: 'hit', age: 300 });
    time.advance(299);
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
    time.advance(1);
    await call(of).catch(() => {});
    expect(await warmer.runOnce()).toMatchObject({ due: 1, failed: 1 });
    time.advance(300);
    await call(of).catch(() => {});
    expect(await warmer.runOnce()).toMatchObject({ due: 0 });
  });

  test('forgets failures after a refresh that works', async () => {
    const of = warmed();
    const { call, time, warmer, engine, warm } = setUp(of);
    await call(of);
    engine.answerWith(engineDown);
    time.advance(300);
    await warmer.runOnce();
    engine.answerWith(async () => [['5']]);
    time.advance(299.9);
    await call(of);
    time.advance(0.1);
    expect(await warmer.runOnce()).toMatchObject({ refreshed: 1 });
    expect(await warm.list(of.token)).toMatchObject([{ failures: 0, retryAt: 0 }]);
  });

  test('goes on with the others when one fails', async () => {
    const [bad, good] = [warmed({ query: 'select bad from events' }), warmed()];
    const { call, time, warmer, engine } = setUp(bad, good);
    await call(bad);
    await call(good);
    engine.answerWith(async (_run, { text }) => (text.includes('bad') ? engineDown() : [['5']]));
    time.advance(300);
    expect(await warmer.runOnce()).toEqual({ due: 2, refreshed: 1, failed: 1, postponed: 0 });
  });

  test('collects what another process has started', async () => {
    const of = warmed();
    const { call, time, warmer, engine } = setUp(of);
    await call(of);
    time.advance(300);
    const run = engine.hold();
    const other = startProcess(table, time, engine).call(of, {}, 'no-cache');
    const collect = vi.spyOn(engine, 'collect');
    await eventually(() => expect(collect).toHaveBeenCalledTimes(1));
    const pass = warmer.runOnce();
    await eventually(() => {
      time.advance(0.05);
      expect(collect).toHaveBeenCalledTimes(2);
    });
    run.end([['9']]);
    expect(await other).toMatchObject({ n: 9 });
    expect(await pass).toMatchObject({ due: 1, failed: 0, postponed: 0 });
    expect(engine.queries).toHaveLength(2);
  });

  test('leaves a refresh that takes too long to the next pass, which picks it up', async () => {
    const of = warmed();
    const { call, time, warmer, engine, summary } = setUp(of);
    await call(of);
    time.advance(300);
    const run = engine.hold();
    const pass = warmer.runOnce();
    await engine.started(2);
    time.advance(50);
    expect(await pass).toEqual({ due: 1, refreshed: 0, failed: 0, postponed: 0 });
    expect(summary()).toMatchObject({ running: 1 });
    run.end([['9']]);
    time.advance(1);
    expect(await warmer.runOnce()).toMatchObject({ refreshed: 1 });
    expect(engine.queries).toHaveLength(2);
  });

  test('starts nothing more when the time of the pass is over', async () => {
    const all = Array.from({ length: 6 }, () => warmed());
    const { call, time, warmer, engine, summary } = setUp(...all);
    for (const of of all) await call(of);
    time.advance(300);
    engine.hold();
    const pass = warmer.runOnce();
    await engine.started(6 + 4);
    time.advance(50);
    expect(await pass).toEqual({ due: 6, refreshed: 0, failed: 0, postponed: 2 });
    expect(summary()).toMatchObject({ running: 4, postponed: 2 });
  });

  test('refreshes the oldest rows first', async () => {
    const [older, younger] = [warmed({ query: 'a' }), warmed({ query: 'b' })];
    const { call, time, oneByOne, compiler } = setUp(younger, older);
    await call(older);
    time.advance(1);
    await call(younger);
    time.advance(300);
    await oneByOne.runOnce();
    expect(compiler.inputs.slice(2).map(({ sql }) => sql)).toEqual(['a', 'b']);
  });

  test('logs what a pass has done', async () => {
    const of = warmed();
    const { call, time, warmer, summary } = setUp(of);
    await call(of);
    time.advance(300);
    await warmer.runOnce();
    expect(summary()).toEqual({
      due: 1,
      refreshed: 1,
      failed: 0,
      busy: 0,
      running: 0,
      postponed: 0,
      durationMs: 0,
    });
  });
});

describe('noting reads', () => {
  test('costs one write a minute, however often a call is made', async () => {
    const of = warmed();
    const { call, time, warm } = setUp(of);
    for (let reads = 0; reads < 5; reads++) {
      await call(of);
      time.advance(11);
    }
    const [first] = await warm.list(of.token);
    expect(time.now() - (first?.lastReadAt ?? 0)).toBe(55_000);
    time.advance(5);
    await call(of);
    const [second] = await warm.list(of.token);
    expect(second?.lastReadAt).toBe(time.now());
  });

  test('does not fail an answer when it fails itself', async () => {
    const of = warmed();
    const { call, warm, lines } = setUp(of);
    vi.spyOn(warm, 'recordRead').mockRejectedValue(new Error('throttled'));
    expect(await call(of)).toMatchObject({ n: 1 });
    expect(lines).toMatchObject([
      { level: 'warn', message: 'a read could not be noted for warming' },
    ]);
  });

  test('leaves out calls that are too large to be kept', async () => {
    const of = warmed({ sandboxable: true });
    const { call, warm } = setUp(of);
    await call(of, { sql: `select '${'x'.repeat(100_000)}'` });
    expect(await warm.list(of.token)).toEqual([]);
  });
});
