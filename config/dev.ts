import type { EnvironmentSettings } from '../lib/settings.ts';

/** A small environment to try things in: fresh and forgetful, and deployable to a new account. */
export default {
  firstDay: '2026-11-01',
  eventRetentionDays: 30,
  logRetentionDays: 7,
  throttle: { requestsPerSecond: 100, burst: 200 },
  scanLimitGiB: { api: 5, analysts: 50 },
  scanCostAlarmUsdPerHour: 1,
  // A new account has no Lambda concurrency to set aside.
  queryConcurrency: 'unreserved',
} satisfies EnvironmentSettings;
