import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { RESULT_PARTITIONS } from '../../platform/dynamo/cache-table.ts';
import type { Logger } from '../../platform/log.ts';

/** What a result takes beyond its bytes: keys, times, its place in the store. */
const ITEM_BYTES = 1_024;

export interface CacheBudgetOptions {
  readonly maxBytes: number;
  /** Removes the rows of a key, or nothing when there are none. */
  readonly discard: (key: string) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Keeps the cached results of this machine within a size: the oldest go first. DynamoDB has no such end,
 * and a laptop's disk does. Results that have expired count until it is their turn.
 */
export class CacheBudget {
  readonly #options: CacheBudgetOptions;
  /** Bytes by key, the oldest first. */
  #kept = new Map<string, number>();
  #bytes = 0;

  constructor(options: CacheBudgetOptions) {
    this.#options = options;
  }

  /** Counts what an earlier process left, too. */
  async count(table: { client: DynamoDBDocumentClient; table: string }): Promise<void> {
    const found = await storedResults(table);
    const since = this.#kept;
    this.#kept = new Map();
    this.#bytes = 0;
    for (const [key, bytes] of [...found, ...since]) this.#add(key, bytes);
    await this.#makeRoom();
  }

  /** To be called when a result was written. Never throws. */
  async written(key: string, bytes: number): Promise<void> {
    this.#add(key, bytes + ITEM_BYTES);
    await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const { maxBytes, discard, logger } = this.#options;
    for (const key of this.#kept.keys()) {
      if (this.#bytes <= maxBytes) return;
      this.#forget(key);
      try {
        await discard(key);
      } catch (error) {
        logger.warn('a cached result could not be removed to make room', { key, error });
      }
    }
  }

  #add(key: string, bytes: number): void {
    this.#forget(key);
    this.#kept.set(key, bytes);
    this.#bytes += bytes;
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key) ?? 0;
    this.#kept.delete(key);
  }
}

/** Keys and bytes, the oldest first. */
async function storedResults({ client, table }: { client: DynamoDBDocumentClient; table: string }) {
  const found: { readonly entry: readonly [string, number]; readonly createdAt: number }[] = [];
  const heads = {
    TableName: table,
    FilterExpression: 'begins_with(pk, :results) AND sk = :head',
    ProjectionExpression: 'pk, #size, createdAt',
    ExpressionAttributeNames: { '#size': 'size' },
    ExpressionAttributeValues: { ':results': RESULT_PARTITIONS, ':head': 'head' },
  };
  for await (const page of paginateScan({ client }, heads)) {
    for (const { pk, size, createdAt } of page.Items ?? []) {
      const key = String(pk).slice(RESULT_PARTITIONS.length);
      found.push({ entry: [key, Number(size) + ITEM_BYTES], createdAt: Number(createdAt) });
    }
  }
  return found.sort((a, b) => a.createdAt - b.createdAt).map(({ entry }) => entry);
}
