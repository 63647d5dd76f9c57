import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SOURCE_DEFAULTS } from '../../src/catalog/source-defaults.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import { aSource, openDatabase, type TestDatabase } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('the settings and rules of a source come back as they were saved', async () => {
  const registry = database.registry();
  const source = aSource({
    transform_copy_fields: 'a:b\nm.c:d',
    transform_drop_fields: 'a',
    custom_event_message_keys: 'id, m.x',
    drop_lql_string: '-level:"é"',
    rules: [{ token: randomUUID(), lql_string: 'error', sink: randomUUID() }],
  });

  await registry.createSource(source);

  expect(await database.registry().sourceByName(source.name)).toEqual(source);
});

test('a source that was saved before there were settings has none', async () => {
  const { token, name, description, insertedAt, updatedAt } = aSource();
  const before = { token, name, description, insertedAt, updatedAt };
  await database.client.send(
    new PutCommand({
      TableName: LOCAL_TABLES.registry,
      Item: { pk: 'source', sk: token, writeId: 'w', ...before },
    }),
  );

  expect(await database.registry().sourceByToken(token)).toEqual({ ...before, ...SOURCE_DEFAULTS });
});
