import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CacheTable,
  conditional,
  NOT_LATER,
  resultKey,
  toEpochSeconds,
} from '../../platform/dynamo/cache-table.ts';
import { LEASE_MS } from '../../platform/leases/leases.ts';
import type { OutputColumn } from '../../sql/common/result-schema.ts';
import { packJson, unpackJson } from '../cache/result-codec.ts';
import { RUN_LIMIT_MS } from './timeouts.ts';

/** An execution of the engine that any process can collect. */
export interface StartedExecution {
  /** The engine's id. */
  readonly id: string;
  readonly columns: readonly OutputColumn[];
}

/** The right to start one key's query, and where it has been started the execution to collect. */
export interface ExecutionLease {
  readonly key: string;
  /**
   * When the query began, milliseconds: what it takes for the current time, and part of the engine's
   * idempotency token.
   */
  readonly startedAt: number;
  /** Whether another caller began it. */
  readonly isTakeover: boolean;
  /** Absent until the engine has given an id. */
  readonly execution?: StartedExecution;
}

interface Item {
  readonly startedAt: number;
  readonly executionId?: string;
  readonly resultColumns?: Uint8Array;
}

/** How far the clocks of processes may differ; what is later than that was written before one was set back. */
const MAX_SKEW_MS = 20_000;

/**
 * Which query of a key is under way, across processes.
 *
 * A lease without an execution is short: its process is about to start one, or dead. One with an execution
 * lasts as long as a query may run, and belongs to no process: every caller who finds it collects the same
 * execution, and {@link claim} settles which of them keeps the rows and records the cost.
 */
export class ExecutionLeases {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  /**
   * Takes the lease unless it is held. One that ran out is taken over as it is, with its start and its
   * execution, as long as that can still be under way.
   */
  async acquire(key: string): Promise<ExecutionLease | undefined> {
    const now = this.#table.clock.now();
    const taken = await this.#update(key, {
      condition: 'attribute_not_exists(pk) OR leaseUntil < :now OR startedAt > :farthest',
      set: 'startedAt = if_not_exists(startedAt, :now)',
      remove: 'claimedBy',
      values: { ':now': now, ':farthest': now + MAX_SKEW_MS },
    });
    if (taken === undefined) return undefined;
    const lease = { ...(await toLease(key, taken)), isTakeover: taken.startedAt !== now };
    return this.#mayGoOn(lease) ? lease : this.restart(lease);
  }

  /**
   * Turns a lease on a query that is over into one on a query that begins now.
   *
   * @returns undefined when another caller was quicker.
   */
  async restart({ key, startedAt: before }: ExecutionLease): Promise<ExecutionLease | undefined> {
    const startedAt = this.#table.clock.now();
    const restarted = await this.#update(key, {
      condition: 'startedAt = :before',
      set: 'startedAt = :startedAt',
      remove: 'executionId, resultColumns, claimedBy',
      values: { ':before': before, ':startedAt': startedAt },
    });
    return restarted === undefined ? undefined : { key, startedAt, isTakeover: false };
  }

  /** The lease of a key whose query has been started and can still be under way. */
  async find(key: string): Promise<ExecutionLease | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.table, Key: leaseKey(key), ConsistentRead: true }),
    );
    if (item?.executionId === undefined) return undefined;
    const lease = await toLease(key, item as Item);
    return this.#mayGoOn(lease) ? lease : undefined;
  }

  /**
   * Leads others to the execution of a lease.
   *
   * @returns false when they are led to another one, or the lease has been ended.
   */
  async note(
    { key, startedAt }: ExecutionLease,
    { id, columns }: StartedExecution,
  ): Promise<boolean> {
    const noted = await this.#update(key, {
      condition:
        'startedAt = :startedAt AND (attribute_not_exists(executionId) OR executionId = :id)',
      set: 'executionId = :id, resultColumns = :columns',
      values: { ':startedAt': startedAt, ':id': id, ':columns': await packJson(columns) },
      until: startedAt + RUN_LIMIT_MS,
    });
    return noted !== undefined;
  }

  /** Leads the next caller to an execution that began without a lease, unless there is a later one. */
  async leave(key: string, startedAt: number, { id, columns }: StartedExecution): Promise<void> {
    const { table, client, clock } = this.#table;
    await conditional(
      client.send(
        new PutCommand({
          TableName: table,
          Item: {
            ...leaseKey(key),
            startedAt,
            executionId: id,
            resultColumns: await packJson(columns),
            leaseUntil: startedAt + RUN_LIMIT_MS,
            ttl: toEpochSeconds(startedAt + 2 * RUN_LIMIT_MS),
          },
          ConditionExpression: NOT_LATER,
          ExpressionAttributeValues: { ':startedAt': startedAt, ':now': clock.now() },
        }),
      ),
    );
  }

  /**
   * Takes the right to keep the rows of an execution and to record its cost.
   *
   * @param claimant by name, because the SDK sends again what lost its answer.
   * @returns true for one of all who collect the execution.
   */
  async claim(
    { key, startedAt }: ExecutionLease,
    { id }: StartedExecution,
    claimant: string,
  ): Promise<boolean> {
    const claimed = await this.#update(key, {
      condition:
        'startedAt = :startedAt AND executionId = :id AND (attribute_not_exists(claimedBy) OR claimedBy = :claimant)',
      set: 'claimedBy = :claimant',
      values: { ':startedAt': startedAt, ':id': id, ':claimant': claimant },
    });
    return claimed !== undefined;
  }

  /** Ends a lease: its rows are kept, or it failed. Without effect when a later query has begun. */
  async end({ key, startedAt }: ExecutionLease): Promise<void> {
    await conditional(
      this.#table.client.send(
        new DeleteCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: 'startedAt = :startedAt',
          ExpressionAttributeValues: { ':startedAt': startedAt },
        }),
      ),
    );
  }

  /** What began longer ago than a query may run is over, whatever became of it. */
  #mayGoOn({ startedAt }: ExecutionLease): boolean {
    const age = this.#table.clock.now() - startedAt;
    return age >= -MAX_SKEW_MS && age < RUN_LIMIT_MS;
  }

  async #update(
    key: string,
    change: {
      readonly condition: string;
      readonly set: string;
      readonly remove?: string;
      readonly values: Readonly<Record<string, unknown>>;
      readonly until?: number;
    },
  ): Promise<Item | undefined> {
    const now = this.#table.clock.now();
    const output = await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: change.condition,
          UpdateExpression:
            `SET leaseUntil = :until, #ttl = :ttl, ${change.set}` +
            (change.remove === undefined ? '' : ` REMOVE ${change.remove}`),
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':until': change.until ?? now + LEASE_MS,
            ':ttl': toEpochSeconds(now + 2 * RUN_LIMIT_MS),
            ...change.values,
          },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return output?.Attributes as Item | undefined;
  }
}

/** A lease as others left it. */
async function toLease(
  key: string,
  { startedAt, executionId: id, resultColumns: columns }: Item,
): Promise<ExecutionLease> {
  const lease = { key, startedAt, isTakeover: true };
  if (id === undefined || columns === undefined) return lease;
  return { ...lease, execution: { id, columns: await unpackJson<OutputColumn[]>(columns) } };
}

function leaseKey(key: string) {
  return { pk: resultKey(key), sk: 'lease' };
}
