/**
 * The service's own metrics: their names and units, once for the code that counts, for dashboards and
 * for alarms.
 */

/** Units as CloudWatch spells them. */
export type MetricUnit = 'Count' | 'Bytes' | 'Milliseconds' | 'None';

export const METRICS = {
  /** Calls of saved queries, refused and failed ones and the warmer's runs included. */
  QueryCalls: 'Count',
  /** Calls that ended with a status of 500 or more. What callers got wrong is not among them. */
  QueryErrors: 'Count',
  /** Calls answered with rows that were there and fresh. */
  QueryCacheHits: 'Count',
  /** Calls of endpoints that cache for which the query ran. */
  QueryCacheMisses: 'Count',
  /** Calls answered with rows that were too old, because a refresh failed. */
  QueryCacheStale: 'Count',
  /** Bytes that runs of the engine read. */
  QueryBytesScanned: 'Bytes',
  /** US dollars that runs of the engine cost; see `src/cost/athena-price.ts`. */
  QueryCostUsd: 'None',
  /** How long runs waited for the engine's capacity. */
  QueryQueueMs: 'Milliseconds',
  /** How long runs took in the engine, without waiting. */
  QueryEngineMs: 'Milliseconds',
  /** Due cache entries that a pass of the warmer did not get to. */
  WarmingBacklog: 'Count',
  /** Events made durable, on the stream or parked. */
  EventsStored: 'Count',
  /** Events that were refused as they were: too far ahead, too large, no object. */
  EventsRefused: 'Count',
  /** Events that the stream did not take and the queue did; also counted as stored. */
  EventsParked: 'Count',
  /** Bytes of the bodies, as sent, of ingest calls that reached storage. */
  IngestBytes: 'Bytes',
} as const satisfies Record<string, MetricUnit>;

export type MetricName = keyof typeof METRICS;

/**
 * The one set of dimensions that all metrics have. A value per endpoint or key would be a metric of its
 * own, at $0.30 a month each; the rows of `sluice.queries` tell those apart.
 */
export const METRIC_DIMENSIONS = { service: 'sluice' } as const;

/** Where CloudWatch keeps the metrics of an environment. */
export function metricsNamespace(environment: string): string {
  return `Sluice/${environment}`;
}

/** Takes measurements. It neither throws nor waits. */
export interface Metrics {
  /** Notes one value; what they add up to or how they spread is for the reader to ask. */
  record(name: MetricName, value: number): void;
}

/** For where no one reads metrics, such as a laptop. */
export const noMetrics: Metrics = { record: () => {} };
