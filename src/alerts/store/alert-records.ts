import { randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type CacheTable, conditional, toEpochSeconds } from '../../platform/dynamo/cache-table.ts';
import { parseJson, stringifyJson } from '../../platform/json/json.ts';
import { type AlertRecord, newRecord } from '../model/record.ts';

/** Partition of the cache table; one item for each alert, so that a pass reads all of them at once. */
export const ALERT_PARTITION = 'ALERT';

/** Longer than a pass may take: who holds an alert for longer has died, or stood still. */
export const CLAIM_MS = 120_000;

/** How long the record of an alert that is not checked any more is kept. */
const KEEP_MS = 90 * 86_400_000;

/** The right to check an alert and to tell of it. */
export interface Claim {
  readonly token: string;
  readonly owner: string;
  readonly record: AlertRecord;
}

/**
 * What is known of alerts beside their definitions. They are in the cache table: with every check they are
 * made anew, and a backup of the registry that is restored must not bring back who was told of what. An
 * alert whose record is lost begins at `ok`, and tells of what is still so once more.
 */
export interface AlertRecords {
  /** By token. */
  list(): Promise<ReadonlyMap<string, AlertRecord>>;
  find(token: string): Promise<AlertRecord | undefined>;
  /** Takes an alert, unless another process has it. What comes back is as it was left by the last one. */
  claim(token: string): Promise<Claim | undefined>;
  /**
   * Replaces the record of an alert, and gives it back if `released`.
   *
   * @returns false when it has passed to another process or is gone; nothing was written then, and nothing
   *   may be told.
   */
  save(claim: Claim, record: AlertRecord, released: boolean): Promise<boolean>;
  remove(token: string): Promise<void>;
}

export class DynamoAlertRecords implements AlertRecords {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  async list(): Promise<ReadonlyMap<string, AlertRecord>> {
    const pages = paginateQuery(
      { client: this.#table.client },
      {
        TableName: this.#table.table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': ALERT_PARTITION },
        ConsistentRead: true,
      },
    );
    const records = new Map<string, AlertRecord>();
    for await (const page of pages) {
      for (const item of page.Items ?? []) records.set(String(item.sk), this.#read(item));
    }
    return records;
  }

  async find(token: string): Promise<AlertRecord | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.table, Key: key(token), ConsistentRead: true }),
    );
    return item && this.#read(item);
  }

  async claim(token: string): Promise<Claim | undefined> {
    const now = this.#table.clock.now();
    const owner = randomUUID();
    const output = await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: key(token),
          // One that lasts far longer than any was taken before the clock was set back.
          ConditionExpression:
            'attribute_not_exists(claimUntil) OR claimUntil < :now OR claimUntil > :farthest',
          UpdateExpression: 'SET #owner = :owner, claimUntil = :until, #ttl = :ttl',
          ExpressionAttributeNames: { '#owner': 'owner', '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':owner': owner,
            ':now': now,
            ':until': now + CLAIM_MS,
            ':farthest': now + 2 * CLAIM_MS,
            ':ttl': toEpochSeconds(now + KEEP_MS),
          },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return output && { token, owner, record: this.#read(output.Attributes ?? {}) };
  }

  async save({ token, owner }: Claim, record: AlertRecord, released: boolean): Promise<boolean> {
    const now = this.#table.clock.now();
    const held = released ? {} : { owner, claimUntil: now + CLAIM_MS };
    const output = await conditional(
      this.#table.client.send(
        new PutCommand({
          TableName: this.#table.table,
          Item: {
            ...key(token),
            ...held,
            // JSON, because nothing but this file reads it, and null is told from absent in it.
            record: stringifyJson(record),
            ttl: toEpochSeconds(Math.max(now, record.nextAt ?? now) + KEEP_MS),
          },
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
        }),
      ),
    );
    return output !== undefined;
  }

  async remove(token: string): Promise<void> {
    await this.#table.client.send(
      new DeleteCommand({ TableName: this.#table.table, Key: key(token) }),
    );
  }

  /** Its text was written by `save`, so its shape is given; one that was only claimed has none. */
  #read(item: Readonly<Record<string, unknown>>): AlertRecord {
    const fresh = newRecord(this.#table.clock.now());
    return typeof item.record === 'string'
      ? { ...fresh, ...(parseJson(item.record) as object) }
      : fresh;
  }
}

function key(token: string) {
  return { pk: ALERT_PARTITION, sk: token };
}
