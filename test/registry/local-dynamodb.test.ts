import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOCAL_TABLES, type LocalDynamoDB, startDynamoDB } from '../../src/local/dynamodb.ts';

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

/** As after a crash right after the table was announced. */
async function leaveHalfCreated(path: string): Promise<void> {
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  const { Level } = createRequire(require.resolve('dynalite'))('level');
  const store = new Level(path, { valueEncoding: 'json' });
  const table = await store.get('table~registry');
  await store.put('table~registry', { ...table, TableStatus: 'CREATING' });
  await store.close();
}
