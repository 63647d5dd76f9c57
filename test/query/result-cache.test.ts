import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/platform/errors.ts';
import { cacheTable, freshEndpoint, startProcess, TestTime } from './support.ts';

const table = cacheTable();

const engineDown = async () => {
  throw new ServiceError('query_failed', 502, 'The engine failed.');
};

describe('an endpoint that caches', () => {
  test('answers again without running, until the rows are too old', async () => {
    const time = new TestTime();
    const { call } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    expect(await call(of)).toEqual({ n: 1, cache: 'miss', age: 0 });
    time.advance(59.9);
    expect(await call(of)).toEqual({ n: 1, cache: 'hit', age: 59 });
    time.advance(0.1);
    expect(await call(of)).toEqual({ n: 2, cache: 'miss', age: 0 });
  });

  test('does not live longer for being read', async () => {
    const time = new TestTime();
    const { call } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    for (let seconds = 0; seconds < 60; seconds += 20) {
      await call(of);
      time.advance(20);
    }
    expect(await call(of)).toMatchObject({ n: 2, cache: 'miss' });
  });

  test('says for how long the rows stay fresh', async () => {
    const time = new TestTime();
    const { runner } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await runner.run(of, { input: {}, redact: false });
    time.advance(20.5);
    const answer = await runner.run(of, { input: {}, redact: false });
    expect(answer).toMatchObject({ ageSeconds: 20, freshSeconds: 39 });
  });

  test('shares rows between processes', async () => {
    const time = new TestTime();
    const of = freshEndpoint();
    await startProcess(table, time).call(of);
    expect(await startProcess(table, time).call(of)).toMatchObject({ cache: 'hit' });
  });

  test('keeps rows apart by parameter, and ignores inputs that are none', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint({ query: 'select @a from events' });
    expect(await call(of, { a: 'x' })).toMatchObject({ n: 1, cache: 'miss' });
    expect(await call(of, { a: 'y' })).toMatchObject({ n: 2, cache: 'miss' });
    expect(await call(of, { a: 'x', b: 'z' })).toMatchObject({ n: 1, cache: 'hit' });
  });

  test('keeps rows apart by consumer query', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint({ sandboxable: true });
    expect(await call(of)).toMatchObject({ n: 1 });
    expect(await call(of, { sql: 'select 1' })).toMatchObject({ n: 2 });
    expect(await call(of, { sql: 'select 1' })).toMatchObject({ n: 2, cache: 'hit' });
  });

  test('runs again when the endpoint has changed', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    await call(of);
    expect(await call({ ...of, version: 2 })).toMatchObject({ n: 2, cache: 'miss' });
  });

  test('keeps rows unredacted and redacts on the way out', async () => {
    const { runner, compiler, engine } = startProcess(table, new TestTime());
    compiler.columns = [{ name: 'ip', type: { kind: 'string' } }];
    engine.answerWith(async () => [['10.0.0.1']]);
    const of = freshEndpoint();
    const shown = async (redact: boolean) => (await runner.run(of, { input: {}, redact })).rows;
    expect(await shown(true)).toEqual([{ ip: 'REDACTED' }]);
    expect(await shown(false)).toEqual([{ ip: '10.0.0.1' }]);
    expect(await shown(true)).toEqual([{ ip: 'REDACTED' }]);
    expect(engine.queries).toHaveLength(1);
  });

  test('gives large results back whole', async () => {
    const { runner, compiler, engine } = startProcess(table, new TestTime());
    compiler.columns = [{ name: 'v', type: { kind: 'string' } }];
    const text = randomBytes(900_000).toString('base64');
    engine.answerWith(async () => [[text]]);
    const of = freshEndpoint();
    await runner.run(of, { input: {}, redact: false });
    const answer = await runner.run(of, { input: {}, redact: false });
    expect(answer.cache).toBe('hit');
    expect(answer.rows).toEqual([{ v: text }]);
  });

  test('answers results that are too large to keep, and says so', async () => {
    const { runner, compiler, engine } = startProcess(table, new TestTime());
    compiler.columns = [{ name: 'v', type: { kind: 'string' } }];
    const text = randomBytes(9_000_000).toString('base64');
    engine.answerWith(async () => [[text]]);
    const answer = await runner.run(freshEndpoint(), { input: {}, redact: false });
    expect(answer).toMatchObject({ cache: 'off', freshSeconds: undefined });
    expect(answer.rows).toEqual([{ v: text }]);
  });

  test('answers rows that cannot be written, and logs the failure', async () => {
    const { call, results, lines } = startProcess(table, new TestTime());
    results.write = async () => {
      throw new Error('the table is gone');
    };
    expect(await call(freshEndpoint())).toMatchObject({ n: 1, cache: 'off' });
    expect(lines).toMatchObject([
      { level: 'error', message: 'rows could not be written to the cache' },
    ]);
  });

  test('does not keep errors', async () => {
    const { call, engine } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    engine.answerWith(engineDown);
    await expect(call(of)).rejects.toMatchObject({ code: 'query_failed' });
    engine.answerWith(async (run) => [[`${run}`]]);
    expect(await call(of)).toEqual({ n: 2, cache: 'miss', age: 0 });
    expect(await call(of)).toMatchObject({ n: 2, cache: 'hit' });
  });
});

