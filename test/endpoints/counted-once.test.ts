/**
 * What a run cost is recorded once, whoever brings it to its end: the caller who picks it up, the function
 * that hears of its end, or the process that began it. Two of them at once are tried in every order that
 * their calls to the tables allow.
 */
import { describe, expect, it, vi } from 'vitest';
import type { QueryRecord } from '../../src/endpoints/query-record.ts';
import { watched } from '../support/registry.ts';
import { openAccount, SUCCEEDED } from './account.ts';
import { cacheTable, eventually, freshEndpoint } from './support.ts';

const table = cacheTable();

const costs = (records: readonly QueryRecord[]) =>
  records.flatMap(({ bytes_scanned }) => (bytes_scanned === undefined ? [] : [bytes_scanned]));

/** Calls to the tables, of which nobody makes more than twelve; those beyond come to nothing. */
const STEPS = Array.from({ length: 13 }, (_, n) => n);

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
])('a run that was left behind, at an endpoint that %s', (_, duration) => {
  /** A run that has ended, and of which nobody has heard yet. */
  async function leftRun() {
    const account = openAccount(table);
    const of = freshEndpoint({ cache_duration_seconds: duration });
    const { id, thaw } = await account.leave(of);
    account.current.plan = SUCCEEDED;
    account.time.advance(35);
    return { ...account, of, id, thaw };
  }

  it('is counted by the caller who picks it up, and not again when its end is heard of', async () => {
    const { records, of, id, start, finisher } = await leftRun();

    await start().call(of);
    await finisher().finish(id);

    expect(records).toMatchObject([
      { origin: 'call', status_code: 504 },
      { origin: 'call', status_code: 200, bytes_scanned: 25_000_000, engine_ms: 60_000 },
    ]);
  });

  it('is counted when its end is heard of, and not again by the next caller', async () => {
    const { records, of, id, start, finisher } = await leftRun();

    await finisher().finish(id);
    await start().call(of);

    expect(records).toMatchObject([
      { origin: 'call', status_code: 504 },
      { origin: 'left', status_code: 200, bytes_scanned: 25_000_000, engine_ms: 60_000 },
      { origin: 'call', status_code: 200, rows: 1 },
    ]);
    expect(costs(records)).toHaveLength(1);
  });

  it.each(STEPS)('is counted once when a caller comes at step %i of the finisher', async (step) => {
    const { records, of, id, start, finisher } = await leftRun();
    const { client } = stepping(step, async () => void (await start().call(of)));

    await finisher(client).finish(id);

    expect(costs(records)).toEqual([25_000_000]);
  });

  it.each(STEPS)(
    'is counted once when its end is heard of at step %i of a caller',
    async (step) => {
      const { records, of, id, start, finisher } = await leftRun();
      const { client, calls } = stepping(step, async () => void (await finisher().finish(id)));

      expect(await start(client).call(of)).toMatchObject({ n: 7 });
      if (calls.length <= step) await finisher().finish(id);

      expect(costs(records)).toEqual([25_000_000]);
    },
  );

  it.each(STEPS)('is counted once when another finisher comes at step %i of one', async (step) => {
    const { records, id, finisher } = await leftRun();
    const { client } = stepping(step, async () => void (await finisher().finish(id)));

    await finisher(client).finish(id);

    expect(costs(records)).toEqual([25_000_000]);
  });

  it.each(STEPS)(
    'is counted once when its process wakes at step %i of the finisher',
    async (step) => {
      const { records, athena, id, finisher, thaw } = await leftRun();
      const { client } = stepping(step, async () => {
        const reads = athena.calls.length;
        thaw();
        await eventually(() => expect(athena.calls.length).toBeGreaterThan(reads));
      });

      await finisher(client).finish(id);
      thaw();

      await eventually(() => expect(costs(records)).toHaveLength(1));
      await expect(finisher().finish(id)).resolves.toBe('unknown');
      expect(costs(records)).toEqual([25_000_000]);
    },
  );

  it.each(STEPS)(
    'is counted when the finisher fails at step %i and is called again',
    async (step) => {
      const { records, id, finisher } = await leftRun();
      const { client } = stepping(step, async () => {
        throw new Error('no answer');
      });

      await finisher(client)
        .finish(id)
        .catch(() => {});
      await finisher().finish(id);

      expect(costs(records)).toEqual([25_000_000]);
    },
  );

  it.each(STEPS)(
    'is counted when a caller dies at step %i and its end is heard of later',
    async (step) => {
      const { records, of, id, start, finisher } = await leftRun();
      const { promise: died, resolve: die } = Promise.withResolvers<void>();
      const { client } = stepping(step, async () => {
        die();
        await new Promise(() => {});
      });

      await Promise.race([start(client).call(of), died]);
      await finisher().finish(id);

      expect(costs(records)).toEqual([25_000_000]);
    },
  );

  it.each(STEPS)(
    'is counted once when it ends at step %i of the caller who leaves it',
    async (step) => {
      const { time, athena, records, current, start, finisher } = openAccount(table);
      const of = freshEndpoint({ cache_duration_seconds: duration });
      const { client, calls } = stepping(step, async () => {
        current.plan = SUCCEEDED;
        await finisher().finish(athena.latest);
      });
      let isAnswered = false;
      const answer = start(client)
        .call(of)
        .catch(() => {})
        .finally(() => {
          isAnswered = true;
        });
      await eventually(() => expect(athena.calls).toContain('GetQueryExecution'));
      time.advance(25);
      await eventually(() => {
        time.advance(0.1);
        expect(isAnswered).toBe(true);
      });
      await answer;

      current.plan = SUCCEEDED;
      await finisher().finish(athena.latest);
      if (calls.length <= step) expect(costs(records)).toEqual([25_000_000]);
      time.advance(2);
      await start().call(of);

      // Where nothing is cached, a call after the rows were had is a run of its own.
      expect(costs(records)).toHaveLength(athena.executions);
    },
  );

  it('is counted when its process goes on and its end is never heard of', async () => {
    const { records, of, thaw } = await leftRun();

    thaw();

    await eventually(() => expect(costs(records)).toHaveLength(1));
    expect(records[1]).toEqual({
      endpoint: of.name,
      endpoint_token: of.token,
      language: 'none',
      origin: 'left',
      status_code: 200,
      cache: duration > 0 ? 'miss' : 'off',
      compile_ms: 0,
      rows: 1,
      bytes_scanned: 25_000_000,
      cost_usd: 0.000125,
      queue_ms: 40,
      engine_ms: 60_000,
    });
  });

  it('is counted, be it twice, while the table does not take who counts it', async () => {
    const { records, of, start } = await leftRun();
    const { client, intercept } = watched(table.client);
    const process = start(client);
    intercept((operation) => {
      if (operation === 'Update' && costs(records).length === 0) throw new Error('no answer');
    });
    vi.spyOn(process.results.leases, 'acquire').mockImplementation((key) =>
      start().results.leases.acquire(key),
    );

    await process.call(of);

    expect(costs(records)).toEqual([25_000_000]);
    expect(process.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'who counts a run could not be settled' },
    ]);
  });

  it('is not counted by anybody when the winner dies before its record', async () => {
    const { records, of, id, start, finisher } = await leftRun();
    const { left } = start().results;
    expect(await left.count(id)).toBe(true);

    await finisher().finish(id);
    await start().call(of);

    expect(costs(records)).toEqual([]);
  });
});

