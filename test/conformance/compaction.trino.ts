import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/lake/compaction/hours.ts';
import { freeForAll } from '../lake/compaction/support.ts';
import { aRow, type LandedRow } from '../ports/compaction-store.contract.ts';
import { aSource } from '../support/registry.ts';
import { CompactingWorld, ids, SOURCE } from './support/compacting-world.ts';
import { TrinoClient } from './trino/client.ts';

const PATIENCE = 600_000;

let world: CompactingWorld;

beforeEach(async () => {
  world = await CompactingWorld.open(new TrinoClient(inject('trino')));
}, PATIENCE);

afterEach(() => world.end());

/** Events that land in an hour: of the hour itself, and of some days before. */
function landing(hour: number, days = [0, 1, 5]): LandedRow[] {
  return days.map((n) => aRow(`${hour / HOUR_MS}-${n}`, hour - n * DAY_MS));
}

describe('a query sees every event exactly once', { timeout: PATIENCE }, () => {
  test('before, between any two steps of, and after a compaction', async () => {
    const rows: LandedRow[] = [];
    for (const n of [1, 2, 4]) {
      const landed = landing(world.hour(n));
      await world.lake.land(world.hour(n), landed);
      rows.push(...landed);
    }
    // More event days than Athena lets one INSERT write.
    const backfill = landing(
      world.hour(3),
      Array.from({ length: 30 }, (_, n) => 3 * n),
    );
    await world.lake.land(world.hour(3), backfill);
    rows.push(...backfill);
    world.close(world.hour(3));
    let steps = 0;

    expect(await world.query()).toEqual(ids(rows));
    await world.run(async () => {
      steps++;
      expect(await world.query()).toEqual(ids(rows));
    });

    expect(steps).toBeGreaterThan(30);
    expect(await world.query()).toEqual(ids(rows));
    expect(await world.registry.watermark()).toBe(world.hour(4));
    expect(await world.lake.compacted()).toHaveLength(rows.length - 3);
  });

  test('when the process dies between any two steps, and another goes on', async () => {
    const rows: LandedRow[] = [];
    const died: string[] = [];
    for (let n = 0, number = 1; ; n++, number++) {
      const landed = landing(world.hour(n), [0, 1]);
      await world.lake.land(world.hour(n), landed);
      rows.push(...landed);
      world.close(world.hour(n));

      const step = await world.crashAt(number);
      expect(await world.query(), `after ${step}`).toEqual(ids(rows));
      if (step === undefined) break;
      died.push(step);

      await world.run();
      expect(await world.query(), `resumed after ${step}`).toEqual(ids(rows));
      expect(await world.registry.readCompaction()).toMatchObject({
        watermark: world.hour(n + 1),
      });
    }

    expect(died.length).toBeGreaterThan(12);
    expect(new Set(died)).toContain('while a statement runs');
    expect(ids(await world.lake.compacted())).toEqual(ids(rows));
  });
});

describe('compaction', { timeout: PATIENCE }, () => {
  test('makes one event of what was delivered again, and keeps what only shares an id', async () => {
    const first = aRow('a', world.hour(1));
    const others = [
      { ...first, event_message: 'another' },
      { ...first, timestamp_us: first.timestamp_us + 1 },
    ];
    await world.lake.land(world.hour(1), [first, first, ...others]);
    await world.lake.land(world.hour(2), [first, ...others]);
    world.close(world.hour(2));
    expect(await world.query()).toHaveLength(7);

    await world.run();

    expect(await world.query()).toEqual(['a', 'a', 'a']);
    expect((await world.lake.compacted()).map((row) => row.event_message).sort()).toEqual([
      'another',
      'message of a',
      'message of a',
    ]);
  });

  test('copies files that came late to a compacted hour, once', async () => {
    const rows = landing(world.hour(1));
    await world.lake.land(world.hour(1), rows);
    world.close(world.hour(6));
    await world.run();
    const late = [aRow('late', world.hour(1)), aRow('later', world.hour(1) - DAY_MS)];
    await world.lake.land(world.hour(1), late);
    await world.lake.land(world.hour(3), [aRow('empty hour', world.hour(3))]);

    // They are looked for once an hour.
    for (const n of [7, 8]) {
      world.close(world.hour(n));
      await world.run();
    }

    const all = ids([...rows, ...late, aRow('empty hour', 0)]);
    expect(await world.query()).toEqual(all);
    expect(ids(await world.lake.compacted())).toEqual(all);
  });

  test('by two jobs at once is done by one of them', async () => {
    const rows = landing(world.hour(1));
    await world.lake.land(world.hour(1), rows);
    world.close(world.hour(1));

    const runs = await Promise.all([world.run(), world.run()]);

    expect(runs.map(({ ran }) => ran).sort()).toEqual([false, true]);
    expect(await world.query()).toEqual(ids(rows));
  });

  test('by two jobs that both hold the lease stores no event twice', async () => {
    const rows = [1, 2].flatMap((n) => landing(world.hour(n)));
    for (const n of [1, 2]) await world.lake.land(world.hour(n), landing(world.hour(n)));
    world.close(world.hour(2));

    const runs = await Promise.allSettled([
      world.run(undefined, { leases: freeForAll }),
      world.run(undefined, { leases: freeForAll }),
    ]);
    await world.run();

    expect(runs.map(({ status }) => status)).toContain('fulfilled');
    expect(ids(await world.lake.compacted())).toEqual(ids(rows));
    expect(await world.query()).toEqual(ids(rows));
  });

  test('optimizes settled days, deletes old events and expires what is superseded', async () => {
    const other = '00000000-0000-4000-8000-000000000002';
    await world.registry.createSource(aSource({ token: SOURCE, retention_days: 7 }));
    await world.registry.createSource(aSource({ token: other }));
    const ages = [0, 1, 8, 9, 10, 20, 21];
    for (const n of [1, 2, 3]) {
      const landed = landing(world.hour(n), ages);
      await world.lake.land(world.hour(n), [
        ...landed,
        ...landed.map((row) => ({ ...row, id: `other ${row.id}`, source_id: other })),
      ]);
    }
    world.close(world.hour(3));
    const run = () => world.run(undefined, { retentionDays: 20 });

    await run();
    // Three hours of two days each, in a file per hour.
    expect(await world.lake.files('2026-02-01')).toBeGreaterThanOrEqual(3);
    world.now += 2 * DAY_MS;
    await run();
    await run();

    const left = await world.lake.compacted();
    const days = (source: string) =>
      [
        ...new Set(
          left
            .filter((row) => row.source_id === source)
            .map((row) => new Date(row.timestamp_us / 1000).toISOString().slice(0, 10)),
        ),
      ].sort();
    expect(days(SOURCE)).toEqual(['2026-02-01', '2026-02-02']);
    expect(days(other)).toEqual([
      '2026-01-23',
      '2026-01-24',
      '2026-01-25',
      '2026-02-01',
      '2026-02-02',
    ]);
    expect(left).toHaveLength(3 * (2 + 5));
    expect(await world.lake.storedRows()).toBe(left.length);
    expect(await world.query()).toHaveLength(3 * 2);
    expect(await world.lake.files('2026-02-01')).toBeLessThanOrEqual(2);
  });
});
