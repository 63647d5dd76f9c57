import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUpAfterEach, filesBelow, ids, openLake, temporaryDirectory } from './support.ts';
import { startWriter } from './writer-process.ts';

cleanUpAfterEach();

const ROUNDS = 6;
/** Some 20 rows, so that most kills hit a rotation or a conversion. */
const TINY_SEGMENT = 1_500;

test('has every acknowledged row exactly once after SIGKILL, again and again', async () => {
  const directory = await temporaryDirectory();
  const acknowledged: string[] = [];
  const converted = new Set<string>();

  for (let round = 0; round < ROUNDS; round += 1) {
    const writer = await startWriter(directory, TINY_SEGMENT);
    await writer.acknowledged(randomInt(1, 400));
    acknowledged.push(...(await writer.kill()));
    for (const file of await filesBelow(join(directory, 'lake'))) {
      if (/\d\.parquet$/.test(file)) converted.add(file);
    }
  }
  const found = await ids(await openLake(directory));

  expect(new Set(found).size).toBe(found.length);
  expect(acknowledged.filter((id) => !found.includes(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(converted.size).toBeGreaterThan(1);
});
