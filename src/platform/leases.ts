import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LEASE_MS, RUN_LIMIT_MS } from '../endpoints/limits.ts';
import {
  type CacheTable,
  conditional,
  NOT_LATER,
  resultKey,
  toEpochSeconds,
} from './dynamo/cache-table.ts';
import { ServiceError } from './errors.ts';

/** The right to run one key's query. */
export interface Lease {
  readonly key: string;
  readonly owner: string;
  /**
   * When the run began, milliseconds. Older than the lease where a process crashed, froze or left the
   * run behind: the new owner takes that run over, under the same engine token, instead of starting
   * another.
   */
  readonly startedAt: number;
  /** Whether that is so: others know of the run, and may bring it to its end as well. */
  readonly resumed: boolean;
  /** The engine's id of the run, where its callers left it and could note it: see `LeftRuns`. */
  readonly runId?: string;
  /** How that run failed after all its callers had gone, for the next one to hear. */
  readonly failure?: ServiceError;
}

interface LeaseItem {
  readonly startedAt: number;
  readonly runId?: string;
  readonly failure?: Failure;
}

type Failure = Pick<ServiceError, 'code' | 'status' | 'message'>;

/** One run at a time per key, across processes. */
export class Leases {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  /**
   * Takes the lease unless another owner holds it. One that lasts far longer than any was taken before the
   * clock was set back.
   */
  async acquire(key: string): Promise<Lease | undefined> {
    const owner = randomUUID();
    const now = this.#table.clock.now();
    const taken = await this.#update(key, owner, {
      condition: 'attribute_not_exists(pk) OR leaseUntil < :now OR leaseUntil > :farthest',
      set: 'startedAt = if_not_exists(startedAt, :now)',
      values: { ':now': now, ':farthest': now + 2 * LEASE_MS },
    });
    if (taken === undefined) return undefined;
    const lease = { key, owner, resumed: taken.startedAt !== now, ...leftRun(taken) };
    return mayGoOn(lease, now) ? lease : this.restart(lease);
  }

  /** Turns a lease on an earlier run, which is over, into one on a run that begins now. */
  async restart({ key, owner }: Lease): Promise<Lease> {
    const startedAt = this.#table.clock.now();
    // Should the lease have passed on meanwhile, the query runs twice, and nothing worse.
    await this.#update(key, owner, {
      condition: '#owner = :owner',
      set: 'startedAt = :startedAt',
      remove: 'failure, runId',
      values: { ':startedAt': startedAt },
    });
    return { key, owner, startedAt, resumed: false };
  }

  /** Prolongs a lease; false when it has passed to another owner. */
  async renew({ key, owner }: Lease): Promise<boolean> {
    const renewed = await this.#update(key, owner, { condition: '#owner = :owner' });
    return renewed !== undefined;
  }

  /**
   * Ends a run, whoever holds its lease by now: its rows are there, or it failed, so nobody may take
   * it over any more. Without effect when a later run has begun.
   *
   * @returns the last owner; undefined when there was no lease on that run any more.
   */
  async end(key: string, startedAt: number): Promise<string | undefined> {
    const ended = await conditional(
      this.#table.client.send(
        new DeleteCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: 'startedAt = :startedAt',
          ExpressionAttributeValues: { ':startedAt': startedAt },
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return ended?.Attributes?.owner;
  }

  /**
   * Leaves a run that goes on to whoever asks for its key next, in any process. Without effect when a
   * later run has begun.
   *
   * @param runId see {@link Lease}.
   */
  async leave(key: string, startedAt: number, runId?: string): Promise<void> {
    await conditional(
      this.#table.client.send(
        new PutCommand({
          TableName: this.#table.table,
          Item: {
            ...leaseKey(key),
            owner: 'nobody',
            leaseUntil: 0,
            startedAt,
            ...(runId === undefined ? {} : { runId }),
            ttl: toEpochSeconds(startedAt + 2 * RUN_LIMIT_MS),
          },
          ConditionExpression: NOT_LATER,
          ExpressionAttributeValues: { ':startedAt': startedAt, ':now': this.#table.clock.now() },
        }),
      ),
    );
  }

  /** Notes how a run failed, for whoever asks for its key next. Without effect when it is over. */
  async fail(key: string, startedAt: number, error: ServiceError): Promise<void> {
    const { code, status, message } = error;
    await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: 'startedAt = :startedAt',
          UpdateExpression: 'SET failure = :failure',
          ExpressionAttributeValues: {
            ':startedAt': startedAt,
            ':failure': { code, status, message } satisfies Failure,
          },
        }),
      ),
    );
  }

  /** A run that was left behind and can still be picked up. */
  async left(key: string): Promise<Left | undefined> {
    const { Item: item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.table, Key: leaseKey(key), ConsistentRead: true }),
    );
    if (item === undefined) return undefined;
    const left = leftRun(item as LeaseItem);
    return mayGoOn(left, this.#table.clock.now()) ? left : undefined;
  }

  async #update(
    key: string,
    owner: string,
    change: { condition: string; set?: string; remove?: string; values?: Record<string, number> },
  ): Promise<LeaseItem | undefined> {
    const now = this.#table.clock.now();
    const sets = ['#owner = :owner', 'leaseUntil = :until', '#ttl = :ttl'];
    if (change.set !== undefined) sets.push(change.set);
    const output = await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: change.condition,
          UpdateExpression: [
            `SET ${sets.join(', ')}`,
            ...(change.remove === undefined ? [] : [`REMOVE ${change.remove}`]),
          ].join(' '),
          ExpressionAttributeNames: { '#owner': 'owner', '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':owner': owner,
            ':until': now + LEASE_MS,
            ':ttl': toEpochSeconds(now + 2 * RUN_LIMIT_MS),
            ...change.values,
          },
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return output?.Attributes as LeaseItem | undefined;
  }
}

/**
 * Whether a run can still be under way: what began so long ago is over, whatever became of it, and what
 * is yet to begin began before the clock was set back, at a time that is not known.
 */
function mayGoOn({ startedAt }: Pick<Lease, 'startedAt'>, now: number): boolean {
  return startedAt <= now && now - startedAt < RUN_LIMIT_MS;
}

type Left = Pick<Lease, 'startedAt' | 'runId' | 'failure'>;

function leftRun({ startedAt, runId, failure }: LeaseItem): Left {
  const left = { startedAt, ...(runId === undefined ? {} : { runId }) };
  if (failure === undefined) return left;
  const { code, status, message } = failure;
  return { ...left, failure: new ServiceError(code, status, message) };
}

function leaseKey(key: string) {
  return { pk: resultKey(key), sk: 'lease' };
}
