import type { Logger } from '../ports.ts';
import type { Lease, Leases } from './leases.ts';
import { LEASE_RENEWAL_MS } from './limits.ts';
import type { Sleep } from './sleep.ts';

/**
 * Does work under a lease: prolongs the lease while the work goes on, ends the run with the work. A
 * lease that cannot be prolonged or ended expires by itself, so that is logged and no more.
 */
export async function underLease<T>(
  lease: Lease,
  deps: { leases: Leases; sleep: Sleep; logger: Logger },
  work: () => Promise<T>,
): Promise<T> {
  const { leases, sleep, logger } = deps;
  const ended = new AbortController();
  const prolong = async () => {
    for (;;) {
      await sleep(LEASE_RENEWAL_MS, ended.signal);
      if (ended.signal.aborted || !(await leases.renew(lease))) return;
    }
  };
  const warn = (error: unknown) => {
    logger.warn('the lease of a cached query could not be updated', { key: lease.key, error });
  };
  prolong().catch(warn);
  try {
    return await work();
  } finally {
    ended.abort();
    await leases.end(lease.key, lease.startedAt).catch(warn);
  }
}
