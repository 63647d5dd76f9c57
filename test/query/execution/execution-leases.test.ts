import { beforeEach, describe, expect, test } from 'vitest';
import { ExecutionLeases } from '../../../src/query/execution/execution-leases.ts';
import { stuttering } from '../../support/registry.ts';
import { cacheTable, TestTime } from '../support.ts';

const table = cacheTable();
let time = new TestTime();
let leases: ExecutionLeases;
let key = '';
let keys = 0;

beforeEach(() => {
  time = new TestTime();
  key = `key-${++keys}`;
  leases = open();
});

const open = (client = table.client) =>
  new ExecutionLeases({ client, table: table.table, clock: time });

const EXECUTION = { id: 'one', columns: [{ name: 'n', type: { kind: 'int64' } }] } as const;

/** A lease that this process has just taken. */
async function acquired() {
  const lease = await leases.acquire(key);
  if (lease === undefined) throw new Error('The lease is held.');
  return lease;
}

describe('a lease without an execution', () => {
  test('is given to one caller at a time', async () => {
    const attempts = await Promise.all([1, 2, 3, 4].map(() => leases.acquire(key)));
    expect(attempts.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test('leads no caller anywhere', async () => {
    await acquired();
    expect(await leases.find(key)).toBeUndefined();
  });

  test('passes after ten seconds to a caller who goes on with the same start', async () => {
    const first = await acquired();
    time.advance(10);
    expect(await leases.acquire(key)).toBeUndefined();
    time.advance(1);
    expect(await leases.acquire(key)).toEqual({ ...first, isTakeover: true });
  });

  test('is given again when it was ended', async () => {
    const first = await acquired();
    time.advance(1);
    await leases.end(first);
    expect(await acquired()).toEqual({ key, startedAt: time.now(), isTakeover: false });
  });

  test('begins anew when the clock was set back after it', async () => {
    await acquired();
    time.advance(-3_600);
    expect(await acquired()).toEqual({ key, startedAt: time.now(), isTakeover: false });
  });
});

describe('a lease with an execution', () => {
  test('leads every caller to it for ten minutes from its start', async () => {
    const lease = await acquired();
    time.advance(5);
    expect(await leases.note(lease, EXECUTION)).toBe(true);

    time.advance(594);
    expect(await leases.acquire(key)).toBeUndefined();
    expect(await open().find(key)).toEqual({ ...lease, isTakeover: true, execution: EXECUTION });
    time.advance(2);
    expect(await leases.find(key)).toBeUndefined();
    expect(await acquired()).toEqual({ key, startedAt: time.now(), isTakeover: false });
  });

  test('keeps the execution that was noted first', async () => {
    const lease = await acquired();
    await leases.note(lease, EXECUTION);

    expect(await leases.note(lease, { ...EXECUTION, id: 'two' })).toBe(false);

    expect(await leases.find(key)).toMatchObject({ execution: { id: 'one' } });
  });

  test('holds any number of columns that a statement can have', async () => {
    const columns = Array.from({ length: 4_000 }, (_, n) => ({
      name: `column ${n}`,
      type: { kind: 'json', shape: { kind: 'scalar', type: { kind: 'date' } } } as const,
    }));
    const lease = await acquired();

    await leases.note(lease, { id: 'wide', columns });

    expect((await leases.find(key))?.execution?.columns).toEqual(columns);
  });

  test('gives the rows and their cost to one of all who collect it', async () => {
    const lease = await acquired();
    await leases.note(lease, EXECUTION);

    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, n) => leases.claim(lease, EXECUTION, `claimant ${n}`)),
    );

    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test('gives them to one whose request had to be sent again', async () => {
    const lease = await acquired();
    await leases.note(lease, EXECUTION);

    expect(await open(stuttering(table.client)).claim(lease, EXECUTION, 'me')).toBe(true);

    expect(await leases.claim(lease, EXECUTION, 'another')).toBe(false);
  });

  test('does not give them once it was ended', async () => {
    const lease = await acquired();
    await leases.note(lease, EXECUTION);
    await leases.end(lease);

    expect(await leases.claim(lease, EXECUTION, 'late')).toBe(false);
  });

  test('passes on ten seconds after a claim, should its claimant have died', async () => {
    const lease = await acquired();
    await leases.note(lease, EXECUTION);
    await leases.claim(lease, EXECUTION, 'dead');

    time.advance(11);
    const next = await acquired();

    expect(next).toEqual({ ...lease, isTakeover: true, execution: EXECUTION });
    expect(await leases.claim(next, EXECUTION, 'next')).toBe(true);
  });
});

describe('a lease on a query that is over', () => {
  test('is turned into one that begins now, by one caller', async () => {
    const lease = await acquired();
    time.advance(11);

    const restarted = await Promise.all([leases.restart(lease), leases.restart(lease)]);

    expect(restarted.filter((each) => each !== undefined)).toEqual([
      { key, startedAt: time.now(), isTakeover: false },
    ]);
  });

  test('does not disturb a later one', async () => {
    const old = await acquired();
    time.advance(601);
    const later = await acquired();

    await leases.end(old);
    await leases.leave(key, old.startedAt, EXECUTION);

    expect(await leases.note(later, { ...EXECUTION, id: 'later' })).toBe(true);
    expect(await leases.find(key)).toMatchObject({ execution: { id: 'later' } });
  });
});

test('an execution without a lease can be left to the next caller', async () => {
  await leases.leave(key, time.now(), EXECUTION);

  time.advance(599);
  expect(await leases.find(key)).toMatchObject({ execution: EXECUTION });
  time.advance(1);
  expect(await leases.find(key)).toBeUndefined();
});
