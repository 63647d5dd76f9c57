import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type CacheTable, LEFT_PARTITIONS, toEpochSeconds } from '../cache-table.ts';
import { RUN_LIMIT_MS } from './limits.ts';
import type { StartedRun } from './run.ts';

/** A run that its callers left behind, with all that it takes to keep its rows when it ends. */
export interface LeftRun extends Pick<StartedRun, 'columns' | 'usage'> {
  /** The engine's id of the run. */
  readonly id: string;
  /** Key of the rows. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** How long the rows are fresh, milliseconds; 0 where the endpoint does not cache. */
  readonly lifetimeMs: number;
}

/** A thousand wide columns fit; what does not is picked up by its next caller only. */
const MAX_DETAILS_BYTES = 100_000;

/** Runs that go on without their callers, by the engine's id. */
export class LeftRuns {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  /** @returns false when the run is too large to be noted. */
  async note({ id, key, startedAt, lifetimeMs, columns, usage }: LeftRun): Promise<boolean> {
    const details = JSON.stringify({ columns, usage });
    if (Buffer.byteLength(details) > MAX_DETAILS_BYTES) return false;
    const ttl = toEpochSeconds(startedAt + 2 * RUN_LIMIT_MS);
    await this.#table.client.send(
      new PutCommand({
        TableName: this.#table.table,
        Item: { ...runKey(id), key, startedAt, lifetimeMs, details, ttl },
      }),
    );
    return true;
  }

  async find(id: string): Promise<LeftRun | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.table, Key: runKey(id), ConsistentRead: true }),
    );
    if (item === undefined) return undefined;
    // Written by note, and by nothing else.
    const { key, startedAt, lifetimeMs, details } = item as Item;
    return { id, key, startedAt, lifetimeMs, ...JSON.parse(details) };
  }

  async forget(id: string): Promise<void> {
    await this.#table.client.send(
      new DeleteCommand({ TableName: this.#table.table, Key: runKey(id) }),
    );
  }
}

interface Item extends Pick<LeftRun, 'key' | 'startedAt' | 'lifetimeMs'> {
  readonly details: string;
}

function runKey(id: string) {
  return { pk: `${LEFT_PARTITIONS}${id}`, sk: 'run' };
}
