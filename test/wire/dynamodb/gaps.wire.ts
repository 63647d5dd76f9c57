/**
 * Where dynalite, the DynamoDB of a laptop, is not like the real one. The code asks for none of this on
 * a laptop; a gap that closes shows here.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  LOCAL_TABLES,
  type LocalDynamoDB,
  startDynamoDB,
} from '../../../src/local/dynalite/dynamodb.ts';
import { startMotoTables } from './moto-tables.ts';

let directory: string;
let dynalite: LocalDynamoDB;
let moto: LocalDynamoDB;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-gaps-'));
  dynalite = await startDynamoDB(directory);
  moto = await startMotoTables(inject('moto'));
});
afterAll(async () => {
  await Promise.all([dynalite.close(), moto.close()]);
  await rm(directory, { recursive: true });
});

const TableName = LOCAL_TABLES.cache;
const UNKNOWN = { name: 'UnknownOperationException' };

test('it knows no time to live', async () => {
  const command = new UpdateTimeToLiveCommand({
    TableName,
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  });

  await expect(moto.client.send(command)).resolves.toMatchObject({});
  await expect(dynalite.client.send(command)).rejects.toMatchObject(UNKNOWN);
});

test('it knows no transactions', async () => {
  const Item = { pk: randomUUID(), sk: 'a' };
  const command = new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] });

  await expect(moto.client.send(command)).resolves.toMatchObject({});
  await expect(dynalite.client.send(command)).rejects.toMatchObject(UNKNOWN);
});

test('it does not show the item on which a condition failed', async () => {
  const refusalOf = async (client: DynamoDBDocumentClient) => {
    const Item = { pk: randomUUID(), sk: 'a' };
    const command = new PutCommand({
      TableName,
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await client.send(command);
    return client.send(command).catch((error) => ({ name: error.name, item: error.Item }));
  };

  const name = 'ConditionalCheckFailedException';
  expect(await refusalOf(moto.client)).toEqual({ name, item: expect.any(Object) });
  expect(await refusalOf(dynalite.client)).toEqual({ name, item: undefined });
});

test.each(['dynalite', 'moto'] as const)(
  'of parallel writes on the same condition one wins, on %s',
  async (which) => {
    const { client } = { dynalite, moto }[which];
    for (let round = 0; round < 20; round++) {
      const Item = { pk: randomUUID(), sk: 'a' };
      const ConditionExpression = 'attribute_not_exists(pk)';
      const write = () => client.send(new PutCommand({ TableName, Item, ConditionExpression }));

      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, write));

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  },
);
