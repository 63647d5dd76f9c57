import { Authenticator } from '../access/authenticator.ts';
import type { AlertRunner } from '../alerts/alert-runner.ts';
import { noSns } from '../alerts/notify/sns.ts';
import { alertParts } from '../alerts/parts.ts';
import { alertRunner } from '../alerts/runner-parts.ts';
import { bootstrap } from '../bootstrap/bootstrap.ts';
import { DynamoSeedLog } from '../bootstrap/seed-log.ts';
import { dynamoRegistry } from '../catalog/registry.ts';
import { createHttpApp } from '../http/app.ts';
import { createService } from '../http/apps/service.ts';
import { addHealthRoute, type Health } from '../http/routes/health.ts';
import { DEFAULT_INGEST_LIMITS } from '../http/routes/ingest/ingest-routes.ts';
import { DynamoBuckets } from '../ingest/limits/dynamo-buckets.ts';
import { RateLimiter } from '../ingest/limits/rate-limiter.ts';
import { IngestPipeline } from '../ingest/pipeline.ts';
import { IngestPreview } from '../ingest/preview.ts';
import { DynamoRejections } from '../ingest/rejections/dynamo-rejections.ts';
import { RejectionRecorder } from '../ingest/rejections/rejection-recorder.ts';
import { SchemaInference } from '../lake/schema/schema-inference.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { startInterval } from '../platform/concurrency/interval.ts';
import { systemSleep } from '../platform/concurrency/sleep.ts';
import { ServiceError } from '../platform/errors.ts';
import { createLogger, type LeveledLogger } from '../platform/log.ts';
import { noMetrics } from '../platform/metrics.ts';
import { ResultStore } from '../query/cache/result-cache-store.ts';
import { EndpointService } from '../query/endpoint-service.ts';
import { ExecutionLeases } from '../query/execution/execution-leases.ts';
import { QueryLogWriter } from '../query/usage/query-log-writer.ts';
import { WarmQueryStore } from '../query/warming/warm-list.ts';
import { Warmer } from '../query/warming/warmer.ts';
import { compile, freeNames, parameterNames, tableNames } from '../sql/compile.ts';
import { describe } from '../sql/describe.ts';
import { CompactionSchedule } from './compaction-schedule.ts';
import type { LocalConfig } from './config.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { CacheBudget } from './dynalite/cache-budget.ts';
import { LOCAL_TABLES } from './dynalite/dynamodb.ts';
import { deleteExpiredItems } from './dynalite/expired-items.ts';
import { listen } from './http-server.ts';

export interface LocalServer {
  /** Base address without a trailing slash. */
  readonly url: string;
  /** The admin key, only at the start that generated it. */
  readonly adminKey: string | undefined;
  /**
   * Refuses new requests, ends queries after two seconds, waits up to five for requests under way, then
   * closes the data directory so that another server may open it.
   */
  close(): Promise<void>;
}

interface Surroundings {
  readonly logger: LeveledLogger;
  readonly clock: Clock;
}

/** Most queries are answered in this time; the others are told to come again. */
const QUERY_GRACE_MS = 2_000;
const REQUEST_GRACE_MS = 5_000;
const ALERTS_GRACE_MS = 1_000;
const WARMING_INTERVAL_MS = 60_000;
const SWEEPING_INTERVAL_MS = 600_000;
/** Alerts are due on the minute; a look at what is due costs a read of two small partitions. */
const ALERTS_INTERVAL_MS = 2_000;

/**
 * Starts the whole service in this process.
 *
 * @throws StartError when the address or the data directory cannot be used.
 */
export async function startServer(
  config: LocalConfig,
  options: { readonly logger?: LeveledLogger } = {},
): Promise<LocalServer> {
  const clock = systemClock;
  const logger = options.logger ?? createLogger({ clock, level: config.logLevel });
  const surroundings = { logger, clock };
  let health: Health = 'starting';
  let app = startingApp(surroundings);

  // Listening comes first: a port in use then costs nothing, and above all not the admin key, which
  // is shown once.
  const listener = await listen((request, env) => app.fetch(request, env), {
    host: config.host,
    port: config.port,
    logger,
    graceMs: REQUEST_GRACE_MS,
  });
  let data: DataDirectory | undefined;
  try {
    data = await openDataDirectory(config.dataDirectory, {
      ...surroundings,
      limits: config.limits,
    });
    const { warmer, checks, compaction, budget, ...parts } = buildParts(data, config, surroundings);
    const { generatedKey } = await bootstrap(parts, config.adminKey);
    app = createService({ ...parts, health: () => health }).app;
    const stopWarming = startWarming(warmer, logger);
    const stopAlerts = startAlerts(checks, logger);
    const stopSweeping = startSweeping(data.client, budget, surroundings);
    const stopCompacting = compaction.start();
    health = 'ok';
    const { close: closeData, lake } = data;
    return {
      url: listener.url,
      adminKey: generatedKey,
      async close() {
        health = 'stopping';
        const endingQueries = setTimeout(() => void lake.endQueries(), QUERY_GRACE_MS);
        const alertsStopped = stopAlerts();
        await listener.close();
        clearTimeout(endingQueries);
        // A pass that has told of something writes that down while the log still takes it.
        const ended = new AbortController();
        await Promise.race([alertsStopped, systemSleep(ALERTS_GRACE_MS, ended.signal)]);
        ended.abort();
        const stopped = [stopWarming(), alertsStopped, stopSweeping(), stopCompacting()];
        await closeData(Promise.all([...stopped, parts.recorder.flush()]));
      },
    };
  } catch (error) {
    await listener.close();
    await data?.close();
    throw error;
  }
}

