import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CacheTable,
  conditional,
  LEFT_PARTITIONS,
  toEpochSeconds,
} from '../platform/dynamo/cache-table.ts';
import type { StartedRun } from './run.ts';

/** A run that its callers left behind, with all that it takes to pick it up, or to keep its rows at its end. */
export interface LeftRun extends Pick<StartedRun, 'text' | 'columns' | 'usage'> {
  /** The engine's id of the run. */
  readonly id: string;
  /** Key of the rows. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** How long the rows are fresh, milliseconds; 0 where the endpoint does not cache. */
  readonly lifetimeMs: number;
}

/**
 * Any statement that Athena takes (262,144 bytes) fits with hundreds of columns, and all of it into an item.
 * What does not is picked up by its next caller only, who compiles it anew.
 */
const MAX_DETAILS_BYTES = 350_000;

/** Athena ends a query after 30 minutes; who hears of the end late is to find the note all the same. */
const KEEP_MS = 3_600_000;

/** A note that was found. */
export interface NotedRun extends LeftRun {
  /** Whether what it cost has been counted. */
  readonly counted: boolean;
}

/** Runs that go on without their callers, by the engine's id. */
export class LeftRuns {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  /**
   * Notes a run, unless that was done before or it has been counted already.
   *
   * @returns false when the run is too large to be noted.
   */
  async note({ id, key, startedAt, lifetimeMs, text, columns, usage }: LeftRun): Promise<boolean> {
    const details = JSON.stringify({ text, columns, usage });
    if (Buffer.byteLength(details) > MAX_DETAILS_BYTES) return false;
    await conditional(
      this.#table.client.send(
        new PutCommand({
          TableName: this.#table.table,
          Item: { ...runKey(id), key, startedAt, lifetimeMs, details, ttl: this.#expiry() },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    return true;
  }

  async find(id: string): Promise<NotedRun | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.table, Key: runKey(id), ConsistentRead: true }),
    );
    // Written by note and count, and by nothing else; a run may be counted that was never noted.
    const { key, startedAt, lifetimeMs, details, countedBy } = (item ?? {}) as Partial<Item>;
    if (details === undefined) return undefined;
    const counted = countedBy !== undefined;
    return { id, key, startedAt, lifetimeMs, counted, ...JSON.parse(details) };
  }

  /**
   * Takes the right to record what a run cost, noted or not.
   *
   * @returns true for one taker only.
   */
  async count(id: string): Promise<boolean> {
    const taken = await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: runKey(id),
          // By name, because the SDK sends again what lost its answer.
          ConditionExpression: 'attribute_not_exists(countedBy) OR countedBy = :taker',
          UpdateExpression: 'SET countedBy = :taker, #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':taker': randomUUID(), ':ttl': this.#expiry() },
        }),
      ),
    );
    return taken !== undefined;
  }

  #expiry(): number {
    return toEpochSeconds(this.#table.clock.now() + KEEP_MS);
  }
}

interface Item extends Pick<LeftRun, 'key' | 'startedAt' | 'lifetimeMs'> {
  readonly details: string;
  readonly countedBy?: string;
}

function runKey(id: string) {
  return { pk: `${LEFT_PARTITIONS}${id}`, sk: 'run' };
}