describe('when the clock is set back', () => {
  test('does not answer rows whose age is not known any more, and keeps the new ones', async () => {
    const time = new TestTime();
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    const { call } = startProcess(table, time);
    await call(of);
    time.advance(-3_600);
    expect(await call(of)).toEqual({ n: 2, cache: 'miss', age: 0 });
    time.advance(30);
    expect(await call(of)).toEqual({ n: 2, cache: 'hit', age: 30 });
  });

  test('does not answer them as stale either', async () => {
    const time = new TestTime();
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    const { call, engine } = startProcess(table, time);
    await call(of);
    time.advance(-3_600);
    engine.answerWith(engineDown);
    await expect(call(of)).rejects.toMatchObject({ code: 'query_failed' });
  });

  test('does not wait for the lease of a process that is gone', async () => {
    const time = new TestTime();
    const of = freshEndpoint();
    const frozen = startProcess(table, time);
    frozen.engine.hold();
    frozen.call(of).catch(() => {});
    await frozen.engine.started(1);
    time.advance(-3_600);
    expect(await startProcess(table, time).call(of)).toMatchObject({ n: 1, cache: 'miss' });
  });
});

describe('when rows cannot be replaced', () => {
  test('answers the old ones for one more lifetime, says so and logs it', async () => {
    const time = new TestTime();
    const { call, engine, lines } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    engine.answerWith(engineDown);
    time.advance(119);
    expect(await call(of)).toEqual({ n: 1, cache: 'stale', age: 119 });
    expect(lines).toMatchObject([
      { level: 'warn', message: 'a refresh failed; older rows were answered' },
    ]);
    time.advance(1);
    await expect(call(of)).rejects.toMatchObject({ code: 'query_failed' });
  });

  test('does not call stale rows fresh', async () => {
    const time = new TestTime();
    const { runner, call, engine } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    engine.answerWith(engineDown);
    time.advance(90);
    const answer = await runner.run(of, { input: {}, redact: false });
    expect(answer).toMatchObject({ cache: 'stale', freshSeconds: 0 });
  });

  test('tries again at the next call', async () => {
    const time = new TestTime();
    const { call, engine } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    engine.answerWith(engineDown);
    time.advance(90);
    await call(of);
    engine.answerWith(async () => [['9']]);
    expect(await call(of)).toEqual({ n: 9, cache: 'miss', age: 0 });
  });

  test('tells a caller who limits the age the truth', async () => {
    const time = new TestTime();
    const { call, engine } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    engine.answerWith(engineDown);
    for (const header of ['no-cache', 'max-age=0']) {
      await expect(call(of, {}, header)).rejects.toMatchObject({ code: 'query_failed' });
    }
  });

  test('tells an author whose source is gone, instead of answering old rows', async () => {
    const time = new TestTime();
    const of = freshEndpoint({ cache_duration_seconds: 60, source_mapping: { events: 'gone' } });
    await startProcess(table, time).call({ ...of, source_mapping: {} });
    time.advance(90);
    await expect(startProcess(table, time).call(of)).rejects.toMatchObject({
      code: 'source_deleted',
    });
  });
});

describe('a Cache-Control request header', () => {
  test('makes no-cache run the query, for later callers too', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint();
    await call(of);
    expect(await call(of, {}, 'no-cache')).toMatchObject({ n: 2, cache: 'miss' });
    expect(await call(of)).toMatchObject({ n: 2, cache: 'hit' });
  });

  test('makes max-age limit the age of rows', async () => {
    const time = new TestTime();
    const { call } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    time.advance(29);
    expect(await call(of, {}, 'max-age=30')).toMatchObject({ n: 1, cache: 'hit' });
    time.advance(1);
    expect(await call(of, {}, 'max-age=30')).toMatchObject({ n: 2, cache: 'miss' });
  });

  test('does not make rows live longer', async () => {
    const time = new TestTime();
    const { call } = startProcess(table, time);
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    await call(of);
    time.advance(60);
    expect(await call(of, {}, 'max-age=3600')).toMatchObject({ n: 2, cache: 'miss' });
  });
});

describe('an endpoint that does not cache', () => {
  test('runs at every call', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    expect(await call(of)).toEqual({ n: 1, cache: 'off', age: 0 });
    expect(await call(of)).toEqual({ n: 2, cache: 'off', age: 0 });
  });

  test('runs for every one of several callers at once', async () => {
    const { call } = startProcess(table, new TestTime());
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    const answers = await Promise.all([call(of), call(of)]);
    expect(answers.map(({ n }) => n)).toEqual(expect.arrayContaining([1, 2]));
  });

  test('says that its rows must not be kept', async () => {
    const { runner } = startProcess(table, new TestTime());
    const of = freshEndpoint({ cache_duration_seconds: 0 });
    const answer = await runner.run(of, { input: {}, redact: false });
    expect(answer.freshSeconds).toBeUndefined();
  });
});
