import { randomUUID } from 'node:crypto';
import { PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type CacheTable, toEpochSeconds } from '../../platform/dynamo/cache-table.ts';
import { KEEP_REJECTIONS_MS, type RejectionLog, type RejectionRecord } from './rejection-log.ts';

/** Start of the partition keys of rejections; the role of ingest may put items there. */
export const REJECTED_PARTITIONS = 'REJECTED#';

/** A sender that was refused is not to wait for this much longer. */
const TIMEOUT_MS = 1_000;

/**
 * Rejections in the cache table: an item for every `append`, under the source and the time, so that
 * instances do not need to know of each other.
 */
export class DynamoRejections implements RejectionLog {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  async append(sourceToken: string, records: readonly RejectionRecord[]): Promise<void> {
    const now = this.#table.clock.now();
    const command = new PutCommand({
      TableName: this.#table.table,
      Item: {
        pk: REJECTED_PARTITIONS + sourceToken,
        sk: `${new Date(now).toISOString()}#${randomUUID()}`,
        records,
        ttl: toEpochSeconds(now + KEEP_REJECTIONS_MS),
      },
    });
    await this.#table.client.send(command, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
  }

  async latest(sourceToken: string, limit: number): Promise<readonly RejectionRecord[]> {
    const oldest = this.#table.clock.now() - KEEP_REJECTIONS_MS;
    const pages = paginateQuery(
      { client: this.#table.client, pageSize: limit },
      {
        TableName: this.#table.table,
        KeyConditionExpression: 'pk = :pk AND sk > :oldest',
        ExpressionAttributeValues: {
          ':pk': REJECTED_PARTITIONS + sourceToken,
          ':oldest': new Date(oldest).toISOString(),
        },
        ScanIndexForward: false,
        ConsistentRead: true,
      },
    );
    const found: RejectionRecord[] = [];
    for await (const page of pages) {
      for (const item of page.Items ?? []) found.push(...(item.records as RejectionRecord[]));
      if (found.length >= limit) break;
    }
    return found.sort(newestFirst).slice(0, limit);
  }
}

/** Records are written up to a second after the refusal, so the items' order is not quite theirs. */
function newestFirst(a: RejectionRecord, b: RejectionRecord): number {
  return a.rejected_at < b.rejected_at ? 1 : a.rejected_at > b.rejected_at ? -1 : 0;
}
