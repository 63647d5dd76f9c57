import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CACHE_TABLE, REGISTRY_TABLE } from '../../platform/dynamo/table-definitions.ts';
import type { Logger } from '../../platform/log.ts';
import { DynaliteStore } from './dynalite-store.ts';
import { LeveldbRecovery } from './leveldb-recovery.ts';
import { guardWrites, type LevelClass } from './leveldb-write-guard.ts';

/** Names of the tables that {@link startDynamoDB} provides. */
export const LOCAL_TABLES = { registry: 'registry', cache: 'cache' } as const;

export interface LocalDynamoDB {
  readonly client: DynamoDBDocumentClient;
  /** Ends what is under way, closes the store and frees the directory for another process. */
  close(): Promise<void>;
}

/**
 * DynamoDB inside this process: dynalite's operations on a LevelDB store under a directory, reached by
 * function calls alone. What was written survives a killed process. Both tables are created when missing.
 *
 * When the disk refuses a write, writes fail as DynamoDB's `InternalServerError` and reads go on; as
 * soon as there is room, the store is opened anew, and writes work again.
 *
 * Unlike the real one it has no transactions, never deletes expired items (`ttl` is just a number)
 * and leaves `ReturnValuesOnConditionCheckFailure` out of its answers.
 *
 * @throws Error when another process uses the directory or its contents cannot be read.
 */
export async function startDynamoDB(
  directory: string,
  options: { readonly logger?: Logger } = {},
): Promise<LocalDynamoDB> {
  guardWrites(Level);
  const open = async () => {
    await prepareStore(directory);
    return new DynaliteStore(directory, (error) => recovery.faulted(error));
  };
  let store = await open();
  /** Calls wait while the store is opened anew. */
  let ready: Promise<void> = Promise.resolve();
  const recovery = new LeveldbRecovery({
    directory,
    ...options,
    reopen() {
      const reopened = store.close().then(async () => {
        store = await open();
      });
      ready = reopened.catch(() => undefined);
      return reopened;
    },
  });
  const base = new DynamoDBClient({
    // Only names it: no connection is made.
    endpoint: 'http://registry.invalid',
    region: 'us-east-1',
    // The client signs whatever it sends.
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: {
      async handle(request: StoreRequest) {
        await ready;
        const operation = request.headers['x-amz-target']?.split('.')[1] ?? '';
        const { statusCode, body } = await store.call(operation, JSON.parse(textOf(request)));
        const headers = { 'content-type': 'application/x-amz-json-1.0' };
        return { response: { statusCode, headers, body: Buffer.from(JSON.stringify(body)) } };
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
    },
  });
  const close = async () => {
    await recovery.close();
    await store.close();
    base.destroy();
  };
  try {
    await createTable(base, LOCAL_TABLES.registry, REGISTRY_TABLE);
    await createTable(base, LOCAL_TABLES.cache, CACHE_TABLE);
  } catch (error) {
    await close();
    throw error;
  }
  return { client: DynamoDBDocumentClient.from(base), close };
}

/** The part of the SDK's request that says what is asked for. */
interface StoreRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

function textOf({ body = '{}' }: StoreRequest): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

async function createTable(
  client: DynamoDBClient,
  name: string,
  keys: { readonly partitionKey: string; readonly sortKey: string },
): Promise<void> {
  const { partitionKey, sortKey } = keys;
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: partitionKey, AttributeType: 'S' },
          { AttributeName: sortKey, AttributeType: 'S' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await untilActive(client, name);
}

/** The SDK's own waiter sleeps for a second at least; dynalite needs a millisecond. */
async function untilActive(client: DynamoDBClient, name: string): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === 'ACTIVE') return;
    await setTimeout(2);
  }
  throw new Error(`The local DynamoDB table ${name} does not become active.`);
}

/** The part of a LevelDB store that {@link prepareStore} needs. */
interface Store {
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: string): Promise<{ readonly TableStatus?: string } | undefined>;
  del(key: string): Promise<void>;
}

type StoreModule = {
  readonly Level: LevelClass &
    (new (
      directory: string,
      options: { valueEncoding: 'json' },
    ) => Store);
};

const require = createRequire(import.meta.url);
/** The very class that dynalite uses. */
const { Level }: StoreModule = createRequire(require.resolve('dynalite'))('level');

/**
 * Opens the store once before dynalite does, because dynalite says that it cannot open one only
 * at the first call. Also removes a table that a crash left half created: dynalite
 * neither finishes nor deletes one, and it holds no items yet.
 */
async function prepareStore(directory: string): Promise<void> {
  const store = new Level(directory, { valueEncoding: 'json' });
  try {
    await store.open();
  } catch (cause) {
    throw new Error(describeOpenFailure(directory, cause), { cause });
  }
  try {
    for (const name of Object.values(LOCAL_TABLES)) {
      const key = `table~${name}`;
      if ((await store.get(key))?.TableStatus === 'CREATING') await store.del(key);
    }
  } finally {
    await store.close();
  }
}

function describeOpenFailure(directory: string, error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code, message } = (cause ?? error) as { code?: string; message?: string };
  return code === 'LEVEL_LOCKED'
    ? `The registry in ${directory} is in use by another process. Stop that process, or choose another data directory.`
    : `The registry in ${directory} cannot be opened: ${message}. Restore ${directory} from a backup, or ` +
        `repair it with "npm run repair-registry -- ${directory}".`;
}
