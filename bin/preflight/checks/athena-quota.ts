import type { Check } from '../check.ts';
import { QUOTA_PERMISSIONS, quotaNamed, raiseQuota } from '../quotas.ts';
import { failed, ok, unchecked, warning } from '../verdict.ts';

const QUOTA = 'Active DML queries';

/** Whether Athena lets the API run as many queries as it may start, with room for others. */
export const athenaQuota: Check = {
  name: 'Athena queries',
  permissions: QUOTA_PERMISSIONS,
  async run({ clients, config: { queryConcurrency, environment }, region }) {
    const quota = await quotaNamed(clients.quotas, 'athena', QUOTA);
    if (quota?.Value === undefined) {
      return unchecked(`Service Quotas lists no quota "${QUOTA}" of Athena here.`);
    }
    const says = `${quota.Value} queued and running queries in this account and Region`;
    if (queryConcurrency === 'unreserved') {
      return ok(`${says}; queryConcurrency is "unreserved", so that the API may use all of them.`);
    }
    const raise = (value: number) => [
      ...(quota.QuotaCode ? [raiseQuota('athena', quota.QuotaCode, value, region)] : []),
      `Or set queryConcurrency in config/${environment}.ts to ${Math.max(1, Math.floor(quota.Value ?? 0) >> 1)} or less.`,
    ];
    if (quota.Value < queryConcurrency) {
      return failed(
        `${says}, fewer than the ${queryConcurrency} that queryConcurrency lets the API start.`,
        ...raise(2 * queryConcurrency),
      );
    }
    if (quota.Value < 2 * queryConcurrency) {
      return warning(
        `${says}. The API may start ${queryConcurrency}, which leaves little to analysts, compaction and other environments.`,
        ...raise(2 * queryConcurrency),
      );
    }
    return ok(`${says}; the API starts ${queryConcurrency} at most.`);
  },
};
