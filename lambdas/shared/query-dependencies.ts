import { dynamoRegistry } from '../../src/catalog/registry.ts';
import { COMPACTED_TABLE, LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { systemClock as clock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { ResultStore } from '../../src/query/cache/result-cache-store.ts';
import { EndpointService } from '../../src/query/endpoint-service.ts';
import { ExecutionLeases } from '../../src/query/execution/execution-leases.ts';
import type { QueryLog } from '../../src/query/usage/query-log-record.ts';
import { WarmQueryStore } from '../../src/query/warming/warm-list.ts';
import { freeNames, parameterNames, tableNames } from '../../src/sql/names-in-query.ts';
import { documentClient } from './dynamodb.ts';
import type { Environment } from './environment.ts';
import { lazy } from './lazy.ts';
import { queryLogDependencies } from './query-log-dependencies.ts';

type Checking = Omit<Environment<'management'>, 'ALERT_TOPIC'>;

/** What functions that check queries are made of. */
export function queryDependencies(environment: Checking) {
  return partsOf(environment, basics(environment));
}

/** What functions that run queries are made of. */
export function recordedQueryDependencies(environment: Environment<'query'>) {
  const base = basics(environment);
  const { queryLog, ...recording } = queryLogDependencies(environment, base);
  return { ...partsOf(environment, { ...base, queryLog }), ...recording, queryLog };
}

function basics(environment: Checking) {
  const client = documentClient();
  const logger = createLogger({ clock, level: environment.LOG_LEVEL });
  const registry = dynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock, logger });
  return { client, logger, registry };
}

/** A call that the cache answers needs neither the compiler nor Athena: they come when they are used. */
function partsOf(
  environment: Checking,
  { client, logger, registry, ...recorded }: ReturnType<typeof basics> & { queryLog?: QueryLog },
) {
  const cache = { client, table: environment.CACHE_TABLE, clock };
  const warm = new WarmQueryStore(cache);
  const results = new ResultStore({
    ...cache,
    maxBytes: environment.CACHED_RESULT_BYTES,
  });
  const engine = lazy(async () => {
    const { athenaEngine } = await import('./athena.ts');
    return athenaEngine(environment, { clock, logger });
  });
  const runner = new EndpointService({
    registry,
    engine: {
      target: 'athena',
      durable: true,
      start: async (...query) => (await engine()).start(...query),
      collect: async (...execution) => (await engine()).collect(...execution),
      cancel: async (id) => (await engine()).cancel(id),
    },
    results,
    leases: new ExecutionLeases(cache),
    warm,
    compiler: {
      compile: async (input) => (await import('../../src/sql/compile.ts')).compile(input),
      describe: async (input) => (await import('../../src/sql/describe.ts')).describe(input),
      freeNames,
      parameterNames,
      tableNames,
    },
    clock,
    logger,
    ...recorded,
    lake: {
      table: `"${LANDING_TABLE}"`,
      maxFilingDelaySeconds: environment.MAX_FILING_DELAY_SECONDS,
      compacted: { table: `"${COMPACTED_TABLE}"`, watermark: () => registry.watermark() },
    },
  });
  return { client, clock, logger, registry, results, warm, runner };
}
