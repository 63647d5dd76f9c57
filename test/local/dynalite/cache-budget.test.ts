import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { CacheBudget } from '../../../src/local/dynalite/cache-budget.ts';
import {
  LOCAL_TABLES,
  type LocalDynamoDB,
  startDynamoDB,
} from '../../../src/local/dynalite/dynamodb.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { ResultStore } from '../../../src/query/cache/result-cache-store.ts';
import { cleanUpAfterEach, defer, RecordingLogger, temporaryDirectory } from '../support.ts';

cleanUpAfterEach();

const table = LOCAL_TABLES.cache;
const NEVER = Date.UTC(2100, 0, 1);
/** Compressed bytes of one result; three of them fit into the budget, and a fourth does not. */
const BYTES = 400_000;

let database: LocalDynamoDB;
let time: number;
beforeEach(async () => {
  database = await startDynamoDB(await temporaryDirectory());
  defer(() => database.close());
  time = 1_000;
});

/** As a process that starts has it. */
function start() {
  const budget = new CacheBudget({
    maxBytes: 3.5 * BYTES,
    discard: (key) => results.discard(key),
    logger: new RecordingLogger(),
  });
  const results = new ResultStore({
    client: database.client,
    table,
    clock: systemClock,
    onWritten: (key, bytes) => budget.written(key, bytes),
  });
  const write = async (...keys: string[]) => {
    for (const key of keys) {
      time += 1;
      const rows = [[randomBytes(BYTES).toString('base64')]];
      const columns = [{ name: 'v', type: { kind: 'string' } } as const];
      await results.write(key, { columns, rows, startedAt: time, createdAt: time }, NEVER);
    }
  };
  const kept = async (...keys: string[]) => {
    const times = await Promise.all(keys.map((key) => results.times(key)));
    return keys.filter((_, index) => times[index] !== undefined);
  };
  return { budget, write, kept };
}

test('the oldest result goes when a new one does not fit', async () => {
  const { write, kept } = start();

  await write('a', 'b', 'c', 'd');

  expect(await kept('a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd']);
});

test('a result that was replaced is a new one, and counts once', async () => {
  const { write, kept } = start();

  await write('a', 'b', 'a', 'a', 'c', 'd');

  expect(await kept('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
});

test('results of an earlier process count, and are older', async () => {
  await start().write('a', 'b', 'c');
  const { budget, write, kept } = start();

  await write('d');
  await budget.count({ client: database.client, table });

  expect(await kept('a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd']);
});
