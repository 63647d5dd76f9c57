/**
 * Started as a process of its own by tests: opens the data directory it is given at a time it is given,
 * writes rows from four writers without end, and compacts without end while its clock runs ahead. Prints
 * the id of each row once its write has resolved.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { dynamoRegistry } from '../../../../src/catalog/registry.ts';
import { CompactionSchedule } from '../../../../src/local/compaction-schedule.ts';
import { openDataDirectory } from '../../../../src/local/data-directory.ts';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import { arrivedAt, TestClock } from './compaction-support.ts';

/** A few of them fit between an hour and its being closed. */
const STEP_MS = 6 * 60_000;
/** So that compaction gets somewhere meanwhile. */
const PAUSE_MS = 10;

const [directory, startedAt] = process.argv.slice(2);
if (directory === undefined || startedAt === undefined) {
  throw new Error('usage: compactor.ts <directory> <milliseconds since the epoch>');
}
const clock = new TestClock(Number(startedAt));
const logger = createLogger({ clock, level: 'error' });
const data = await openDataDirectory(directory, { clock, logger });
const registry = dynamoRegistry({ client: data.client, table: LOCAL_TABLES.registry, clock });
const compaction = new CompactionSchedule({ data, registry, clock, logger });

const writing: Promise<void>[] = [];
const writers = Array.from({ length: 4 }, async (_, writer) => {
  for (;;) {
    const rows = Array.from({ length: 3 }, () => randomUUID());
    const written = data.lake.sink.write(rows.map((id) => arrivedAt(id, clock.now())));
    writing[writer] = written;
    await written;
    // Synchronous, so that an acknowledgement is out before anything else can happen.
    writeSync(1, rows.map((id) => `${id}\n`).join(''));
    await setTimeout(PAUSE_MS);
  }
});
const compacting = (async () => {
  for (;;) {
    await compaction.runOnce();
    // A row must not take hours to be written.
    await Promise.all(writing);
    clock.advance(STEP_MS);
  }
})();
await Promise.all([...writers, compacting]);
