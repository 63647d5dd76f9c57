import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamoRegistry } from '../../src/catalog/registry.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import {
  anAccessKey,
  anEndpoint,
  aSource,
  openDatabase,
  type TestDatabase,
  watched,
} from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

/** Writes an item past the registry. */
async function tamper(item: Record<string, unknown>): Promise<void> {
  await database.client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item: item }));
}

describe('an item that is not what it should be', () => {
  test('is reported with its token and the attributes at fault', async () => {
    const source = aSource();
    await tamper({ pk: 'source', sk: source.token, ...source, name: 7, writeId: 'w' });
    const registry = database.registry();

    const error = {
      code: 'registry_corrupt',
      status: 500,
      message: `The stored source ${source.token} cannot be read (attributes at fault: name). Delete it, or restore it from a backup.`,
    };
    await expect(registry.sourceByToken(source.token)).rejects.toMatchObject(error);
    await expect(registry.listSources()).rejects.toMatchObject(error);
    await registry.deleteSource(source.token);
    expect(await registry.listSources()).toEqual([]);
  });

  test.each(['no json', '{}', '[{"name":1}]'])(
    'includes parameters such as %s',
    async (parameters) => {
      const endpoint = anEndpoint();
      await tamper({ pk: 'endpoint', sk: endpoint.token, ...endpoint, parameters, writeId: 'w' });

      const read = database.registry().endpointByToken(endpoint.token);

      await expect(read).rejects.toMatchObject({
        code: 'registry_corrupt',
        message: expect.stringContaining('parameters'),
      });
    },
  );

  test('never gives away the hash of a key', async () => {
    const key = anAccessKey();
    await tamper({ pk: 'access-key', sk: key.hash, ...key, scopes: 'all' });
    const registry = database.registry();

    const error = await registry.accessKeyByHash(key.hash).catch((reason: Error) => reason.message);

    expect(error).toContain(`access key ${key.id}`);
    expect(error).not.toContain(key.hash);
    await registry.deleteAccessKey(key.id);
    expect(await registry.listAccessKeys()).toEqual([]);
  });

  test.each(['no-bit', 'a=x', '=1', 'a=0'])('includes schema entries such as %s', async (entry) => {
    const { token } = aSource();
    await tamper({ pk: `schema ${token}`, sk: '0', paths: new Set([entry]) });

    await expect(database.registry().schema(token)).rejects.toMatchObject({
      code: 'registry_corrupt',
      message: expect.stringContaining(`schema of source ${token}`),
    });
  });
});

describe('DynamoDB', () => {
  test('out of reach is a 503 that asks to come back', async () => {
    const closed = await openDatabase();
    const registry = closed.registry();
    await closed.close();

    await expect(registry.listSources()).rejects.toMatchObject({
      code: 'registry_unavailable',
      status: 503,
      retryAfterSeconds: 1,
    });
  });

  test('throttling is a 503 as well', async () => {
    const { client, intercept } = watched(database.client);
    intercept(() => {
      throw new ThrottlingException({ message: 'slow down', $metadata: { httpStatusCode: 400 } });
    });

    const created = database.registry({ client }).createSource(aSource());

    await expect(created).rejects.toMatchObject({ code: 'registry_unavailable', status: 503 });
  });

  test('refusing for a reason that waiting does not cure is left as it is', async () => {
    const { client, clock } = database;
    const registry = dynamoRegistry({ client, clock, table: 'missing' });

    await expect(registry.listSources()).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('taking no more than 400 KB per item is a 413', async () => {
    const created = database.registry().createEndpoint(anEndpoint({ query: 'x'.repeat(500_000) }));

    await expect(created).rejects.toMatchObject({ code: 'object_too_large', status: 413 });
  });
});

test('a failed lookup is tried again by the next one', async () => {
  const { client, intercept } = watched(database.client);
  const registry = database.registry({ client });
  const source = aSource();
  await registry.createSource(source);
  intercept(() => {
    throw new Error('once');
  });
  await expect(registry.sourceByToken(source.token)).rejects.toThrow('once');
  intercept(() => {});

  expect(await registry.sourceByToken(source.token)).toEqual(source);
});
