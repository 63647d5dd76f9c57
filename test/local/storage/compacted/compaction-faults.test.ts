import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LocalLake } from '../../../../src/local/lake.ts';
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

// Dozens of lakes are opened, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const DAY_MS = 24 * HOUR_MS;
const [FIRST, SECOND] = [HOUR, HOUR + HOUR_MS];
/** After both hours. */
const END = HOUR + 2 * HOUR_MS;
const OTHER = '00000000-0000-4000-8000-000000000002';
const ALL = ['a', 'b', 'c', 'd', 'old', 'other'];

let directory: string;
let fileSystem: FaultyFileSystem;
let clock: TestClock;
let lake: LocalLake;

/** Two landing hours in three files, with events of three days and two sources. */
beforeEach(async () => {
  directory = await temporaryDirectory();
  fileSystem = new FaultyFileSystem();
  clock = new TestClock(HOUR + 12 * HOUR_MS);
  lake = await openLake(directory, { fileSystem, clock });
  await land(lake, arrivedAt('a', FIRST), arrivedAt('old', FIRST, FIRST - 2 * DAY_MS));
  await land(lake, arrivedAt('b', FIRST + 1), arrivedAt('other', FIRST, FIRST - DAY_MS, OTHER));
  await land(lake, arrivedAt('c', SECOND), arrivedAt('d', SECOND));
  fileSystem.calls.length = 0;
});

interface Step {
  readonly name: string;
  /** Hours before it are read from the compacted table while the step runs. */
  readonly watermark: number;
  readonly run: () => Promise<void>;
}

/** Everything that compaction ever does, in an order in which it may happen. */
function steps(): Step[] {
  return [
    { name: 'copy the first hour', watermark: FIRST, run: () => compact(lake, FIRST) },
    { name: 'copy the second hour', watermark: SECOND, run: () => compact(lake, SECOND) },
    { name: 'optimize', watermark: END, run: () => lake.compaction.optimize('2026-01-02') },
    { name: 'see the watermark', watermark: END, run: () => lake.cleanUpLanding(END) },
    {
      name: 'clean up',
      watermark: END,
      run: async () => {
        clock.advance(HOUR_MS);
        // As if the watermark had gone on by the hours that landing files are kept.
        await lake.cleanUpLanding(END + 2 * HOUR_MS);
        clock.advance(HOUR_MS);
        await lake.cleanUpLanding(END + 2 * HOUR_MS);
      },
    },
  ];
}

async function runAll(onStep: (step: Step) => void = () => undefined): Promise<void> {
  for (const step of steps()) {
    onStep(step);
    await step.run();
    await lake.compaction.expireSnapshots();
  }
}

