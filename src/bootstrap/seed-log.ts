import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

/** Remembers what was created at a first start, so that what users delete does not come back. */
export interface SeedLog {
  has(item: string): Promise<boolean>;
  record(item: string): Promise<void>;
}

/** Entries of a seedLog share this partition of the registry table, one item each. */
const PARTITION = 'seed';

/** A seedLog in the registry table, and so with the same lifetime as what it speaks of. */
export class DynamoSeedLog implements SeedLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(deps: { client: DynamoDBDocumentClient; table: string }) {
    this.#client = deps.client;
    this.#table = deps.table;
  }

  async has(item: string): Promise<boolean> {
    const found = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { pk: PARTITION, sk: item },
        ConsistentRead: true,
      }),
    );
    return found.Item !== undefined;
  }

  async record(item: string): Promise<void> {
    await this.#client.send(
      new PutCommand({ TableName: this.#table, Item: { pk: PARTITION, sk: item } }),
    );
  }
}
