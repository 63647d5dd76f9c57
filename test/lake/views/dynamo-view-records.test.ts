import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DynamoViewRecords } from '../../../src/lake/views/dynamo-view-records.ts';
import { LOCAL_TABLES } from '../../../src/local/dynalite/dynamodb.ts';
import { RegistryTable } from '../../../src/platform/dynamo/registry-table.ts';
import { openDatabase, stuttering, type TestDatabase } from '../../support/registry.ts';

let database: TestDatabase;
let records: DynamoViewRecords;

const recordsOver = (client: TestDatabase['client']): DynamoViewRecords =>
  new DynamoViewRecords({
    table: new RegistryTable(client, LOCAL_TABLES.registry),
    clock: database.clock,
  });

beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  records = recordsOver(database.client);
  for (const { name } of await records.list()) await records.forget(name);
  database.clock.advance(1_000_000);
});

test('a view that was begun has no hash until it is in place', async () => {
  const view = { name: 'edge_logs', hash: 'abc', madeAt: 5 };

  await records.begin('edge_logs');
  expect(await records.list()).toEqual([{ name: 'edge_logs', hash: '', madeAt: 0 }]);
  await records.finish(view);
  expect(await records.list()).toEqual([view]);
  await records.begin('edge_logs');
  expect(await records.list()).toEqual([{ name: 'edge_logs', hash: '', madeAt: 0 }]);
});

test('a view that is gone leaves nothing behind', async () => {
  await records.begin('edge_logs');
  await records.forget('edge_logs');
  await records.forget('never_there');

  expect(await records.list()).toEqual([]);
});

test('one holder at a time, until it gives the right back', async () => {
  const first = await records.acquire(1_000);
  expect(first).toBeDefined();
  expect(await records.acquire(1_000)).toBeUndefined();

  await records.release(first ?? '');

  expect(await records.acquire(1_000)).toBeDefined();
});

test('the right of a holder that died passes on, and it cannot give it back any more', async () => {
  const dead = await records.acquire(1_000);
  database.clock.advance(1_001);
  expect(await records.acquire(1_000)).toBeDefined();

  await records.release(dead ?? '');

  expect(await records.acquire(1_000)).toBeUndefined();
});

test('a call whose answer got lost still has the right', async () => {
  expect(await recordsOver(stuttering(database.client)).acquire(1_000)).toBeDefined();
});
