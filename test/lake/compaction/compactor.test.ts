import { expect, test } from 'vitest';
import type { CompactorDeps } from '../../../src/lake/compaction/compactor.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lake/compaction/hours.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { aSource } from '../../support/registry.ts';
import { compaction, day, event, hour, MIDNIGHT, type Step } from './support.ts';

test('closed hours are copied and the watermark moves behind them', async () => {
  const { lake, registry, run } = compaction();
  lake.land(hour(2), event('a', hour(2)));
  lake.land(hour(8), event('b', hour(8)));
  lake.land(hour(9), event('c', hour(9)));
  lake.land(hour(10), event('open', hour(10)));

  expect(await run()).toEqual({ ran: true, hours: 3 });

  expect(lake.copies.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(registry.state).toMatchObject({ watermark: hour(10), landed: { [hour(2)]: 1 } });
  expect(registry.state).not.toHaveProperty('started');
});

test('an hour is open until the filing delay and ten minutes are over', async () => {
  const { lake, registry, time, run } = compaction();
  lake.land(hour(9), event('a', hour(9)));

  time.now = hour(10.5) - 1;
  await run();
  expect(registry.state?.watermark).toBe(hour(9));

  time.now = hour(10.5);
  await run();
  expect(registry.state?.watermark).toBe(hour(10));
});

test('a lake without events is compacted up to now', async () => {
  const { registry, time, run } = compaction();
  time.now = hour(10.5) + 100 * DAY_MS;

  expect(await run()).toEqual({ ran: true, hours: 0 });

  expect(registry.state?.watermark).toBe(hour(10) + 100 * DAY_MS);
});

test('an hour with events of more days than one copy takes is copied in several', async () => {
  const { lake, registry, run } = compaction();
  lake.land(hour(3), ...[0, 1, 2, 3, 4].map((n) => event(`e${n}`, day(-n))));

  await run();

  expect(lake.copies).toHaveLength(5);
  expect(registry.state?.watermark).toBe(hour(10));
});

test('copies of an event are one event, also when they landed in several hours', async () => {
  const { lake, run } = compaction();
  lake.land(hour(3), event('a', hour(3)), event('a', hour(3)));
  lake.land(hour(4), event('a', hour(3)), event('a', hour(4)));

  await run();

  expect(lake.copies.map(({ id, at }) => `${id} ${at}`)).toEqual([`a ${hour(3)}`, `a ${hour(4)}`]);
});

test('what lands late in a compacted hour is copied within an hour, for two days', async () => {
  const { lake, registry, time, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  await run();
  lake.land(hour(3), event('late', hour(3)));
  lake.land(hour(5), event('later', hour(5)));

  time.now += HOUR_MS - 1;
  await run();
  expect(lake.copies.map(({ id }) => id)).toEqual(['a']);

  time.now += 1;
  await run();
  expect(lake.copies.map(({ id }) => id)).toEqual(['a', 'late', 'later']);
  expect(registry.state).toMatchObject({
    watermark: hour(11),
    landed: { [hour(3)]: 2, [hour(5)]: 1 },
  });

  time.now += 3 * DAY_MS;
  lake.land(hour(3), event('lost', hour(3)));
  lake.land(day(3), event('new', day(3)));
  await run();
  expect(registry.state?.landed).toEqual({ [day(3)]: 1 });
  expect(lake.copies.map(({ id }) => id)).not.toContain('lost');
});

test('an hour to which nothing came late is not compared with its copies again', async () => {
  const { lake, time, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  await run();
  const steps: string[] = [];

  time.now += HOUR_MS;
  await run((step) => {
    steps.push(step);
  });

  expect(steps).toContain('before landedRows');
  expect(steps).not.toContain('before missingDays');
});

test('a run ends at its deadline and the next goes on', async () => {
  const { lake, registry, time, run } = compaction();
  for (let n = 0; n < 4; n++) lake.land(hour(n), event(`e${n}`, hour(n)));
  const slowly: Step = (name) => {
    if (name === 'after the copy') time.now += 60_000;
  };

  // Three minutes of it are kept back for what is done once a day.
  await run(slowly, time.now + 180_000 + 90_000);
  expect(registry.state?.watermark).toBe(hour(2));

  await run();
  expect(registry.state?.watermark).toBe(hour(10));
  expect(lake.copies).toHaveLength(4);
});

test('a copy that takes longer than a run is waited for by the next, and is no error', async () => {
  const { lake, registry, lines, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  await run((name) => {
    if (name === 'while the copy runs') throw new ServiceError('query_timeout', 504, 'Too long.');
  });
  const [token] = lake.running.keys();
  expect(registry.state).toMatchObject({ watermark: MIDNIGHT, started: { hour: hour(3), token } });
  expect(registry.state?.started?.statement).toContain(`copy ${hour(3)}`);

  await run();

  expect(lake.copies.map(({ id }) => id)).toEqual(['a']);
  expect(registry.state?.watermark).toBe(hour(10));
  expect(lines.map(({ message }) => message)).toContain(
    'a step of compaction goes on without this run',
  );
});

test('a copy of which nothing was heard for hours is given up', async () => {
  const { lake, registry, time, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  const refused: Step = (name) => {
    if (name === 'before the copy begins') throw new ServiceError('query_failed', 502, 'Refused.');
  };
  await expect(run(refused)).rejects.toMatchObject({ code: 'query_failed' });
  const first = registry.state?.started?.token;

  time.now += HOUR_MS;
  await expect(run(refused)).rejects.toMatchObject({ code: 'query_failed' });
  expect(registry.state?.started?.token).toBe(first);

  time.now += 4 * HOUR_MS;
  await expect(run(refused)).rejects.toMatchObject({ code: 'query_failed' });
  expect(registry.state?.started?.token).not.toBe(first);
});

test('every run tells how far behind the watermark is', async () => {
  const { lake, lines, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  const broken: Step = (name) => {
    if (name === 'before missingDays') throw new Error('broken');
  };

  await expect(run(broken)).rejects.toThrow('broken');
  await run();

  const runs = lines.filter(({ message }) => message === 'compaction run');
  expect(runs.map(({ fields }) => fields?.behindSeconds)).toEqual([10.5 * 3600, 1800]);
});

test('nothing is done while another process holds the lease', async () => {
  const { lake, run } = compaction({
    leases: { acquire: async () => undefined } as unknown as CompactorDeps['leases'],
  });
  lake.land(hour(3), event('a', hour(3)));

  expect(await run()).toEqual({ ran: false, hours: 0 });
  expect(lake.copies).toEqual([]);
});

test('of two runs that both hold the lease one stops, and no event is copied twice', async () => {
  const { lake, registry, run } = compaction();
  lake.land(hour(3), event('a', hour(3)));
  lake.land(hour(4), event('b', hour(4)));
  const taken = async () => new Promise<void>((resolve) => setImmediate(resolve));

  const runs = await Promise.allSettled([run(taken), run(taken)]);

  expect(runs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(lake.copies.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(registry.state?.watermark).toBe(hour(10));
});

test('a day is optimized once, a day after its end, and again after late events', async () => {
  const { lake, time, run } = compaction();
  lake.land(hour(1), event('a', hour(1)), event('old', day(-9)));
  await run();
  expect(lake.optimized).toEqual([]);

  time.now = day(1) + 11 * HOUR_MS;
  await run();
  expect(lake.optimized).toEqual(['2026-02-01']);

  time.now = day(2);
  await run();
  await run();
  expect(lake.optimized).toEqual(['2026-02-01', '2026-02-10']);

  lake.land(day(2), event('late', hour(1)));
  time.now = day(2) + 3 * HOUR_MS;
  await run();
  time.now = day(3) + 4 * HOUR_MS;
  await run();
  expect(lake.optimized.slice(2)).toContain('2026-02-10');
});

test('old events are deleted once a day: of sources that keep them shorter, and of all', async () => {
  const { lake, registry, time, run } = compaction({ retentionDays: 30 });
  registry.sources = [
    aSource({ token: 'web', retention_days: 7 }),
    aSource({ token: 'api', retention_days: null }),
    aSource({ token: 'ci', retention_days: 90 }),
  ];
  const ages = [6, 7, 8, 30, 31];
  for (const source of ['web', 'api', 'ci']) {
    lake.land(hour(1), ...ages.map((age) => event(`${source} ${age}`, day(-age), source)));
  }

  await run();

  const left = [
    'web 6',
    'web 7',
    ...['api', 'ci'].flatMap((s) => [6, 7, 8, 30].map((n) => `${s} ${n}`)),
  ];
  expect(lake.copies.map(({ id }) => id).sort()).toEqual(left.sort());

  time.now = day(1);
  await run();
  expect(lake.copies.map(({ id }) => id)).not.toContain('web 7');
});

test('a day that loses rows of some sources is optimized a day later, once for all', async () => {
  const { lake, registry, time, run } = compaction({ retentionDays: 30 });
  registry.sources = ['web', 'api'].map((token) => aSource({ token, retention_days: 7 }));
  for (const source of ['web', 'api', 'ci']) lake.land(hour(1), event(source, day(-6), source));
  for (const now of [hour(10.5), hour(35)]) {
    time.now = now;
    await run();
  }
  expect(lake.optimized).toEqual(['2026-02-04']);

  time.now = day(2);
  await run();
  expect(lake.copies.map(({ id }) => id)).toEqual(['ci']);
  expect([...lake.holding]).toEqual(['2026-02-04']);

  for (const now of [day(3) - 1, day(3), day(4)]) {
    time.now = now;
    await run();
  }
  expect(lake.optimized).toEqual(['2026-02-04', '2026-02-04']);
  expect([...lake.holding]).toEqual([]);
});

test('days that all sources lose are not optimized', async () => {
  const { lake, time, run } = compaction({ retentionDays: 7 });
  lake.land(hour(1), event('a', day(-6)));
  for (const now of [hour(10.5), hour(35), day(2), day(3), day(4)]) {
    time.now = now;
    await run();
  }

  expect(lake.copies).toEqual([]);
  expect(lake.optimized).toEqual(['2026-02-04']);
});

test('days that an earlier release noted are optimized', async () => {
  const { lake, registry, run } = compaction();
  const notes = { copiedAt: { '2026-02-08': day(-1), '2026-02-10': hour(1) } };
  const state = { watermark: hour(10), landed: {}, notes };
  await registry.client(() => {}).writeCompaction(state, undefined);

  await run();

  expect(lake.optimized).toEqual(['2026-02-08']);
  expect(registry.state?.notes).toMatchObject({ changedAt: { '2026-02-10': hour(1) } });
  expect(registry.state?.notes).not.toHaveProperty('copiedAt');
});

test('snapshots are expired once a day, and not while a copy is outstanding', async () => {
  const { lake, time, run } = compaction();
  lake.land(hour(1), event('a', hour(1)));
  await run((name) => {
    if (name === 'while the copy runs') throw new ServiceError('query_timeout', 504, 'Too long.');
  });
  expect(lake.expired).toBe(0);

  await run();
  await run();
  expect(lake.expired).toBe(1);

  time.now = day(1);
  await run();
  expect(lake.expired).toBe(2);
});
