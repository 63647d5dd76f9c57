import type { EnvironmentSettings } from './config.ts';

/**
 * What is deployed where; pick one with `-c env=<name>`. Every setting and its default is described
 * in `lib/config.ts`.
 */
export const ENVIRONMENTS: Readonly<Record<string, EnvironmentSettings>> = {
  dev: {
    firstDay: '2026-11-01',
    bufferSeconds: 60,
    eventRetentionDays: 30,
    logRetentionDays: 7,
    throttle: { requestsPerSecond: 100, burst: 200 },
    scanLimitGiB: { api: 5, analysts: 50 },
  },
  prod: {
    firstDay: '2026-11-01',
    logRetentionDays: 90,
    queryConcurrency: 50,
  },
};
