import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { LOCAL_TABLES, startDynamoDB } from '../../../src/local/dynalite/dynamodb.ts';
import { deleteExpiredItems } from '../../../src/local/dynalite/expired-items.ts';

test('items of the cache are deleted once their time to live has passed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-ttl-'));
  const { client, close } = await startDynamoDB(directory);
  const table = LOCAL_TABLES.cache;
  const put = (sk: string, ttl?: number) =>
    client.send(
      new PutCommand({
        TableName: table,
        Item: { pk: 'p', sk, ...(ttl === undefined ? {} : { ttl }) },
      }),
    );
  await put('past', 99);
  await put('present', 100);
  await put('future', 101);
  await put('without');

  const deleted = await deleteExpiredItems({ client, table, clock: { now: () => 100_000 } });

  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  expect(deleted).toBe(1);
  expect(Items.map((item) => item.sk).sort()).toEqual(['future', 'present', 'without']);
  await close();
  await rm(directory, { recursive: true });
});
