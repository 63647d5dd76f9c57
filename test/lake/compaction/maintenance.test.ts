/** Steps of maintenance that fail: what goes on without them, and when they are tried again. */
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { aSource } from '../../support/registry.ts';
import { compaction, day, event, hour, MIDNIGHT, type Step } from './support.ts';

const failed = () => new ServiceError('query_failed', 502, 'Refused.');

/** Fails each step that begins so. */
const failing =
  (...names: readonly string[]): Step =>
  (name) => {
    if (names.some((each) => name.startsWith(each))) throw failed();
  };

/** Events of three days, two of which are over for a day. */
async function threeDays(options: Parameters<typeof compaction>[0] = {}) {
  const world = compaction(options);
  for (const n of [0, 1, 2]) world.lake.land(day(n), event(`e${n}`, day(n)));
  world.time.now = day(2);
  await world.run();
  world.time.now = day(3) + 1;
  return world;
}

const FIRST = '2026-02-10';
const SECOND = '2026-02-11';

test('a day that cannot be optimized keeps neither later days waiting nor snapshots', async () => {
  const { lake, time, run } = await threeDays();
  const expired = lake.expired;

  await run(failing(`before optimize ${FIRST}`));
  time.now = day(4) + 1;
  await run(failing(`before optimize ${FIRST}`));

  expect(lake.optimized).toEqual([SECOND, '2026-02-12']);
  expect(lake.expired).toBe(expired + 2);
});

test('a day that failed is tried again after an hour, then after twice as long, and at least once a day', async () => {
  const { lake, registry, time, run } = await threeDays();
  const attempts: number[] = [];
  const refuse: Step = (name) => {
    if (name !== `before optimize ${FIRST}`) return;
    attempts.push((time.now - day(3)) / 3_600_000);
    throw failed();
  };

  for (let runs = 0; runs < 5 * 24 * 6; runs++) {
    time.now = day(3) + runs * 600_000;
    await run(refuse);
  }

  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 55, 79, 103]);
  expect(registry.state?.notes.failed).toMatchObject({
    [`optimize ${FIRST}`]: { times: 9, code: 'query_failed', retryAt: day(3) + 127 * 3_600_000 },
  });

  time.now = day(3) + 127 * 3_600_000;
  await run();

  expect(lake.optimized).toContain(FIRST);
  expect(registry.state?.notes.failed).toEqual({});
});

test('a run says which steps fail, how often they did, and when they are tried next', async () => {
  const { lines, time, run } = await threeDays();
  await run(failing('before optimize'));
  time.now += 3_600_000;
  await run(failing(`before optimize ${FIRST}`));

  const last = lines.filter(({ message }) => message === 'compaction run').at(-1);

  expect(last?.fields).toMatchObject({
    failingSteps: 1,
    mostFailures: 2,
    failing: [
      {
        step: `optimize ${FIRST}`,
        times: 2,
        code: 'query_failed',
        retryAt: '2026-02-13T03:00:00.001Z',
      },
    ],
  });
});

test('events of a source that cannot be deleted keep those of no other source', async () => {
  const { lake, registry, time, run } = compaction({ retentionDays: 30 });
  registry.sources = ['web', 'api'].map((token) => aSource({ token, retention_days: 7 }));
  for (const source of ['web', 'api', 'ci'])
    lake.land(hour(1), event(source, day(-8), source), event(`old ${source}`, day(-40), source));

  await run(failing('before old rows of web'));
  expect(lake.copies.map(({ id }) => id)).toEqual(['web', 'ci']);

  time.now += 3_600_000;
  await run();
  expect(lake.copies.map(({ id }) => id)).toEqual(['ci']);
  expect(registry.state?.notes.failed).toEqual({});
});

test('a source that keeps its events by now leaves no note of its failures', async () => {
  const { registry, time, run } = compaction();
  registry.sources = [aSource({ token: 'web', retention_days: 7 })];
  await run(failing('before old rows of web'));
  expect(registry.state?.notes.failed).toHaveProperty('delete old events of web');

  registry.sources = [aSource({ token: 'web', retention_days: null })];
  time.now += 3_600_000;
  await run();

  expect(registry.state?.notes.failed).toEqual({});
});

