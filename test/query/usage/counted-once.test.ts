/**
 * What an execution cost is recorded once, by one of the callers who collect it, in whatever process. Two of
 * them at once are tried in every order that their calls to the tables allow.
 */
import { describe, expect, test, vi } from 'vitest';
import type { QueryLogRecord } from '../../../src/query/usage/query-log-record.ts';
import { watched } from '../../support/registry.ts';
import { openAccount, SUCCEEDED } from '../account.ts';
import { cacheTable, freshEndpoint, waitThrough } from '../support.ts';

const table = cacheTable();

const costs = (records: readonly QueryLogRecord[]) =>
  records.flatMap(({ bytes_scanned }) => (bytes_scanned === undefined ? [] : [bytes_scanned]));

/** Calls to the tables, of which no process makes more than nine; those beyond come to nothing. */
const STEPS = Array.from({ length: 10 }, (_, n) => n);

/** A client that does something before its nth call, and counts its calls. */
function stepping(n: number, act: () => Promise<void>) {
  const { client, calls, intercept } = watched(table.client);
  intercept(async (_operation, sent) => {
    expect(calls.length).toBeLessThan(STEPS.length);
    if (!sent && calls.length === n + 1) await act();
  });
  return { client, calls };
}

describe.each([
  ['caches', 600],
  ['does not cache', 0],
])('an execution that was left, at an endpoint that %s', (_, duration) => {
  /** An execution that has ended, and that no caller has collected yet. */
  async function left() {
    const account = openAccount(table);
    const of = freshEndpoint({ cache_duration_seconds: duration });
    const { thaw } = await account.leave(of);
    account.current.plan = SUCCEEDED;
    account.time.advance(35);
    return { ...account, of, thaw };
  }

  test('is counted by the caller who collects it', async () => {
    const { records, of, start } = await left();

    await start().call(of);

    expect(records).toMatchObject([
      { origin: 'call', status_code: 504 },
      { origin: 'call', status_code: 200, bytes_scanned: 25_000_000, engine_ms: 60_000 },
    ]);
  });

  test.each(STEPS)('is counted once when another caller comes at step %i of one', async (step) => {
    const { time, athena, records, of, start } = await left();
    const { client, calls } = stepping(step, async () => void (await start().call(of)));

    const answer = start(client).call(of);
    await waitThrough(time, answer);
    expect(await answer).toMatchObject({ n: 7 });
    if (calls.length <= step) await start().call(of);

    // Where nothing is cached, a call after the rows were had is a run of its own.
    expect(costs(records)).toHaveLength(athena.executions);
    if (duration > 0) expect(athena.executions).toBe(1);
  });

  test.each(STEPS)(
    'is counted once when its process wakes at step %i of a caller',
    async (step) => {
      const { athena, records, of, start, thaw } = await left();
      const { client } = stepping(step, async () => {
        thaw();
        await new Promise(setImmediate);
      });

      await start(client).call(of);
      thaw();
      await new Promise(setImmediate);

      expect(costs(records)).toEqual([25_000_000]);
      expect(athena.executions).toBe(1);
    },
  );

  test('is counted, be it twice, while the table does not take who counts it', async () => {
    const { records, of, start } = await left();
    const process = start();
    vi.spyOn(process.leases, 'claim').mockRejectedValue(new Error('no answer'));

    await process.call(of);

    expect(costs(records)).toEqual([25_000_000]);
    expect(process.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'the lease of a query could not be updated' },
    ]);
  });

  test('is in no record when no caller comes for its rows', async () => {
    const { records } = await left();

    expect(costs(records)).toEqual([]);
  });
});

describe('an execution whose caller waits for it', () => {
  test.each([
    ['caches', 600, ['Get', 'Update', 'Get', 'Update', 'Update', 'Put', 'Delete']],
    ['does not cache', 0, ['Get']],
  ])('is counted by that caller, at an endpoint that %s', async (_, duration, due) => {
    const { records, start } = openAccount(table, SUCCEEDED);
    const { client, calls } = watched(table.client);

    await start(client).call(freshEndpoint({ cache_duration_seconds: duration }));

    expect(calls).toEqual(due);
    expect(costs(records)).toEqual([25_000_000]);
  });

  test.each(STEPS)('is counted once when another process comes at step %i', async (step) => {
    const { time, athena, records, start } = openAccount(table, SUCCEEDED);
    const of = freshEndpoint({ cache_duration_seconds: 600 });
    let other: Promise<unknown> = Promise.resolve();
    const { client } = stepping(step, async () => {
      const polls = athena.calls.length;
      other = start().call(of);
      // It either gets on, or waits for the lease of the first.
      const isThere = other.then(() => true);
      await Promise.race([isThere, new Promise((resolve) => setTimeout(resolve, 50))]);
      expect(athena.calls.length).toBeGreaterThanOrEqual(polls);
    });

    await start(client).call(of);
    await waitThrough(time, other);

    expect(costs(records)).toEqual([25_000_000]);
    expect(athena.executions).toBe(1);
  });
});
