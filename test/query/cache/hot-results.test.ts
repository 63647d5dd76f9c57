import { describe, expect, test } from 'vitest';
import { HotResults } from '../../../src/query/cache/hot-results.ts';
import { watched } from '../../support/registry.ts';
import { cacheTable, freshEndpoint, startProcess, TestTime } from '../support.ts';

const table = cacheTable();

const rows = (size: number) => ({ bytes: new Uint8Array(size), startedAt: 1, createdAt: 2 });

describe('a busy result', () => {
  test('is read from DynamoDB once a second, however often it is called', async () => {
    const time = new TestTime();
    const of = freshEndpoint({ cache_duration_seconds: 600 });
    await startProcess(table, time).call(of);
    const { client, calls } = watched(table.client);
    const { call } = startProcess({ client, table: table.table }, time);

    for (let tenth = 0; tenth < 50; tenth++) {
      expect(await call(of)).toMatchObject({ n: 1, cache: 'hit' });
      time.advance(0.1);
    }

    expect(calls.filter((operation) => operation === 'Get')).toHaveLength(5);
  });

  test('is not older than its caller accepts for being in memory', async () => {
    const time = new TestTime();
    const of = freshEndpoint({ cache_duration_seconds: 60 });
    const { call } = startProcess(table, time);
    await call(of);
    time.advance(59.5);

    expect(await call(of)).toMatchObject({ n: 1, cache: 'hit' });
    time.advance(0.6);
    expect(await call(of)).toMatchObject({ n: 2, cache: 'miss', age: 0 });
    expect(await call(of)).toMatchObject({ n: 2, cache: 'hit', age: 0 });
  });
});

describe('what is in memory', () => {
  test('is forgotten after a second, and when the clock is set back', () => {
    const time = new TestTime();
    const hot = new HotResults(time);
    hot.put('a', rows(10), time.now());

    time.advance(0.999);
    expect(hot.get('a')).toMatchObject(rows(10));
    time.advance(0.001);
    expect(hot.get('a')).toBeUndefined();
    hot.put('a', rows(10), time.now());
    time.advance(-0.001);
    expect(hot.get('a')).toBeUndefined();
  });

  test.each([
    [70_000, 2],
    [8 * 1024 * 1024, 10],
  ])('stays the longer the more it costs to read: %i bytes for %i s', (size, seconds) => {
    const time = new TestTime();
    const hot = new HotResults(time);
    hot.put('a', rows(size), time.now());

    time.advance(seconds - 0.001);
    expect(hot.get('a')).toBeDefined();
    time.advance(0.001);
    expect(hot.get('a')).toBeUndefined();
  });

  test('takes no more bytes than it may: what was read first goes first', () => {
    const time = new TestTime();
    const hot = new HotResults(time, 100);

    for (const key of ['a', 'b', 'c']) hot.put(key, rows(40), time.now());
    hot.put('b', rows(60), time.now());

    expect(['a', 'b', 'c'].map((key) => hot.get(key)?.bytes.byteLength)).toEqual([
      undefined,
      60,
      40,
    ]);
  });

  test('never holds rows that are larger than all it may', () => {
    const time = new TestTime();
    const hot = new HotResults(time, 100);

    hot.put('a', rows(101), time.now());

    expect(hot.get('a')).toBeUndefined();
  });
});
