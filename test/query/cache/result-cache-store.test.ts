import { randomBytes } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ResultStore, type StoredResult } from '../../../src/query/cache/result-cache-store.ts';
import { cacheTable, TestTime } from '../support.ts';

const table = cacheTable();
const NEVER = Date.UTC(2030, 0, 1);

let keys = 0;
const freshKey = () => `key-${++keys}`;

function openStore(client = table.client): ResultStore {
  return new ResultStore({ client, table: table.table, clock: new TestTime() });
}

function result(text: string, startedAt = 1_000): StoredResult {
  const columns = [{ name: 'v', type: { kind: 'string' } } as const];
  return { columns, rows: [[text], [null]], startedAt, createdAt: startedAt + 500 };
}

/** Text that does not compress: so many bytes of it take about three quarters in the store. */
function noise(bytes: number): string {
  return randomBytes((bytes * 3) / 4).toString('base64');
}

/** The items that belong to a key. */
async function itemsOf(key: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  const query = {
    TableName: table.table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': `RESULT#${key}` },
  };
  for await (const page of paginateQuery({ client: table.client }, query)) {
    items.push(...(page.Items ?? []));
  }
  return items;
}

/** The client, with something done before each command of a kind is sent. */
function interrupt(before: (command: object) => Promise<void>): DynamoDBDocumentClient {
  const client: DynamoDBDocumentClient = Object.create(table.client);
  client.send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    await before(command);
    return table.client.send(command);
  };
  return client;
}

describe('ResultStore', () => {
  test('gives back what was written', async () => {
    const key = freshKey();
    expect(await openStore().write(key, result('hello'), NEVER)).toBe(true);
    expect(await openStore().read(key)).toEqual(result('hello'));
    expect(await openStore().times(key)).toEqual({ startedAt: 1_000, createdAt: 1_500 });
  });

  test('has nothing under other keys', async () => {
    expect(await openStore().read(freshKey())).toBeUndefined();
    expect(await openStore().times(freshKey())).toBeUndefined();
  });

  test('gives rows a time to live past their use', async () => {
    const key = freshKey();
    await openStore().write(key, result(noise(500_000)), 1_234_567);
    const items = await itemsOf(key);
    expect(items.map(({ ttl }) => ttl)).toEqual([1_235, 1_235, 1_235]);
  });

  test.each([300_000, 700_000, 3_000_000])('keeps %d bytes that do not compress', async (bytes) => {
    const key = freshKey();
    const large = result(noise(bytes));
    expect(await openStore().write(key, large, NEVER)).toBe(true);
    expect(await openStore().read(key)).toEqual(large);
  });

  test('keeps no more than it was told to', async () => {
    const { client } = table;
    const store = new ResultStore({
      client,
      table: table.table,
      clock: new TestTime(),
      maxBytes: 1_000,
    });

    expect(await store.write(freshKey(), result(noise(500)), NEVER)).toBe(true);
    expect(await store.write(freshKey(), result(noise(2_000)), NEVER)).toBe(false);
  });

  test('does not keep what is too large', async () => {
    const key = freshKey();
    expect(await openStore().write(key, result(noise(14_000_000)), NEVER)).toBe(false);
    expect(await itemsOf(key)).toEqual([]);
  });

  test('removes the chunks of rows that were replaced', async () => {
    const key = freshKey();
    await openStore().write(key, result(noise(700_000), 1), NEVER);
    expect(await itemsOf(key)).toHaveLength(3);
    await openStore().write(key, result('small', 2), NEVER);
    expect(await itemsOf(key)).toEqual([expect.objectContaining({ sk: 'head' })]);
  });

  test('does not replace rows of a later run', async () => {
    const key = freshKey();
    await openStore().write(key, result('later', 2_000), NEVER);
    expect(await openStore().write(key, result(noise(700_000), 1_000), NEVER)).toBe(true);
    expect(await openStore().read(key)).toEqual(result('later', 2_000));
    expect(await itemsOf(key)).toEqual([expect.objectContaining({ sk: 'head' })]);
  });

  test('removes rows with all that belongs to them', async () => {
    const key = freshKey();
    await openStore().write(key, result(noise(700_000)), NEVER);
    await openStore().discard(key);
    expect(await itemsOf(key)).toEqual([]);
    expect(await openStore().read(key)).toBeUndefined();
  });

  test('never mixes generations when rows are replaced between head and chunks', async () => {
    const key = freshKey();
    const [older, newer] = [result(noise(700_000), 1), result(noise(700_000), 2)];
    await openStore().write(key, older, NEVER);
    let replaced = false;
    const reader = openStore(
      interrupt(async (command) => {
        if (!(command instanceof QueryCommand) || replaced) return;
        replaced = true;
        await openStore().write(key, newer, NEVER);
      }),
    );
    expect(await reader.read(key)).toEqual(newer);
  });

  test('leaves the old rows readable at every step of a replacement', async () => {
    const key = freshKey();
    const [older, newer] = [result(noise(700_000), 1), result(noise(1_100_000), 2)];
    await openStore().write(key, older, NEVER);
    const seen: (StoredResult | undefined)[] = [];
    const writer = openStore(
      interrupt(async (command) => {
        if (command instanceof PutCommand) seen.push(await openStore().read(key));
      }),
    );
    await writer.write(key, newer, NEVER);
    expect(seen).toEqual([older, older, older, older]);
    expect(await openStore().read(key)).toEqual(newer);
  });

  test('leaves the old rows readable when a replacement fails half-way', async () => {
    const key = freshKey();
    await openStore().write(key, result('older', 1), NEVER);
    const failing = openStore(
      interrupt(async (command) => {
        const item = command instanceof PutCommand ? command.input.Item : undefined;
        if (String(item?.sk).endsWith('#001')) throw new Error('the second chunk is lost');
      }),
    );
    await expect(failing.write(key, result(noise(700_000), 2), NEVER)).rejects.toThrow('lost');
    expect(await openStore().read(key)).toEqual(result('older', 1));
  });

  test('misses when a chunk has gone, as expired items do one by one', async () => {
    const key = freshKey();
    await openStore().write(key, result(noise(700_000)), NEVER);
    const chunk = (await itemsOf(key)).find(({ sk }) => String(sk).endsWith('#001'));
    await table.client.send(
      new DeleteCommand({ TableName: table.table, Key: { pk: chunk?.pk, sk: chunk?.sk } }),
    );
    expect(await openStore().read(key)).toBeUndefined();
  });
});
