import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PromotedField, promotedColumns } from '../../src/lake/promoted-fields.ts';
import { ADDED_COLUMNS_CACHE_MS } from '../../src/registry/added-columns.ts';
import { openDatabase, stuttering, type TestDatabase, watched } from './support.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openDatabase();
});
afterEach(() => database.close());

const columns = (...paths: string[]) =>
  promotedColumns(paths.map((path): PromotedField => ({ path, type: 'STRING' })));

const entry = (path: string, filledFrom: number) => ({
  name: path.replaceAll('.', '_'),
  path,
  filledFrom,
});

test('nothing is entered at first, and taking out changes nothing', async () => {
  const registry = database.registry();

  expect(await registry.addedColumns()).toEqual([]);
  expect(await registry.keepColumns([])).toBe(false);
});

test('a column keeps the time at which it was entered first', async () => {
  const registry = database.registry();

  await registry.enterColumns(columns('metadata.a'), 1_000);
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    entry('metadata.a', 1_000),
    entry('metadata.b', 2_000),
  ]);
});

test('a column that was taken out begins anew', async () => {
  const registry = database.registry();
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 1_000);

  expect(await registry.keepColumns(columns('metadata.b'))).toBe(true);
  expect(await registry.keepColumns(columns('metadata.b'))).toBe(false);
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    entry('metadata.b', 1_000),
    entry('metadata.a', 2_000),
  ]);
});

test('another path is another column, though it has the same name', async () => {
  const registry = database.registry();
  await registry.enterColumns(columns('metadata.a.b'), 1_000);

  await registry.keepColumns(columns('metadata.a_b'));
  await registry.enterColumns(columns('metadata.a_b'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    { name: 'metadata_a_b', path: 'metadata.a_b', filledFrom: 2_000 },
  ]);
});

test('others see a change a minute later at most', async () => {
  const reader = database.registry();
  await reader.addedColumns();
  await database.registry().enterColumns(columns('metadata.a'), 1_000);

  const before = await reader.addedColumns();
  database.clock.advance(ADDED_COLUMNS_CACHE_MS);

  expect(before).toEqual([]);
  expect(await reader.addedColumns()).toHaveLength(1);
});

test('two that write at once both have their way', async () => {
  const [a, b] = [database.registry(), database.registry()];
  await a.enterColumns(columns('metadata.old'), 1_000);

  await Promise.all([
    a.enterColumns(columns('metadata.new'), 2_000),
    b.keepColumns(columns('metadata.new')),
  ]);

  expect(await database.registry().addedColumns()).toEqual([entry('metadata.new', 2_000)]);
});

test('a write whose answer got lost is made once, and known as made', async () => {
  const registry = database.registry({ client: stuttering(database.client) });

  await registry.enterColumns(columns('metadata.a'), 1_000);

  expect(await registry.addedColumns()).toEqual([entry('metadata.a', 1_000)]);
  expect(await registry.keepColumns([])).toBe(true);
  expect(await registry.addedColumns()).toEqual([]);
});

test('no column is read while DynamoDB does not answer', async () => {
  await database.registry().enterColumns(columns('metadata.a'), 1_000);
  const busy = new ProvisionedThroughputExceededException({ message: 'busy', $metadata: {} });
  const { client, intercept } = watched(database.client);
  intercept(() => {
    throw busy;
  });

  expect(await database.registry({ client }).addedColumns()).toEqual([]);
});
