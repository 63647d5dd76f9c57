import { firehoseClient } from '../src/aws/firehose-client.ts';
import { FirehoseSink } from '../src/aws/firehose-sink.ts';
import { QueryRecorder } from '../src/endpoints/query-recorder.ts';
import { SchemaLearner } from '../src/lake/learner.ts';
import { systemClock as clock, type Logger } from '../src/ports.ts';
import type { Registry } from '../src/registry/types.ts';
import type { Environment } from './environment.ts';
import { EmbeddedMetrics } from './metrics.ts';

/** Milliseconds between two writes of an instance over time; see `WriteAllowance`. */
const INTERVAL_MS = 1_000;

/** Milliseconds after which a record is not sent to the stream again. */
const BUDGET_MS = 500;

/**
 * What records calls of saved queries: metrics, and rows on the landing stream. Nothing is parked: a
 * record that the stream does not take is lost, since no answer should wait for it.
 */
export function recording(
  environment: Pick<Environment<'query'>, 'LANDING_STREAM' | 'METRICS_NAMESPACE'>,
  deps: {
    readonly registry: Pick<Registry, 'sourceByName' | 'schema' | 'learn' | 'assignSlots'>;
    readonly logger: Logger;
  },
): { metrics: EmbeddedMetrics; queryLog: QueryRecorder } {
  const metrics = new EmbeddedMetrics(environment.METRICS_NAMESPACE);
  const sink = new FirehoseSink({
    client: firehoseClient(),
    stream: environment.LANDING_STREAM,
    budgetMs: BUDGET_MS,
    clock,
    logger: deps.logger,
  });
  const queryLog = new QueryRecorder({
    ...deps,
    sink,
    learner: new SchemaLearner(deps),
    metrics,
    clock,
    intervalMs: INTERVAL_MS,
  });
  return { metrics, queryLog };
}
