import { beforeEach, describe, expect, test } from 'vitest';
import { Leases } from '../../../src/platform/leases/leases.ts';
import { cacheTable, TestTime } from '../../query/support.ts';

const table = cacheTable();
let time = new TestTime();
let leases: Leases;
let key = '';
let keys = 0;

beforeEach(() => {
  time = new TestTime();
  key = `key-${++keys}`;
  leases = new Leases({ client: table.client, table: table.table, clock: time });
});

describe('Leases', () => {
  test('gives a key to one owner at a time', async () => {
    const attempts = await Promise.all([1, 2, 3, 4].map(() => leases.acquire(key)));
    expect(attempts.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test('gives a key again when it was given back', async () => {
    const first = await leases.acquire(key);
    if (first) await leases.release(first);
    expect(await leases.acquire(key)).toBeDefined();
  });

  test('gives a key again when its owner has gone silent', async () => {
    const first = await leases.acquire(key);
    time.advance(10);
    expect(await leases.acquire(key)).toBeUndefined();
    time.advance(1);
    expect((await leases.acquire(key))?.owner).not.toBe(first?.owner);
  });

  test('keeps a key for an owner that renews in time', async () => {
    const first = await leases.acquire(key);
    time.advance(8);
    expect(first && (await leases.renew(first))).toBe(true);
    time.advance(8);
    expect(await leases.acquire(key)).toBeUndefined();
  });

  test('neither renews nor gives back what has passed to another owner', async () => {
    const first = await leases.acquire(key);
    time.advance(11);
    const second = await leases.acquire(key);
    expect(first && (await leases.renew(first))).toBe(false);
    if (first) await leases.release(first);
    expect(second && (await leases.renew(second))).toBe(true);
  });

  test('gives a key again when the clock was set back after the last owner', async () => {
    await leases.acquire(key);
    time.advance(-3_600);
    expect(await leases.acquire(key)).toBeDefined();
  });
});
