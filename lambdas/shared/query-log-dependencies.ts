import type { Registry } from '../../src/catalog/types.ts';
import { firehoseClient } from '../../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../../src/ingest/delivery/firehose/firehose-sink.ts';
import { SchemaInference } from '../../src/lake/schema/schema-inference.ts';
import { systemClock as clock } from '../../src/platform/clock.ts';
import type { Logger } from '../../src/platform/log.ts';
import { QueryLogWriter } from '../../src/query/usage/query-log-writer.ts';
import type { Environment } from './environment.ts';
import { EmbeddedMetrics } from './metrics.ts';

/** Milliseconds between two writes of an instance over time; see `WriteThrottle`. */
const INTERVAL_MS = 1_000;

/** Milliseconds after which a record is not sent to the stream again. */
const BUDGET_MS = 500;

/**
 * What records calls of saved queries: metrics, and rows on the landing stream. Nothing is spilled: a
 * record that the stream does not take is lost, since no answer should wait for it.
 */
export function queryLogDependencies(
  environment: Pick<
    Environment<'query'>,
    'LANDING_STREAM' | 'COMPRESS_RECORDS' | 'METRICS_NAMESPACE'
  >,
  deps: {
    readonly registry: Pick<Registry, 'sourceByName' | 'schema' | 'learn' | 'assignSlots'>;
    readonly logger: Logger;
  },
): {
  metrics: EmbeddedMetrics;
  queryLog: QueryLogWriter;
  /** Where events of the service's own go. */
  own: { readonly sink: FirehoseSink; readonly inference: SchemaInference };
} {
  const metrics = new EmbeddedMetrics(environment.METRICS_NAMESPACE);
  const sink = new FirehoseSink({
    client: firehoseClient(),
    stream: environment.LANDING_STREAM,
    compress: environment.COMPRESS_RECORDS,
    budgetMs: BUDGET_MS,
    clock,
    logger: deps.logger,
  });
  const inference = new SchemaInference(deps);
  const queryLog = new QueryLogWriter({
    ...deps,
    sink,
    inference,
    metrics,
    clock,
    intervalMs: INTERVAL_MS,
  });
  return { metrics, queryLog, own: { sink, inference } };
}
