import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import {
  anAccessKey,
  aSource,
  openDatabase,
  stuttering,
  type TestDatabase,
} from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('a key is found by its hash and listed, oldest first', async () => {
  const registry = database.registry();
  const newer = anAccessKey({ insertedAt: '2026-01-03T00:00:00.000Z', description: 'dashboard' });
  const older = anAccessKey({
    insertedAt: '2026-01-02T00:00:00.000Z',
    scopes: ['query', 'ingest'],
  });

  await registry.createAccessKey(newer);
  await registry.createAccessKey(older);

  expect(await registry.accessKeyByHash(newer.hash)).toEqual(newer);
  expect(await registry.listAccessKeys()).toEqual([older, newer]);
});

test('an unknown hash finds nothing', async () => {
  expect(await database.registry().accessKeyByHash('0'.repeat(64))).toBeUndefined();
});

test('the same secret cannot be added twice', async () => {
  const registry = database.registry();
  const key = anAccessKey();
  await registry.createAccessKey(key);

  const again = registry.createAccessKey(anAccessKey({ hash: key.hash, scopes: ['private'] }));

  await expect(again).rejects.toMatchObject({ status: 422 });
  expect(await registry.accessKeyByHash(key.hash)).toEqual(key);
});

test('a key is added although the answer got lost and the call was repeated', async () => {
  const registry = database.registry({ client: stuttering(database.client) });
  const key = anAccessKey();

  await registry.createAccessKey(key);

  expect(await registry.accessKeyByHash(key.hash)).toEqual(key);
});

test('sources and keys from before there were limits have the default', async () => {
  const registry = database.registry();
  const [key, source] = [anAccessKey(), aSource()];
  await registry.createAccessKey(key);
  await registry.createSource(source);
  const without = (pk: string, sk: string, UpdateExpression: string) =>
    database.client.send(
      new UpdateCommand({ TableName: LOCAL_TABLES.registry, Key: { pk, sk }, UpdateExpression }),
    );

  await without('access-key', key.hash, 'REMOVE rate_limit');
  await without('source', source.token, 'REMOVE api_quota, retention_days, keep_rejected_events');

  expect(await registry.accessKeyByHash(key.hash)).toEqual({ ...key, rate_limit: null });
  expect(await registry.sourceByToken(source.token, { fresh: true })).toEqual(source);
});

test('scopes and description change, the rest does not', async () => {
  const registry = database.registry();
  const key = anAccessKey();
  await registry.createAccessKey(key);

  await registry.updateAccessKey({ ...key, scopes: ['query'], description: 'for the dashboard' });

  expect(await registry.accessKeyByHash(key.hash)).toEqual({
    ...key,
    scopes: ['query'],
    description: 'for the dashboard',
  });
});

test('a deleted key is neither found nor listed, and cannot be changed', async () => {
  const registry = database.registry();
  const key = anAccessKey();
  await registry.createAccessKey(key);

  await registry.deleteAccessKey(key.id);

  expect(await registry.accessKeyByHash(key.hash)).toBeUndefined();
  expect(await registry.listAccessKeys()).not.toContainEqual(key);
  await expect(registry.updateAccessKey(key)).rejects.toMatchObject({ code: 'not_found' });
});

test('a key may be deleted twice, an unknown one not once', async () => {
  const registry = database.registry();
  const key = anAccessKey();
  await registry.createAccessKey(key);
  await registry.deleteAccessKey(key.id);

  await registry.deleteAccessKey(key.id);

  const unknown = registry.deleteAccessKey('11111111-1111-4111-8111-111111111111');
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});

test('a deleted secret can be added again, as an operator does who sets it in the environment', async () => {
  const registry = database.registry();
  const key = anAccessKey();
  await registry.createAccessKey(key);
  await registry.deleteAccessKey(key.id);
  const again = anAccessKey({ hash: key.hash });

  await registry.createAccessKey(again);

  expect(await registry.accessKeyByHash(key.hash)).toEqual(again);
});
