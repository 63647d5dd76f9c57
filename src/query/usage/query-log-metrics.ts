import type { MetricName, Metrics } from '../../platform/metrics.ts';
import type { CacheState } from '../execution/outcome.ts';
import type { QueryLogRecord } from './query-log-record.ts';

const CACHE_METRICS: Readonly<Record<CacheState, MetricName | undefined>> = {
  hit: 'QueryCacheHits',
  miss: 'QueryCacheMisses',
  stale: 'QueryCacheStale',
  off: undefined,
};

/** Counts one call. */
export function measure(record: QueryLogRecord, metrics: Metrics): void {
  const { origin, status_code, cache, bytes_scanned, cost_usd, queue_ms, engine_ms } = record;
  metrics.record('QueryCalls', 1);
  metrics.record('QueryErrors', status_code >= 500 ? 1 : 0);
  const state = cache === undefined ? undefined : CACHE_METRICS[cache];
  if (origin === 'call' && state !== undefined) metrics.record(state, 1);
  const amounts: [MetricName, number | undefined][] = [
    ['QueryBytesScanned', bytes_scanned],
    ['QueryCostUsd', cost_usd],
    ['QueryQueueMs', queue_ms],
    ['QueryEngineMs', engine_ms],
  ];
  for (const [name, amount] of amounts) if (amount !== undefined) metrics.record(name, amount);
}
