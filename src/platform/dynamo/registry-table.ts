import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  type QueryCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '../errors.ts';
import { isTemporary } from './dynamo-failure.ts';

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

export type Item = Readonly<Record<string, unknown>>;

/** What must hold for a write to happen, in DynamoDB's expression language. */
export type Condition = Pick<
  UpdateCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export type Update = Condition & Required<Pick<UpdateCommandInput, 'UpdateExpression'>>;

export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };
export const PRESENT: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The condition that an attribute still holds a value. */
export function unchanged(attribute: string, value: unknown): Condition {
  return {
    ConditionExpression: '#unchanged = :unchanged',
    ExpressionAttributeNames: { '#unchanged': attribute },
    ExpressionAttributeValues: { ':unchanged': value },
  };
}

const UNAVAILABLE = 'registry_unavailable';

/** Whether a call of {@link RegistryTable} failed because DynamoDB could not answer at that moment. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === UNAVAILABLE;
}

/** DynamoDB refuses longer sort keys; bytes of UTF-8. */
const MAX_SORT_KEY_BYTES = 1024;

/**
 * The few DynamoDB calls the registry is made of. Reads are strongly consistent: they are rare thanks
 * to the caches, and after a write no reader may see what was before it.
 *
 * Every method throws ServiceError `registry_unavailable` (503) when DynamoDB cannot answer now.
 */
export class RegistryTable {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async get(key: ItemKey): Promise<Item | undefined> {
    // Sort keys come from clients; one that cannot be stored cannot be found.
    if (key.sk === '' || Buffer.byteLength(key.sk) > MAX_SORT_KEY_BYTES) return undefined;
    const command = new GetCommand({ TableName: this.#table, Key: key, ConsistentRead: true });
    return (await translate(this.#client.send(command))).Item;
  }

  /** All items of a partition in sort key order, over as many pages of 1 MB as it takes. */
  query(pk: string): Promise<Item[]> {
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    };
    return translate(collect(paginateQuery({ client: this.#client }, input)));
  }

  /** Replaces an item. False when the condition does not hold, and then nothing was written. */
  put(item: ItemKey & Item, condition: Condition = {}): Promise<boolean> {
    const command = new PutCommand({ TableName: this.#table, Item: item, ...condition });
    return applied(this.#client.send(command));
  }

  /** Changes attributes of an item. False when the condition does not hold. */
  update(key: ItemKey, update: Update): Promise<boolean> {
    const command = new UpdateCommand({ TableName: this.#table, Key: key, ...update });
    return applied(this.#client.send(command));
  }

  /** False when the condition does not hold; deleting what is not there is fine. */
  delete(key: ItemKey, condition: Condition = {}): Promise<boolean> {
    const command = new DeleteCommand({ TableName: this.#table, Key: key, ...condition });
    return applied(this.#client.send(command));
  }
}

async function collect(pages: AsyncIterable<QueryCommandOutput>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

async function applied(write: Promise<unknown>): Promise<boolean> {
  try {
    await translate(write);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/**
 * Waiting helps against throttling, a fault of DynamoDB's and a broken connection; any other refusal
 * is a fault of ours or of the deployment, and stays what it is.
 */
async function translate<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    if (isTooLarge(cause)) {
      const message = 'This is larger than the 400 KB that one object may take. Shorten it.';
      throw new ServiceError('object_too_large', 413, message, { cause });
    }
    if (!isTemporary(cause)) throw cause;
    throw new ServiceError(
      UNAVAILABLE,
      503,
      'The registry of sources, endpoints and keys does not answer at the moment. Try again.',
      { cause, retryAfterSeconds: 1 },
    );
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'ValidationException' &&
    /item size/i.test(error.message)
  );
}
