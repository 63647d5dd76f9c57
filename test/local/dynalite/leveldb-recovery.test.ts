import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LeveldbRecovery } from '../../../src/local/dynalite/leveldb-recovery.ts';
import { guardWrites } from '../../../src/local/dynalite/leveldb-write-guard.ts';
import { hasRoom } from '../../../src/local/storage/disk/disk-room.ts';
import { cleanUpAfterEach, defer, RecordingLogger, temporaryDirectory } from '../support.ts';

cleanUpAfterEach();

/** Has a store in a directory fail to write. */
async function failToWrite(location: string): Promise<void> {
  const put = async () => {
    throw new Error('IO error: No space left on device');
  };
  const level = { prototype: { location, put, del: put, batch: put } };
  guardWrites(level);
  await expect(level.prototype.put()).rejects.toThrow();
}

describe('a store that could not write', () => {
  let directory: string;
  let logger: RecordingLogger;
  let outcomes: (Error | undefined)[];
  let reopened: number;
  let recovery: LeveldbRecovery;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    directory = await temporaryDirectory();
    logger = new RecordingLogger();
    outcomes = [];
    reopened = 0;
    recovery = new LeveldbRecovery({
      directory,
      logger,
      async reopen() {
        reopened += 1;
        const outcome = outcomes.shift();
        if (outcome) throw outcome;
      },
    });
    defer(() => recovery.close());
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const levels = () => logger.lines.map(({ level }) => level);

  /** Lets the clock run, and the disk at its own pace. */
  async function untilReopened(): Promise<void> {
    while (!levels().includes('info')) {
      await vi.advanceTimersByTimeAsync(1_000);
      await setImmediate();
    }
  }

  test('is opened anew, once', async () => {
    await failToWrite(directory);

    await untilReopened();
    await vi.advanceTimersByTimeAsync(10_000);

    expect(levels()).toEqual(['error', 'info']);
    expect(reopened).toBe(1);
    expect(await readdir(directory)).toEqual([]);
  });

  test('is tried again until it opens', async () => {
    outcomes = [new Error('still full'), new Error('still full')];
    await failToWrite(directory);

    await untilReopened();

    expect(levels()).toEqual(['error', 'error', 'error', 'info']);
    expect(reopened).toBe(3);
  });

  test('stays closed when the service stops', async () => {
    await failToWrite(directory);
    await recovery.close();

    await vi.advanceTimersByTimeAsync(10_000);

    expect(reopened).toBe(0);
  });

  test('of another directory does not matter', async () => {
    await failToWrite(join(directory, 'other'));

    await vi.advanceTimersByTimeAsync(10_000);

    expect(logger.lines).toEqual([]);
    expect(reopened).toBe(0);
  });
});

describe('hasRoom', () => {
  test('tries, and leaves nothing behind', async () => {
    const directory = await temporaryDirectory();

    expect(await hasRoom(directory, 4_096)).toBe(true);
    expect(await readdir(directory)).toEqual([]);
  });

  test('does not try what cannot be', async () => {
    const directory = await temporaryDirectory();

    expect(await hasRoom(directory, 2 ** 60)).toBe(false);
    expect(await readdir(directory)).toEqual([]);
  });
});