test('snapshots that cannot be expired keep no day waiting', async () => {
  const { lake, run } = await threeDays();
  await run(failing('before expireSnapshots'));

  expect(lake.optimized).toEqual([FIRST, SECOND]);
});

test('a step of unknown failure is no reason to stop either', async () => {
  const { lake, registry, run } = await threeDays();
  await run((name) => {
    if (name === `before optimize ${FIRST}`) throw new TypeError('a fault of ours');
  });

  expect(lake.optimized).toEqual([SECOND]);
  expect(registry.state?.notes.failed).toMatchObject({
    [`optimize ${FIRST}`]: { code: 'internal_error' },
  });
});

test('a day whose optimization goes on past the run has not failed', async () => {
  const { lake, registry, run } = await threeDays();
  await run((name) => {
    if (name === `before optimize ${FIRST}`) throw new ServiceError('query_timeout', 504, 'Late.');
  });

  expect(lake.optimized).toEqual([]);
  expect(registry.state?.notes.failed).toEqual({});
});

test('a run that lost its place to another one does nothing more', async () => {
  const { lake, registry, run } = await threeDays();
  const other = registry.client(() => {});
  const steps: string[] = [];

  const lost = run(async (name) => {
    steps.push(name);
    if (name !== `before optimize ${FIRST}`) return;
    const state = await other.readCompaction();
    if (state !== undefined) await other.writeCompaction(state, state);
    throw failed();
  });

  await expect(lost).rejects.toMatchObject({ code: 'compaction_conflict' });
  expect(lake.optimized).toEqual([]);
  expect(steps.at(-1)).toBe('before the state is written');
});

test('notes of failures have a bound, and days beyond it are tried again all the same', async () => {
  const { lake, registry, time, run } = compaction();
  const days = Array.from({ length: 130 }, (_, n) => day(-n - 2));
  lake.land(hour(1), ...days.map((at, n) => event(`e${n}`, at)));
  await run();
  time.now = hour(40);
  await run(failing('before optimize'));
  expect(Object.keys(registry.state?.notes.failed ?? {})).toHaveLength(100);

  time.now += 3_600_000;
  await run();

  expect(lake.optimized).toHaveLength(130);
  expect(registry.state?.notes.failed).toEqual({});
});

test('an hour that cannot be read keeps its place, and maintenance goes on', async () => {
  const { lake, registry, time, run } = compaction({ retentionDays: 7 });
  lake.land(hour(1), event('old', day(-7)));
  await run();
  lake.land(hour(10), event('unreadable', hour(10)));
  time.now = day(1) + 1;

  await expect(run(failing('before missingDays'))).rejects.toMatchObject({ code: 'query_failed' });

  expect(registry.state?.watermark).toBe(hour(10));
  expect(lake.copies).toEqual([]);
  expect(lake.expired).toBe(2);
});

test('an hour that cannot be copied lets maintenance in when its copy is given up', async () => {
  const { lake, registry, time, run } = compaction({ retentionDays: 7 });
  lake.land(hour(1), event('old', day(-7)));
  await run();
  lake.land(hour(10), event('too large', hour(10)));
  const fail = failing('before the copy begins');
  time.now = day(1) + 1;

  for (const hours of [0, 2, 4]) {
    time.now = day(1) + hours * 3_600_000;
    await expect(run(fail)).rejects.toMatchObject({ code: 'query_failed' });
    expect(lake.copies.map(({ id }) => id)).toEqual(['old']);
  }
  time.now = day(1) + 5 * 3_600_000;
  await expect(run(fail)).rejects.toMatchObject({ code: 'query_failed' });

  expect(lake.copies).toEqual([]);
  expect(lake.expired).toBe(2);
  expect(registry.state?.watermark).toBe(MIDNIGHT + 10 * 3_600_000);
});