/** What answers between listening and readiness. */
function startingApp(surroundings: Surroundings) {
  const app = createHttpApp(surroundings);
  addHealthRoute(app, () => 'starting');
  app.all('*', () => {
    throw new ServiceError('starting', 503, 'The service is starting. Try again in a second.', {
      retryAfterSeconds: 1,
    });
  });
  return app;
}

/** What the service is made of, on top of a data directory. */
function buildParts(
  data: DataDirectory,
  { rateLimits, limits, allowLocalTargets = false }: LocalConfig,
  { logger, clock }: Surroundings,
) {
  const { lake, client } = data;
  const cache = { client, table: LOCAL_TABLES.cache, clock };
  const registry = dynamoRegistry({ client, table: LOCAL_TABLES.registry, clock, logger });
  const budget = new CacheBudget({
    maxBytes: limits.cacheMiB * 1024 ** 2,
    discard: (key) => results.discard(key),
    logger,
  });
  const results = new ResultStore({
    ...cache,
    onWritten: (key, bytes) => budget.written(key, bytes),
  });
  const warm = new WarmQueryStore(cache);
  const inference = new SchemaInference({ registry, logger });
  const runner = new EndpointService({
    registry,
    engine: lake.engine,
    results,
    leases: new ExecutionLeases(cache),
    warm,
    compiler: { compile, describe, freeNames, parameterNames, tableNames },
    clock,
    logger,
    lake: {
      table: lake.table,
      maxFilingDelaySeconds: lake.maxFilingDelaySeconds,
      compacted: { table: lake.compactedTable, watermark: () => registry.watermark() },
    },
    queryLog: new QueryLogWriter({
      sink: lake.sink,
      registry,
      inference,
      metrics: noMetrics,
      clock,
      logger,
    }),
    // A full disk takes no leases, and this process is the only one that could run a query twice.
    runsWithoutCache: true,
  });
  const rejections = new DynamoRejections(cache);
  const alerts = alertParts({
    client,
    tables: LOCAL_TABLES,
    registry,
    runner,
    reach: { allowLocal: allowLocalTargets },
    sns: noSns,
    clock,
    logger,
  });
  return {
    logger,
    clock,
    registry,
    authenticator: new Authenticator({ registry, clock }),
    pipeline: new IngestPipeline({ sink: lake.sink, inference, registry, clock, logger }),
    limits: DEFAULT_INGEST_LIMITS,
    limiter: new RateLimiter({
      shared: new DynamoBuckets(cache),
      defaults: rateLimits,
      clock,
      logger,
    }),
    recorder: new RejectionRecorder({ log: rejections, clock, logger }),
    preview: new IngestPreview({ clock, registry }),
    rejections,
    runner,
    checkQuery: runner.checkQuery,
    alerts,
    checks: alertRunner(
      alerts,
      { registry, runner, clock, logger },
      { sink: lake.sink, inference },
    ),
    warmer: new Warmer({ registry, results, warm, runner, clock, logger }),
    budget,
    compaction: new CompactionSchedule({ data, registry, clock, logger }),
    seedLog: new DynamoSeedLog({ client, table: LOCAL_TABLES.registry }),
  };
}

function startWarming(warmer: Warmer, logger: LeveledLogger): () => Promise<void> {
  return startInterval(
    async () => {
      logger.debug('warmed', { ...(await warmer.runOnce()) });
    },
    { everyMs: WARMING_INTERVAL_MS, logger, name: 'warming' },
  );
}

function startAlerts(alerts: AlertRunner, logger: LeveledLogger): () => Promise<void> {
  const check = async (): Promise<void> => {
    await alerts.runOnce();
  };
  return startInterval(check, { everyMs: ALERTS_INTERVAL_MS, logger, name: 'alerts' });
}

/** What DynamoDB's time to live does on AWS. */
function startSweeping(
  client: DataDirectory['client'],
  budget: CacheBudget,
  { logger, clock }: Surroundings,
): () => Promise<void> {
  const table = LOCAL_TABLES.cache;
  let counted = false;
  return startInterval(
    async () => {
      const deleted = await deleteExpiredItems({ client, table, clock });
      if (!counted) await budget.count({ client, table });
      counted = true;
      logger.debug('deleted expired results', { deleted });
    },
    { everyMs: SWEEPING_INTERVAL_MS, logger, name: 'sweeping' },
  );
}