describe('compaction', () => {
  test('may be stopped before any operation on files, and a restart shows every row once', async () => {
    const crashes: { readonly step: Step; readonly at: string; readonly directory: string }[] = [];
    let current: Step | undefined;
    fileSystem.gate = async (operation, name) => {
      if (current) {
        const at = `${operation} ${name}`;
        crashes.push({ step: current, at, directory: await crashCopy(directory) });
      }
    };
    await runAll((step) => {
      current = step;
    });
    fileSystem.gate = async () => undefined;

    expect(crashes.length).toBeGreaterThan(30);
    for (const crash of crashes) {
      const where = `${crash.step.name}: ${crash.at}`;
      const restarted = await openLake(crash.directory, { clock });
      expect(await idsAt(restarted, crash.step.watermark), where).toEqual(ALL);
      await compact(restarted, FIRST, SECOND);
      await restarted.compaction.optimize('2026-01-02');
      await restarted.compaction.expireSnapshots();
      expect(await idsAt(restarted, END), where).toEqual(ALL);
      await restarted.close();
      const left = await filesBelow(join(crash.directory, 'lake'));
      expect(
        left.filter((name) => name.startsWith('tmp')),
        where,
      ).toEqual([]);
      expect(
        left.filter((name) => name.includes('day=2026-01-02')),
        where,
      ).toHaveLength(1);
    }
  });

  test('goes on after an operation on files that failed, whichever it was', async () => {
    const everything = async (of: LocalLake) => {
      await compact(of, FIRST, SECOND);
      await of.compaction.optimize('2026-01-02');
      await of.compaction.expireSnapshots();
    };
    let failing = 0;
    for (let hasFailed = true; hasFailed; failing += 1) {
      hasFailed = false;
      const faulty = new FaultyFileSystem();
      const place = await temporaryDirectory();
      const tried = await openLake(place, { fileSystem: faulty, clock });
      await land(tried, arrivedAt('a', FIRST));
      await land(tried, arrivedAt('b', SECOND));
      const last = faulty.calls.length + failing;
      faulty.fault = () => {
        if (faulty.calls.length !== last + 1) return undefined;
        hasFailed = true;
        return 'ENOSPC';
      };

      await everything(tried).catch((error) =>
        expect(error).toMatchObject({ code: 'query_failed' }),
      );
      expect(await idsAt(tried, HOUR)).toEqual(['a', 'b']);
      await everything(tried);

      expect(await idsAt(tried, END)).toEqual(['a', 'b']);
      const restarted = await openLake(await crashCopy(place), { clock });
      expect(await idsAt(restarted, END)).toEqual(['a', 'b']);
      await restarted.close();
      await tried.close();
    }
    expect(failing).toBeGreaterThan(20);
  });

  test('writes nothing more while a file that failed can neither be finished nor taken back', async () => {
    const copy = (day: string) => lake.compaction.copy(FIRST, [day], randomUUID());
    fileSystem.fault = (operation, name) =>
      `${operation} ${name}` === 'sync day=2026-01-02' || operation === 'unlink'
        ? 'EIO'
        : undefined;
    await expect(copy('2026-01-02')).rejects.toMatchObject({ code: 'query_failed' });
    fileSystem.fault = (operation) => (operation === 'unlink' ? 'EIO' : undefined);
    await expect(copy('2025-12-31')).rejects.toMatchObject({ code: 'query_failed' });

    fileSystem.fault = () => undefined;
    await copy('2025-12-31');
    await compact(lake, FIRST, SECOND);

    expect(await idsAt(lake, END)).toEqual(ALL);
    expect(await idsAt(await openLake(await crashCopy(directory), { clock }), END)).toEqual(ALL);
  });

  test('puts nothing on a disk that is nearly full', async () => {
    fileSystem.free = 100_000_000;

    await expect(compact(lake, FIRST)).rejects.toMatchObject({ code: 'query_failed' });

    expect(await readdir(join(directory, 'lake/log_events_compacted'))).toEqual([]);
    fileSystem.free = 10_000_000_000;
    await compact(lake, FIRST, SECOND);
    expect(await idsAt(lake, END)).toEqual(ALL);
  });
});

describe('deleting the rows of a source', () => {
  beforeEach(async () => {
    await land(lake, arrivedAt('e', FIRST, FIRST - DAY_MS));
    await compact(lake, FIRST, SECOND);
  });

  test('may be stopped before any operation on files, and is then done wholly or not at all', async () => {
    const crashes: string[] = [];
    fileSystem.gate = async () => {
      crashes.push(await crashCopy(directory));
    };
    await lake.compaction.deleteBefore('2026-01-02', OTHER, async () => {});
    await lake.compaction.expireSnapshots();
    fileSystem.gate = async () => undefined;

    expect(await idsAt(lake, END)).toEqual(['a', 'b', 'c', 'd', 'e', 'old']);
    expect(crashes.length).toBeGreaterThan(5);
    for (const crash of crashes) {
      const restarted = await openLake(crash, { clock });
      const found = await idsAt(restarted, END);
      expect([
        ['a', 'b', 'c', 'd', 'e', 'old'],
        ['a', 'b', 'c', 'd', 'e', 'old', 'other'],
      ]).toContainEqual(found);
      await restarted.compaction.deleteBefore('2026-01-02', OTHER, async () => {});
      expect(await idsAt(restarted, END)).toEqual(['a', 'b', 'c', 'd', 'e', 'old']);
      await restarted.close();
    }
  });
});
