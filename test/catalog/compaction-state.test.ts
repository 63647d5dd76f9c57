import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  COMPACTION_PARTITION,
  WATERMARK_CACHE_MS,
  WATERMARK_MAX_AGE_MS,
} from '../../src/catalog/compaction-state.ts';
import type { CompactionProgress } from '../../src/catalog/types.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import {
  openDatabase,
  outcomes,
  stuttering,
  type TestDatabase,
  watched,
} from '../support/registry.ts';

const HOUR_MS = 3_600_000;
const W = Date.UTC(2026, 0, 2, 2);

let database: TestDatabase;

beforeEach(async () => {
  database = await openDatabase();
});

afterEach(() => database.close());

function progress(fields: Partial<CompactionProgress> = {}): CompactionProgress {
  return { watermark: W, landed: {}, notes: {}, ...fields };
}

test('before the first run there is neither state nor watermark', async () => {
  const registry = database.registry();

  expect(await registry.readCompaction()).toBeUndefined();
  expect(await registry.watermark()).toBeUndefined();
});

test('all of the state comes back as it was written', async () => {
  const registry = database.registry();
  const next = progress({
    landed: { [W - HOUR_MS]: 12 },
    started: { hour: W, days: ['2026-01-01', '2026-01-02'], token: 'sluice-0' },
    notes: { optimized: { '2026-01-01': 3 }, expiredAt: null },
  });

  const written = await registry.writeCompaction(next, undefined);

  expect(written).toMatchObject(next);
  expect(await database.registry().readCompaction()).toEqual(written);
});

test('what is left out of the next state is gone', async () => {
  const registry = database.registry();
  const started = { hour: W, days: ['2026-01-01'], token: 'sluice-0' };

  const first = await registry.writeCompaction(progress({ started }), undefined);
  await registry.writeCompaction(progress(), first);

  expect(await registry.readCompaction()).not.toHaveProperty('started');
});

test('who writes over a state that is not the newest is refused', async () => {
  const registry = database.registry();
  const first = await registry.writeCompaction(progress(), undefined);
  const second = await registry.writeCompaction(progress({ watermark: W + HOUR_MS }), first);

  const conflict = { code: 'compaction_conflict', status: 409 };
  await expect(registry.writeCompaction(progress(), first)).rejects.toMatchObject(conflict);
  await expect(registry.writeCompaction(progress(), undefined)).rejects.toMatchObject(conflict);
  expect(await registry.readCompaction()).toEqual(second);
});

test('of ten writers at once one succeeds', async () => {
  const first = await database.registry().writeCompaction(progress(), undefined);

  const { succeeded, errors } = await outcomes(
    Array.from({ length: 10 }, () =>
      database.registry().writeCompaction(progress({ watermark: W + HOUR_MS }), first),
    ),
  );

  expect(succeeded).toBe(1);
  expect(errors).toHaveLength(9);
});

test('a write that the SDK sends twice succeeds', async () => {
  const registry = database.registry({ client: stuttering(database.client) });

  const first = await registry.writeCompaction(progress(), undefined);
  await registry.writeCompaction(progress({ watermark: W + HOUR_MS }), first);

  expect(await database.registry().watermark()).toBe(W + HOUR_MS);
});

test('the watermark never moves back', async () => {
  const registry = database.registry();
  const first = await registry.writeCompaction(progress(), undefined);

  const written = registry.writeCompaction(progress({ watermark: W - HOUR_MS }), first);

  await expect(written).rejects.toThrow('never moves back');
});

test('the watermark is read once a minute, or up to a fifth sooner', async () => {
  const { client, calls } = watched(database.client);
  const [reader, writer] = [database.registry({ client }), database.registry()];
  const first = await writer.writeCompaction(progress(), undefined);
  await reader.watermark();
  await writer.writeCompaction(progress({ watermark: W + HOUR_MS }), first);

  database.clock.advance(WATERMARK_CACHE_MS * 0.8 - 1);
  const before = await reader.watermark();
  database.clock.advance(WATERMARK_CACHE_MS * 0.2 + 1);
  const after = await reader.watermark();

  expect([before, after]).toEqual([W, W + HOUR_MS]);
  expect(calls).toEqual(['Get', 'Get']);
});

test('a watermark written through an instance shows in it at once', async () => {
  const registry = database.registry();
  await registry.watermark();

  await registry.writeCompaction(progress(), undefined);

  expect(await registry.watermark()).toBe(W);
});

test('while DynamoDB does not answer, the watermark of the last ten minutes holds', async () => {
  const { client, intercept } = watched(database.client);
  const registry = database.registry({ client });
  await database.registry().writeCompaction(progress(), undefined);
  await registry.watermark();
  intercept(() => {
    throw new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
  });

  database.clock.advance(WATERMARK_MAX_AGE_MS);
  expect(await registry.watermark()).toBe(W);

  database.clock.advance(1);
  await expect(registry.watermark()).rejects.toMatchObject({ code: 'registry_unavailable' });

  // Set back: the age of what is known cannot be told.
  database.clock.advance(-WATERMARK_MAX_AGE_MS - 2);
  await expect(registry.watermark()).rejects.toMatchObject({ code: 'registry_unavailable' });
});

test('a state that cannot be read is said to be so', async () => {
  const item = { pk: COMPACTION_PARTITION, sk: 'state', version: 'v', watermark: 'noon' };
  await database.client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item: item }));

  await expect(database.registry().watermark()).rejects.toMatchObject({
    code: 'registry_corrupt',
    message: expect.stringContaining('state of compaction'),
  });
});
