import { LEASE_RENEWAL_MS } from '../endpoints/limits.ts';
import type { Logger } from '../ports.ts';
import type { Sleep } from './concurrency/sleep.ts';
import type { Lease, Leases } from './leases.ts';

export interface KeepLeaseDeps {
  readonly leases: Leases;
  readonly sleep: Sleep;
  readonly logger: Logger;
}

/** A lease that is prolonged until it is ended. */
export interface KeptLease {
  /**
   * Ends the run with its lease. Never throws.
   *
   * @returns whether the lease was on that run, and nobody else's, to the end; false if that is not known.
   */
  end(): Promise<boolean>;
}

/** A lease that cannot be prolonged or ended expires by itself, so that is logged and no more. */
export function keepLease(lease: Lease, { leases, sleep, logger }: KeepLeaseDeps): KeptLease {
  const ended = new AbortController();
  const warn = (error: unknown) => {
    logger.warn('the lease of a cached query could not be updated', { key: lease.key, error });
  };
  const prolong = async () => {
    for (;;) {
      await sleep(LEASE_RENEWAL_MS, ended.signal);
      if (ended.signal.aborted || !(await leases.renew(lease))) return;
    }
  };
  prolong().catch(warn);
  return {
    end: async () => {
      ended.abort();
      try {
        return (await leases.end(lease.key, lease.startedAt)) === lease.owner;
      } catch (error) {
        warn(error);
        return false;
      }
    },
  };
}

/** Does work under a lease, and ends the run with the work. */
export async function underLease<T>(
  lease: Lease,
  deps: KeepLeaseDeps,
  work: () => Promise<T>,
): Promise<T> {
  const kept = keepLease(lease, deps);
  try {
    return await work();
  } finally {
    await kept.end();
  }
}
