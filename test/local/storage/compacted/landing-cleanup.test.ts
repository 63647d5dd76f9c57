import { beforeEach, describe, expect, test } from 'vitest';
import type { LocalLake } from '../../../../src/local/lake.ts';
import { runStatement } from '../../../support/run-statement.ts';
import { FaultyFileSystem } from '../../faulty-file-system.ts';
import {
  cleanUpAfterEach,
  crashCopy,
  filesBelow,
  openLake,
  temporaryDirectory,
} from '../../support.ts';
import { arrivedAt, compact, HOUR, HOUR_MS, idsAt, land, TestClock } from './compaction-support.ts';

cleanUpAfterEach();

/** Hours before the watermark that are kept. */
const KEPT = 2 * HOUR_MS;
/** Every earlier hour is compacted; the landing hour `HOUR` is old enough to go. */
const WATERMARK = HOUR + HOUR_MS + KEPT;

let directory: string;
let fileSystem: FaultyFileSystem;
let clock: TestClock;
let lake: LocalLake;

beforeEach(async () => {
  directory = await temporaryDirectory();
  fileSystem = new FaultyFileSystem();
  clock = new TestClock(WATERMARK + HOUR_MS);
  lake = await openLake(directory, { clock, fileSystem });
  await land(lake, arrivedAt('a', HOUR));
  await land(lake, arrivedAt('b', HOUR));
  await land(lake, arrivedAt('c', HOUR + HOUR_MS));
  await compact(lake, HOUR, HOUR + HOUR_MS);
});

/** Runs twice, with as much time between that no query can know an older watermark. */
async function cleanUp(watermark = WATERMARK, of = lake): Promise<void> {
  await of.cleanUpLanding(watermark);
  clock.advance(HOUR_MS);
  await of.cleanUpLanding(watermark);
}

async function landingFiles(): Promise<string[]> {
  const files = await filesBelow(`${directory}/lake/log_events`);
  return files.filter((name) => name.endsWith('.parquet'));
}

describe('landing files', () => {
  test('go when they have been compacted for hours', async () => {
    await cleanUp();

    await expect.poll(landingFiles).toEqual(['dt=2026-01-02/hour=04/0000000003.parquet']);
    expect(await idsAt(lake, WATERMARK)).toEqual(['a', 'b', 'c']);
  });

  test('stay while a query may know an older watermark only', async () => {
    await lake.cleanUpLanding(WATERMARK);
    clock.advance(30 * 60_000);

    await lake.cleanUpLanding(WATERMARK);

    expect(await landingFiles()).toHaveLength(3);
    expect(await idsAt(lake, HOUR)).toEqual(['a', 'b', 'c']);
  });

  test('stay after a restart until it is known anew that no query needs them', async () => {
    await lake.cleanUpLanding(WATERMARK);
    clock.advance(HOUR_MS);
    await lake.close();
    const next = await openLake(directory, { clock });

    await next.cleanUpLanding(WATERMARK);

    expect(await landingFiles()).toHaveLength(3);
  });

  test('stay within two hours before the watermark', async () => {
    await cleanUp(WATERMARK - HOUR_MS);

    expect(await landingFiles()).toHaveLength(3);
  });

  test('stay on disk for a query that began before, and no longer', async () => {
    const endless = runStatement(lake.engine, {
      text: `SELECT count(*) FROM ${lake.table} e, range(1000000000) a, range(1000) b
             WHERE hash(e.id, a.range, b.range) = 0`,
      columns: [{ name: 'n', type: { kind: 'int64' } }],
      token: 'endless',
      deadline: clock.now() + 10 * HOUR_MS,
    });
    const ended = expect(endless).rejects.toMatchObject({ code: 'engine_throttled' });
    await cleanUp();

    expect(await landingFiles()).toHaveLength(3);
    await lake.close();
    await ended;
    expect(await landingFiles()).toHaveLength(1);
  });

  test('are copied before they go when they were filed after their hour was complete', async () => {
    await land(lake, arrivedAt('late', HOUR));
    expect(await idsAt(lake, WATERMARK)).toEqual(['a', 'b', 'c']);

    await cleanUp();
    await land(lake, arrivedAt('later still', HOUR));
    await cleanUp();

    await expect.poll(landingFiles).toEqual(['dt=2026-01-02/hour=04/0000000003.parquet']);
    expect(await idsAt(lake, WATERMARK)).toEqual(['a', 'b', 'c', 'late', 'later still']);
  });

  test('are all there or gone with their rows safe, wherever a process is stopped', async () => {
    const crashes: string[] = [];
    await land(lake, arrivedAt('late', HOUR));
    await lake.cleanUpLanding(WATERMARK);
    clock.advance(HOUR_MS);
    fileSystem.gate = async () => {
      crashes.push(await crashCopy(directory));
    };
    await lake.cleanUpLanding(WATERMARK);
    await lake.close();

    expect(crashes.length).toBeGreaterThan(8);
    for (const crash of crashes) {
      const restarted = await openLake(crash, { clock });
      await cleanUp(WATERMARK, restarted);
      expect(await idsAt(restarted, WATERMARK)).toEqual(['a', 'b', 'c', 'late']);
      await restarted.close();
    }
  });

  test('that could not be removed are removed after the next start', async () => {
    fileSystem.fault = (operation) => (operation === 'unlink' ? 'EIO' : undefined);
    await cleanUp();
    expect(await idsAt(lake, WATERMARK)).toEqual(['a', 'b', 'c']);
    await lake.close();

    const next = await openLake(directory, { clock });
    await cleanUp(WATERMARK, next);

    await expect.poll(landingFiles).toEqual(['dt=2026-01-02/hour=04/0000000003.parquet']);
    expect(await idsAt(next, WATERMARK)).toEqual(['a', 'b', 'c']);
  });
});

describe('segment numbers', () => {
  test('are given anew only when nothing of the old ones is left', async () => {
    await compact(lake, HOUR, HOUR + HOUR_MS);
    await cleanUp(WATERMARK + HOUR_MS);
    await expect.poll(landingFiles).toEqual([]);
    await lake.close();

    const next = await openLake(directory, { clock });
    await land(next, arrivedAt('d', WATERMARK));

    expect(await landingFiles()).toEqual(['dt=2026-01-02/hour=06/0000000001.parquet']);
    expect(await idsAt(next, WATERMARK)).toEqual(['a', 'b', 'c', 'd']);
  });
});
