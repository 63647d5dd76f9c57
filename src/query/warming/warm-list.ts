import { DeleteCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type CacheTable, conditional, toEpochSeconds } from '../../platform/dynamo/cache-table.ts';
import type { ConsumerQuery } from '../plan/query-plan.ts';

/** A call that was made, as the warmer has to repeat it. */
export interface WarmCall {
  readonly key: string;
  /** UUID of the endpoint. */
  readonly endpoint: string;
  readonly version: number;
  /** See `encodeParameters`. */
  readonly parameters: string;
  readonly consumer: ConsumerQuery | undefined;
}

export interface WarmEntry extends WarmCall {
  /** Milliseconds since the epoch, true to about a minute. */
  readonly lastReadAt: number;
  /** Refreshes that failed since the last one that did not. */
  readonly failures: number;
  /** Milliseconds since the epoch before which no refresh is to be tried; 0 when none failed. */
  readonly retryAt: number;
}

/** A busy dashboard must not pay a write per read. */
const TOUCH_INTERVAL_MS = 60_000;

/** Larger calls are answered and cached, but not warmed; an item holds 400 KB in all. */
const MAX_CALL_BYTES = 100_000;

/** Which calls were made lately, per endpoint. */
export class WarmQueryStore {
  readonly #table: CacheTable;
  /** Keys and when this process last noted them. */
  readonly #noted = new Map<string, number>();

  constructor(table: CacheTable) {
    this.#table = table;
  }

  /**
   * Notes that a call was made, at most once a minute per call and process.
   *
   * @param keepMs how long a call without further reads is of interest.
   */
  async recordRead(call: WarmCall, keepMs: number): Promise<void> {
    const now = this.#table.clock.now();
    const noted = this.#noted.get(call.key);
    const interval = Math.min(TOUCH_INTERVAL_MS, keepMs / 2);
    if (noted !== undefined && noted <= now && now - noted < interval) return;
    if (Buffer.byteLength(call.parameters + (call.consumer?.text ?? '')) > MAX_CALL_BYTES) return;
    if (this.#noted.size >= 10_000) this.#noted.clear();
    await this.#update(call, {
      version: call.version,
      parameters: call.parameters,
      consumer: call.consumer ?? null,
      lastReadAt: now,
      ttl: toEpochSeconds(now + keepMs),
    });
    this.#noted.set(call.key, now);
  }

  async list(endpoint: string): Promise<WarmEntry[]> {
    const pages = paginateQuery(
      { client: this.#table.client },
      {
        TableName: this.#table.table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': indexKey(endpoint) },
      },
    );
    const entries: WarmEntry[] = [];
    for await (const page of pages) {
      for (const item of page.Items ?? []) entries.push(toEntry(endpoint, item));
    }
    return entries;
  }

  /** Notes how a refresh ended, unless the entry has gone in the meantime. */
  async noteRefresh(entry: WarmEntry, failures: number, retryAt: number): Promise<void> {
    await conditional(this.#update(entry, { failures, retryAt }, 'attribute_exists(pk)'));
  }

  async drop({ endpoint, key }: WarmEntry): Promise<void> {
    await this.#table.client.send(
      new DeleteCommand({
        TableName: this.#table.table,
        Key: { pk: indexKey(endpoint), sk: key },
      }),
    );
  }

  async #update(
    { endpoint, key }: WarmCall,
    values: Record<string, unknown>,
    condition?: string,
  ): Promise<void> {
    const fields = Object.entries(values);
    await this.#table.client.send(
      new UpdateCommand({
        TableName: this.#table.table,
        Key: { pk: indexKey(endpoint), sk: key },
        UpdateExpression: `SET ${fields.map((_, i) => `#f${i} = :v${i}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(fields.map(([name], i) => [`#f${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          fields.map(([, value], i) => [`:v${i}`, value]),
        ),
        ...(condition === undefined ? {} : { ConditionExpression: condition }),
      }),
    );
  }
}

function indexKey(endpoint: string): string {
  return `WARM#${endpoint}`;
}

function toEntry(endpoint: string, item: Record<string, unknown>): WarmEntry {
  return {
    key: String(item.sk),
    endpoint,
    version: Number(item.version),
    parameters: String(item.parameters),
    // Written by touch, and by nothing else.
    consumer: (item.consumer as ConsumerQuery | null | undefined) ?? undefined,
    lastReadAt: Number(item.lastReadAt),
    failures: Number(item.failures ?? 0),
    retryAt: Number(item.retryAt ?? 0),
  };
}