describe('a run that nobody else knows of', () => {
  it.each([
    ['caches', 600, ['Get', 'Update', 'Get', 'Put', 'Delete']],
    ['does not cache', 0, ['Get']],
  ])(
    'is counted without a call to the tables, at an endpoint that %s',
    async (_, duration, due) => {
      const { records, start } = openAccount(table, SUCCEEDED);
      const { client, calls } = watched(table.client);

      await start(client).call(freshEndpoint({ cache_duration_seconds: duration }));

      expect(calls).toEqual(due);
      expect(costs(records)).toEqual([25_000_000]);
    },
  );
});

describe('a run whose process seems to be dead', () => {
  it.each(STEPS)(
    'is counted once when that comes back at step %i of who took it over',
    async (step) => {
      const { time, athena, records, current, start } = openAccount(table);
      const of = freshEndpoint({ cache_duration_seconds: 600 });
      const silent = start();
      // It cannot prolong its lease, and knows of nothing.
      vi.spyOn(silent.results.leases, 'renew').mockRejectedValue(new Error('no answer'));
      const first = silent.call(of);
      await eventually(() => expect(athena.calls).toContain('GetQueryExecution'));
      silent.freeze();
      time.advance(11);
      current.plan = SUCCEEDED;
      const { client, calls } = stepping(step, async () => {
        silent.thaw();
        await first;
      });

      await start(client).call(of);
      if (calls.length <= step) silent.thaw();
      await first;

      expect(costs(records)).toEqual([25_000_000]);
    },
  );
});
