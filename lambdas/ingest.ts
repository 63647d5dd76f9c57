import { Authenticator } from '../src/access/authenticator.ts';
import { dynamoRegistry } from '../src/catalog/registry.ts';
import { createIngestApp } from '../src/http/apps/ingest-app.ts';
import { DEFAULT_INGEST_LIMITS } from '../src/http/routes/ingest/ingest-routes.ts';
import { firehoseClient } from '../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../src/ingest/delivery/firehose/firehose-sink.ts';
import { DynamoBuckets } from '../src/ingest/limits/dynamo-buckets.ts';
import { RateLimiter } from '../src/ingest/limits/rate-limiter.ts';
import { IngestPipeline } from '../src/ingest/pipeline.ts';
import { IngestPreview } from '../src/ingest/preview.ts';
import { DynamoRejections } from '../src/ingest/rejections/dynamo-rejections.ts';
import { RejectionRecorder } from '../src/ingest/rejections/rejection-recorder.ts';
import { SchemaInference } from '../src/lake/schema/schema-inference.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { documentClient } from './shared/dynamodb.ts';
import { readEnvironment } from './shared/environment.ts';
import { httpHandler } from './shared/http-handler.ts';
import { lazy } from './shared/lazy.ts';
import { afterEach, EmbeddedMetrics } from './shared/metrics.ts';
import { SummedMetrics } from './shared/summed-metrics.ts';

const environment = readEnvironment('ingest');
const logger = createLogger({ clock, level: environment.LOG_LEVEL });
const client = documentClient();
const registry = dynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock, logger });
const cache = { client, table: environment.CACHE_TABLE, clock };
/** Most instances never see Firehose refuse anything. */
const spilling = lazy(async () => {
  const { spillQueue } = await import('./shared/spill-queue.ts');
  return spillQueue(environment, { clock, logger });
});

const recorder = new RejectionRecorder({
  log: new DynamoRejections(cache),
  clock,
  logger,
  timer: false,
});
const metrics = new SummedMetrics(new EmbeddedMetrics(environment.METRICS_NAMESPACE), clock);

const serve = httpHandler(
  createIngestApp({
    registry,
    authenticator: new Authenticator({ registry, clock }),
    pipeline: new IngestPipeline({
      sink: new FirehoseSink({
        client: firehoseClient(),
        stream: environment.LANDING_STREAM,
        compress: environment.COMPRESS_RECORDS,
        spillQueue: { spill: async (records) => (await spilling()).spill(records) },
        clock,
        logger,
        metrics,
      }),
      inference: new SchemaInference({ registry, logger }),
      registry,
      clock,
      logger,
    }),
    limits: DEFAULT_INGEST_LIMITS,
    limiter: new RateLimiter({
      shared: new DynamoBuckets(cache),
      defaults: {
        perSource: environment.SOURCE_RATE_LIMIT,
        perKey: environment.KEY_RATE_LIMIT,
      },
      clock,
      logger,
    }),
    recorder,
    preview: new IngestPreview({ clock, registry }),
    metrics,
    logger,
    clock,
  }),
);

export const handler = metrics.publishing(afterEach(serve, () => recorder.flushDue()));
