import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { dynamoRegistry } from '../../../../src/catalog/registry.ts';
import { CompactionSchedule } from '../../../../src/local/compaction-schedule.ts';
import { openDataDirectory } from '../../../../src/local/data-directory.ts';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import { cleanUpAfterEach, RecordingLogger, temporaryDirectory } from '../../support.ts';
import { startCompactor } from '../../writer-process.ts';
import { HOUR, HOUR_MS, idsAt, TestClock } from './compaction-support.ts';

cleanUpAfterEach();

const ROUNDS = 5;
/** More than the hours that a clock runs through in one round. */
const ROUND_MS = 100 * HOUR_MS;

/** What a service that is started now finds, before and after it has compacted all it can. */
async function found(directory: string, clock: TestClock) {
  const logger = Object.assign(new RecordingLogger(), { debug() {} });
  const data = await openDataDirectory(directory, { clock, logger });
  try {
    const registry = dynamoRegistry({
      client: data.client,
      table: LOCAL_TABLES.registry,
      clock,
    });
    const ids = async () => idsAt(data.lake, (await registry.watermark()) ?? 0);
    const before = await ids();
    const compaction = new CompactionSchedule({ data, registry, clock, logger });
    await compaction.runOnce();
    clock.advance(HOUR_MS);
    await compaction.runOnce();
    return { before, after: await ids(), oldestHour: data.lake.oldestHour };
  } finally {
    await data.close();
  }
}

test('has every acknowledged row exactly once after SIGKILL while it compacts, again and again', async () => {
  const directory = await temporaryDirectory();
  const clock = new TestClock(HOUR);
  const acknowledged: string[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    const compactor = await startCompactor(directory, clock.now());
    await compactor.acknowledged(randomInt(1, 1_500));
    acknowledged.push(...(await compactor.kill()));
    clock.advance(ROUND_MS);
    const { before, after, oldestHour } = await found(directory, clock);

    expect(new Set(before).size).toBe(before.length);
    expect([...new Set(acknowledged).difference(new Set(before))]).toEqual([]);
    expect(after).toEqual(before);
    // All landing files are gone: what was found is in the compacted table.
    expect(oldestHour).toBeUndefined();
  }

  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
}, 90_000);
