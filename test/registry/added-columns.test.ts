import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PromotedField, promotedColumns } from '../../src/lake/promoted-fields.ts';
import { LOCAL_TABLES } from '../../src/local/dynamodb.ts';
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

/** A registry where these columns are announced. */
async function announced(...paths: string[]) {
  const registry = database.registry();
  await registry.announceColumns(columns(...paths));
  return registry;
}

test('nothing is entered at first', async () => {
  const registry = database.registry();

  expect(await registry.addedColumns()).toEqual([]);
  expect(await registry.announceColumns([])).toBe(false);
});

test('a column keeps the time at which it was entered first', async () => {
  const registry = await announced('metadata.a', 'metadata.b');

  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 1_000);
  await registry.announceColumns(columns('metadata.a', 'metadata.b', 'metadata.c'));
  await registry.enterColumns(columns('metadata.c', 'metadata.b', 'metadata.a'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    entry('metadata.a', 1_000),
    entry('metadata.b', 1_000),
    entry('metadata.c', 2_000),
  ]);
});

test('columns are entered only while just these are announced', async () => {
  const registry = await announced('metadata.a');

  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 1_000);
  await registry.enterColumns([], 1_000);
  expect(await registry.addedColumns()).toEqual([]);

  await database.registry().enterColumns(columns('metadata.a'), 1_000);
  expect(await database.registry().addedColumns()).toHaveLength(1);
});

test('a column that is not announced any more loses its entry, and begins anew', async () => {
  const registry = await announced('metadata.a', 'metadata.b');
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 1_000);

  expect(await registry.announceColumns(columns('metadata.b'))).toBe(true);
  expect(await registry.announceColumns(columns('metadata.b'))).toBe(false);
  await registry.announceColumns(columns('metadata.a', 'metadata.b'));
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    entry('metadata.b', 1_000),
    entry('metadata.a', 2_000),
  ]);
});

test('an entry of a column that rows did not have until now is no longer right', async () => {
  const registry = await announced('metadata.a', 'metadata.b');
  await registry.enterColumns(columns('metadata.a', 'metadata.b'), 1_000);

  await registry.announceColumns(columns('metadata.a', 'metadata.b'), columns('metadata.b'));

  expect(await registry.addedColumns()).toEqual([entry('metadata.b', 1_000)]);
});

test('another path is another column, though it has the same name', async () => {
  const registry = await announced('metadata.a.b');
  const [value] = columns('metadata.a.b');
  await registry.enterColumns(columns('metadata.a.b'), 1_000);
  expect(value?.name).toBe(columns('metadata.a_b')[0]?.name);

  await registry.announceColumns(columns('metadata.a_b'));
  await registry.enterColumns(columns('metadata.a_b'), 2_000);

  expect(await registry.addedColumns()).toEqual([
    { name: 'metadata_a_b', path: 'metadata.a_b', filledFrom: 2_000 },
  ]);
});

test('others see a change a minute later at most', async () => {
  const reader = database.registry();
  await reader.addedColumns();
  await (await announced('metadata.a')).enterColumns(columns('metadata.a'), 1_000);

  const before = await reader.addedColumns();
  database.clock.advance(ADDED_COLUMNS_CACHE_MS);

  expect(before).toEqual([]);
  expect(await reader.addedColumns()).toHaveLength(1);
});

test('a job that enters while a deployment announces enters before or not at all', async () => {
  const job = await announced('metadata.a');
  const deployment = database.registry();

  await Promise.all([
    job.enterColumns(columns('metadata.a'), 1_000),
    deployment.announceColumns(columns('metadata.b')),
  ]);
  await deployment.enterColumns(columns('metadata.b'), 2_000);

  expect(await database.registry().addedColumns()).toEqual([entry('metadata.b', 2_000)]);
});

test('a write whose answer got lost is made once, and known as made', async () => {
  const registry = database.registry({ client: stuttering(database.client) });

  await registry.announceColumns(columns('metadata.a'));
  await registry.enterColumns(columns('metadata.a'), 1_000);

  expect(await registry.addedColumns()).toEqual([entry('metadata.a', 1_000)]);
  expect(await registry.announceColumns([])).toBe(true);
  expect(await registry.addedColumns()).toEqual([]);
});

test('the repair in docs/deploy.md lets the record begin anew', async () => {
  const registry = await announced('metadata.a');
  await registry.enterColumns(columns('metadata.a'), 1_000);

  await database.client.send(
    new UpdateCommand({
      TableName: LOCAL_TABLES.registry,
      Key: { pk: 'compaction', sk: 'added-columns' },
      UpdateExpression: 'SET #columns = :none',
      ExpressionAttributeNames: { '#columns': 'columns' },
      ExpressionAttributeValues: { ':none': [] },
    }),
  );
  const repaired = database.registry();

  expect(await repaired.addedColumns()).toEqual([]);
  await repaired.enterColumns(columns('metadata.a'), 2_000);
  expect(await repaired.addedColumns()).toEqual([entry('metadata.a', 2_000)]);
});

test('no column is read while DynamoDB does not answer', async () => {
  await (await announced('metadata.a')).enterColumns(columns('metadata.a'), 1_000);
  const { client, intercept } = watched(database.client);
  intercept(() => {
    throw new ProvisionedThroughputExceededException({ message: 'busy', $metadata: {} });
  });

  expect(await database.registry({ client }).addedColumns()).toEqual([]);
});
