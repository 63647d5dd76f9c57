/**
 * Started as a process of its own by tests: opens the lake in the directory it is given, writes rows
 * from eight writers without end, and prints the id of each row once its write has resolved.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { LocalLake } from '../../src/local/lake.ts';
import { systemClock } from '../../src/platform/clock.ts';

const [directory, rotateBytes] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: writer.ts <directory> [rotateBytes]');
const silent = () => undefined;
const lake = await LocalLake.open({
  directory,
  clock: systemClock,
  logger: { info: silent, warn: silent, error: silent },
  rotateBytes: Number(rotateBytes ?? 1_000_000),
});

const writers = Array.from({ length: 8 }, async () => {
  for (;;) {
    const rows = Array.from({ length: 3 }, () => randomUUID());
    await lake.sink.write(
      rows.map((id) => JSON.stringify({ id, ingested_at: '2026-01-02 03:04:05.000' })),
    );
    // Synchronous, so that an acknowledgement is out before anything else can happen.
    writeSync(1, rows.map((id) => `${id}\n`).join(''));
  }
});
await Promise.all(writers);
