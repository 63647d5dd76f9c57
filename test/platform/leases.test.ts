import { beforeEach, describe, expect, it } from 'vitest';
import { Leases } from '../../src/platform/leases.ts';
import { cacheTable, TestTime } from '../endpoints/support.ts';

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
  it('gives a key to one owner at a time', async () => {
    const attempts = await Promise.all([1, 2, 3, 4].map(() => leases.acquire(key)));
    expect(attempts.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('gives a key again when the run has ended', async () => {
    const first = await leases.acquire(key);
    time.advance(1);
    await leases.end(key, first?.startedAt ?? 0);
    expect(await leases.acquire(key)).toMatchObject({ startedAt: time.now() });
  });

  it('passes the run of an owner that has gone silent to the next', async () => {
    const first = await leases.acquire(key);
    time.advance(10);
    expect(await leases.acquire(key)).toBeUndefined();
    time.advance(1);
    const second = await leases.acquire(key);
    expect(second?.startedAt).toBe(first?.startedAt);
    expect(second?.owner).not.toBe(first?.owner);
  });

  it('keeps a key for an owner that renews in time', async () => {
    const first = await leases.acquire(key);
    time.advance(8);
    expect(first && (await leases.renew(first))).toBe(true);
    time.advance(8);
    expect(await leases.acquire(key)).toBeUndefined();
  });

  it('does not renew what has passed to another owner, or has ended', async () => {
    const first = await leases.acquire(key);
    time.advance(11);
    const second = await leases.acquire(key);
    expect(first && (await leases.renew(first))).toBe(false);
    await leases.end(key, second?.startedAt ?? 0);
    expect(second && (await leases.renew(second))).toBe(false);
    expect(await leases.acquire(key)).toBeDefined();
  });

  it('begins a run of its own when the clock was set back after the last one', async () => {
    await leases.acquire(key);
    await leases.leave(`${key}-left`, time.now());
    time.advance(-3_600);
    expect(await leases.acquire(key)).toMatchObject({ startedAt: time.now(), resumed: false });
    expect(await leases.left(`${key}-left`)).toBeUndefined();
    await leases.leave(`${key}-left`, time.now());
    expect(await leases.left(`${key}-left`)).toEqual({ startedAt: time.now() });
  });

  it('starts a run of its own when the one left behind is too old', async () => {
    await leases.acquire(key);
    time.advance(600);
    expect(await leases.acquire(key)).toMatchObject({ startedAt: time.now() });
  });

  it('lets anybody take a run that was left behind', async () => {
    const first = await leases.acquire(key);
    await leases.leave(key, first?.startedAt ?? 0);
    time.advance(1);
    expect(await leases.left(key)).toEqual({ startedAt: first?.startedAt });
    expect(await leases.acquire(key)).toMatchObject({ startedAt: first?.startedAt });
  });

  it('forgets a run that was left behind after ten minutes', async () => {
    await leases.leave(key, time.now());
    time.advance(599);
    expect(await leases.left(key)).toBeDefined();
    time.advance(1);
    expect(await leases.left(key)).toBeUndefined();
  });

  it('does not let an old run disturb a later one', async () => {
    const old = time.now();
    time.advance(1);
    const later = await leases.acquire(key);
    await leases.leave(key, old);
    await leases.end(key, old);
    expect(later && (await leases.renew(later))).toBe(true);
  });
});
