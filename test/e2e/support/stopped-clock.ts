import { Authenticator } from '../../../src/access/authenticator.ts';
import { noSns } from '../../../src/alerts/notify/sns.ts';
import { alertParts } from '../../../src/alerts/parts.ts';
import { alertRunner } from '../../../src/alerts/runner-parts.ts';
import { bootstrap } from '../../../src/bootstrap/bootstrap.ts';
import { DynamoSeedLog } from '../../../src/bootstrap/seed-log.ts';
import { dynamoRegistry } from '../../../src/catalog/registry.ts';
import { createService } from '../../../src/http/apps/service.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/http/routes/ingest/ingest-routes.ts';
import { DynamoBuckets } from '../../../src/ingest/limits/dynamo-buckets.ts';
import { RateLimiter } from '../../../src/ingest/limits/rate-limiter.ts';
import { DEFAULT_RATES } from '../../../src/ingest/limits/token-bucket.ts';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { IngestPreview } from '../../../src/ingest/preview.ts';
import { DynamoRejections } from '../../../src/ingest/rejections/dynamo-rejections.ts';
import { RejectionRecorder } from '../../../src/ingest/rejections/rejection-recorder.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { CompactionSchedule } from '../../../src/local/compaction-schedule.ts';
import { openDataDirectory } from '../../../src/local/data-directory.ts';
import { LOCAL_TABLES } from '../../../src/local/dynalite/dynamodb.ts';
import { listen } from '../../../src/local/http-server.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { ResultStore } from '../../../src/query/cache/result-cache-store.ts';
import { EndpointService } from '../../../src/query/endpoint-service.ts';
import { ExecutionLeases } from '../../../src/query/execution/execution-leases.ts';
import type { QueryEngine } from '../../../src/query/execution/query-engine.ts';
import { WarmQueryStore } from '../../../src/query/warming/warm-list.ts';
import { Warmer } from '../../../src/query/warming/warmer.ts';
import { compile, freeNames, parameterNames, tableNames } from '../../../src/sql/compile.ts';
import { describe } from '../../../src/sql/describe.ts';
import { Client } from './client.ts';
import { ADMIN_KEY, onChain, type Running } from './server.ts';

/** A clock that stands still until it is moved. */
export class StoppedClock implements Clock {
  #now: number;

  constructor(at: string) {
    this.#now = Date.parse(at);
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export interface StoppedService extends Running {
  readonly clock: Pick<StoppedClock, 'now' | 'advance'>;
  /** Does what the schedule does once a minute. */
  warm(): Promise<void>;
  /** Checks the alerts that are due, as the schedule does. */
  checkAlerts(): Promise<void>;
  /** Does what the schedule does every ten minutes. */
  compact(): Promise<void>;
}

export interface StartOptions {
  /** What stands before the engine, for tests that look at its runs; locally only. */
  readonly watch?: (engine: QueryEngine) => QueryEngine;
}

/**
 * The service over HTTP, from the parts that the local server is made of, at a time of the test's
 * choosing and without the schedule that warms the cache.
 */
export async function startAt(
  at: string,
  dataDirectory: string,
  { watch = (engine) => engine }: StartOptions = {},
): Promise<StoppedService> {
  if (onChain) {
    const { startChainAt } = await import('../../wire/chain/service.ts');
    return startChainAt(at, dataDirectory);
  }
  const clock = new StoppedClock(at);
  const logger = createLogger({ clock, write: () => {} });
  const data = await openDataDirectory(dataDirectory, { logger, clock });
  const { lake, client, close } = data;
  const cache = { client, table: LOCAL_TABLES.cache, clock };
  const registry = dynamoRegistry({ client, table: LOCAL_TABLES.registry, clock });
  const results = new ResultStore(cache);
  const warm = new WarmQueryStore(cache);
  const rejections = new DynamoRejections(cache);
  const compiler = { compile, describe, freeNames, parameterNames, tableNames };
  const engine = watch(lake.engine);
  const runner = new EndpointService({
    registry,
    engine,
    results,
    leases: new ExecutionLeases(cache),
    warm,
    compiler,
    clock,
    logger,
    lake: {
      table: lake.table,
      maxFilingDelaySeconds: lake.maxFilingDelaySeconds,
      compacted: { table: lake.compactedTable, watermark: () => registry.watermark() },
    },
  });
  const compaction = new CompactionSchedule({ data, registry, clock, logger });
  const inference = new SchemaInference({ registry, logger });
  const warmer = new Warmer({ registry, results, warm, runner, clock, logger });
  const alerts = alertParts({
    client,
    tables: LOCAL_TABLES,
    registry,
    runner,
    reach: { allowLocal: true },
    sns: noSns,
    clock,
    logger,
  });
  const checks = alertRunner(
    alerts,
    { registry, runner, clock, logger },
    { sink: lake.sink, inference },
  );
  const parts = {
    alerts,
    logger,
    clock,
    registry,
    runner,
    authenticator: new Authenticator({ registry, clock }),
    pipeline: new IngestPipeline({ sink: lake.sink, inference, registry, clock, logger }),
    limits: DEFAULT_INGEST_LIMITS,
    checkQuery: runner.checkQuery,
    limiter: new RateLimiter({
      shared: new DynamoBuckets(cache),
      defaults: DEFAULT_RATES,
      clock,
      logger,
    }),
    recorder: new RejectionRecorder({ log: rejections, clock, logger }),
    preview: new IngestPreview({ clock, registry }),
    rejections,
    seedLog: new DynamoSeedLog({ client, table: LOCAL_TABLES.registry }),
  };
  await bootstrap(parts, ADMIN_KEY);
  const { app } = createService(parts);
  const listener = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger });
  return {
    sluice: new Client(listener.url, ADMIN_KEY),
    settle: async () => {},
    clock,
    warm: async () => {
      await warmer.runOnce();
    },
    checkAlerts: async () => {
      await checks.runOnce();
    },
    compact: () => compaction.runOnce(),
    close: async () => {
      await listener.close();
      await close();
    },
  };
}
