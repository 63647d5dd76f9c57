import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  LOCAL_TABLES,
  type LocalDynamoDB,
  startDynamoDB,
} from '../../../src/local/dynalite/dynamodb.ts';
import { RecordingLogger } from '../support.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-dynamodb-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function put({ client }: LocalDynamoDB, table: string, sk: string) {
  return client.send(new PutCommand({ TableName: table, Item: { pk: 'test', sk, value: sk } }));
}

async function get({ client }: LocalDynamoDB, table: string, sk: string) {
  const answer = await client.send(new GetCommand({ TableName: table, Key: { pk: 'test', sk } }));
  return answer.Item?.value;
}

async function waitForLine(child: ChildProcess): Promise<string> {
  let output = '';
  child.stderr?.on('data', (text) => {
    output += text;
  });
  const line = once(child.stdout ?? child, 'data').then(([text]) => String(text).trim());
  const end = once(child, 'exit').then(() => Promise.reject(new Error(`it ended: ${output}`)));
  return Promise.race([line, end]);
}

test('both tables are there, and what they hold outlives a restart', async () => {
  const first = await startDynamoDB(directory);
  await put(first, LOCAL_TABLES.registry, 'a');
  await put(first, LOCAL_TABLES.cache, 'b');
  await first.close();

  const second = await startDynamoDB(directory);

  expect(await get(second, LOCAL_TABLES.registry, 'a')).toBe('a');
  expect(await get(second, LOCAL_TABLES.cache, 'b')).toBe('b');
  await second.close();
});

test('a directory that does not exist is made', async () => {
  const database = await startDynamoDB(join(directory, 'some', 'where'));

  await put(database, LOCAL_TABLES.registry, 'a');

  expect(await get(database, LOCAL_TABLES.registry, 'a')).toBe('a');
  await database.close();
});

test('what was written survives SIGKILL', async () => {
  const script = fileURLToPath(new URL('./dynamodb-writer.ts', import.meta.url));
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'pipe'] });
  const written = await waitForLine(child);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const database = await startDynamoDB(directory);

  expect(written).toBe('written');
  const found = await Promise.all(
    Array.from({ length: 50 }, (_, index) => get(database, LOCAL_TABLES.registry, `item-${index}`)),
  );
  expect(found).toEqual(Array.from({ length: 50 }, (_, index) => `item-${index}`));
  await database.close();
});

test('a directory in use by another process is refused in words', async () => {
  const database = await startDynamoDB(directory);

  await expect(startDynamoDB(directory)).rejects.toThrow(
    `The registry in ${directory} is in use by another process. Stop that process, or choose another data directory.`,
  );
  await database.close();
});

test('a directory that cannot be one is refused in words', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');

  await expect(startDynamoDB(file)).rejects.toThrow(`The registry in ${file} cannot be opened`);
});

test('a table that a crash left half created is made anew', async () => {
  const first = await startDynamoDB(directory);
  await first.close();
  await leaveHalfCreated(directory);

  const second = await startDynamoDB(directory);

  await put(second, LOCAL_TABLES.registry, 'a');
  expect(await get(second, LOCAL_TABLES.registry, 'a')).toBe('a');
  await second.close();
});

test('closing lets calls under way end', async () => {
  const database = await startDynamoDB(directory);
  const writes = Array.from({ length: 30 }, (_, index) =>
    put(database, LOCAL_TABLES.registry, `item-${index}`).then(
      () => index,
      () => undefined,
    ),
  );
  await Promise.race(writes);

  await database.close();

  const acknowledged = (await Promise.all(writes)).filter((index) => index !== undefined);
  expect(acknowledged).not.toEqual([]);
  const again = await startDynamoDB(directory);
  for (const index of acknowledged) {
    expect(await get(again, LOCAL_TABLES.registry, `item-${index}`)).toBe(`item-${index}`);
  }
  await again.close();
});

test('no other process can reach it', async () => {
  const listening = () =>
    process.getActiveResourcesInfo().filter((name) => /Server|Pipe/.test(name)).length;
  const before = listening();

  const database = await startDynamoDB(directory);
  await put(database, LOCAL_TABLES.registry, 'a');

  expect(listening()).toBe(before);
  await database.close();
});

test.each(['null', '[]', '7', '{"TableName":7}'])('the input %s is refused', async (body) => {
  const database = await startDynamoDB(directory);
  const { requestHandler } = database.client.config;
  const request = { headers: { 'x-amz-target': 'DynamoDB_20120810.PutItem' }, body };

  const { response } = await requestHandler.handle(request as never);

  expect(response.statusCode).toBe(400);
  await database.close();
});

test('an exception in it fails the call alone, and the item can be written again', async () => {
  const first = await startDynamoDB(directory);
  await put(first, LOCAL_TABLES.registry, 'a');
  await first.close();
  await changeStore(directory, async (store) => {
    for await (const key of store.keys()) {
      if (key.startsWith('item-registry~')) await store.put(key, { damaged: { S: null } });
    }
  });
  const logger = new RecordingLogger();
  const database = await startDynamoDB(directory, { logger });

  const remove = new DeleteCommand({
    TableName: LOCAL_TABLES.registry,
    Key: { pk: 'test', sk: 'a' },
    ConditionExpression: 'contains(damaged, :part)',
    ExpressionAttributeValues: { ':part': 'x' },
  });

  await expect(database.client.send(remove)).rejects.toMatchObject({ name: 'InternalServerError' });
  expect(logger.lines.map(({ level }) => level)).toContain('error');
  await put(database, LOCAL_TABLES.registry, 'a');
  expect(await get(database, LOCAL_TABLES.registry, 'a')).toBe('a');
  await database.close();
});

/** As after a crash right after the table was announced. */
function leaveHalfCreated(path: string): Promise<void> {
  return changeStore(path, async (store) => {
    const table = await store.get('table~registry');
    await store.put('table~registry', { ...table, TableStatus: 'CREATING' });
  });
}

/** The LevelDB store below the tables. */
interface Store {
  keys(): AsyncIterable<string>;
  get(key: string): Promise<object>;
  put(key: string, value: object): Promise<void>;
  close(): Promise<void>;
}

async function changeStore(path: string, change: (store: Store) => Promise<void>): Promise<void> {
  const require = createRequire(import.meta.url);
  const { Level } = createRequire(require.resolve('dynalite'))('level');
  const store: Store = new Level(path, { valueEncoding: 'json' });
  await change(store);
  await store.close();
}
