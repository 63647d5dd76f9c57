import { randomUUID } from 'node:crypto';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Sleep } from '../concurrency/sleep.ts';
import { type CacheTable, conditional, resultKey, toEpochSeconds } from '../dynamo/cache-table.ts';
import type { Logger } from '../log.ts';

/** The right to be the one process that does something. */
export interface Lease {
  readonly key: string;
  readonly owner: string;
}

/** A crashed process blocks its key for ten seconds; three missed renewals are outlived. */
export const LEASE_MS = 10_000;
const LEASE_RENEWAL_MS = 3_000;

/** Items stay for a while after their lease, so that clocks may differ. */
const KEEP_MS = 1_200_000;

/** One owner at a time per key, across processes. */
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
    const now = this.#table.clock.now();
    const lease = { key, owner: randomUUID() };
    const isFree = 'attribute_not_exists(pk) OR leaseUntil < :now OR leaseUntil > :farthest';
    const values = { ':now': now, ':farthest': now + 2 * LEASE_MS };
    return (await this.#update(lease, isFree, values)) ? lease : undefined;
  }

  /** Prolongs a lease; false when it has passed to another owner. */
  renew(lease: Lease): Promise<boolean> {
    return this.#update(lease, '#owner = :owner');
  }

  /** Gives a lease back; without effect when it has passed to another owner. */
  async release({ key, owner }: Lease): Promise<void> {
    await conditional(
      this.#table.client.send(
        new DeleteCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
        }),
      ),
    );
  }

  async #update(
    { key, owner }: Lease,
    condition: string,
    values: Record<string, number> = {},
  ): Promise<boolean> {
    const now = this.#table.clock.now();
    const output = await conditional(
      this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.table,
          Key: leaseKey(key),
          ConditionExpression: condition,
          UpdateExpression: 'SET #owner = :owner, leaseUntil = :until, #ttl = :ttl',
          ExpressionAttributeNames: { '#owner': 'owner', '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':owner': owner,
            ':until': now + LEASE_MS,
            ':ttl': toEpochSeconds(now + KEEP_MS),
            ...values,
          },
        }),
      ),
    );
    return output !== undefined;
  }
}

export interface WithLeaseDeps {
  readonly leases: Leases;
  readonly sleep: Sleep;
  readonly logger: Logger;
}

/**
 * Does work under a lease, which is prolonged meanwhile and given back in the end. One that cannot be
 * prolonged or given back expires by itself, so that is logged and no more.
 */
export async function withLease<T>(
  lease: Lease,
  { leases, sleep, logger }: WithLeaseDeps,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const warn = (error: unknown) => {
    logger.warn('a lease could not be updated', { key: lease.key, error });
  };
  const prolong = async () => {
    for (;;) {
      await sleep(LEASE_RENEWAL_MS, ended.signal);
      if (ended.signal.aborted || !(await leases.renew(lease))) return;
    }
  };
  prolong().catch(warn);
  try {
    return await work();
  } finally {
    ended.abort();
    await leases.release(lease).catch(warn);
  }
}

function leaseKey(key: string) {
  return { pk: resultKey(key), sk: 'lease' };
}
