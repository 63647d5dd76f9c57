import { beforeEach, expect, test } from 'vitest';
import type { LocalLake } from '../../../../src/local/lake.ts';
import { cleanUpAfterEach, openLake, temporaryDirectory } from '../../support.ts';
import { arrivedAt, compact, HOUR, HOUR_MS, idsAt, TestClock } from './compaction-support.ts';

cleanUpAfterEach();

const HOURS = 12;
const ROWS_AN_HOUR = 5;

let clock: TestClock;
let lake: LocalLake;
let all: string[];

/** Twelve hours of landing, a file for each row. */
beforeEach(async () => {
  clock = new TestClock(HOUR + 2 * HOURS * HOUR_MS);
  lake = await openLake(await temporaryDirectory(), {
    clock,
    rotateBytes: 1,
  });
  all = [];
  for (let n = 0; n < HOURS * ROWS_AN_HOUR; n += 1) {
    const id = `row-${String(n).padStart(2, '0')}`;
    all.push(id);
    await lake.sink.write([arrivedAt(id, HOUR + Math.floor(n / ROWS_AN_HOUR) * HOUR_MS)]);
  }
  await lake.flush();
});

test('queries see each row once at any moment of compaction and cleaning up', async () => {
  let watermark = HOUR;
  let isCompacting = true;
  const compaction = (async () => {
    for (let hour = HOUR; hour < HOUR + HOURS * HOUR_MS; hour += HOUR_MS) {
      await compact(lake, hour);
      watermark = hour + HOUR_MS;
      if (hour % (3 * HOUR_MS) === 0) await lake.compaction.optimize('2026-01-02');
      await lake.cleanUpLanding(watermark);
      clock.advance(HOUR_MS);
    }
    await lake.compaction.optimize('2026-01-02');
    isCompacting = false;
  })();

  let asked = 0;
  while (isCompacting) {
    expect(await idsAt(lake, watermark)).toEqual(all);
    asked += 1;
  }
  await compaction;

  expect(asked).toBeGreaterThan(3);
  expect(await idsAt(lake, watermark)).toEqual(all);
});

test('queries see rows that arrive meanwhile', async () => {
  const now = clock.now();
  const compaction = (async () => {
    for (let hour = HOUR; hour < HOUR + HOURS * HOUR_MS; hour += HOUR_MS) await compact(lake, hour);
  })();

  for (let n = 0; n < 20; n += 1) {
    await lake.sink.write([arrivedAt(`zz-${n + 10}`, now)]);
    all.push(`zz-${n + 10}`);
    expect(await idsAt(lake, HOUR)).toEqual(all);
  }
  await compaction;

  expect(await idsAt(lake, HOUR + HOURS * HOUR_MS)).toEqual(all);
});

test('what is being compacted is finished or given up when the lake closes', async () => {
  const directory = await temporaryDirectory();
  const closing = await openLake(directory, { clock });
  for (let n = 0; n < 5; n += 1) {
    await closing.sink.write([arrivedAt(`row-${n}`, HOUR, HOUR - n * 24 * HOUR_MS)]);
  }
  const compaction = compact(closing, HOUR).catch((error) =>
    expect(error).toMatchObject({ code: 'engine_throttled' }),
  );

  await closing.close();
  await compaction;
  await expect(closing.compaction.missingDays(HOUR)).rejects.toMatchObject({
    code: 'engine_throttled',
  });

  const next = await openLake(directory, { clock });
  await compact(next, HOUR);
  expect(await idsAt(next, HOUR + HOUR_MS)).toEqual(['row-0', 'row-1', 'row-2', 'row-3', 'row-4']);
});
