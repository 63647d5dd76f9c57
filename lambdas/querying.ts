import { ResultStore } from '../src/endpoints/result-store.ts';
import { EndpointRunner } from '../src/endpoints/runner.ts';
import { LANDING_TABLE } from '../src/lake/columns.ts';
import { createLogger } from '../src/log.ts';
import { systemClock as clock } from '../src/ports.ts';
import { DynamoRegistry } from '../src/registry/registry.ts';
import { freeNames, parameterNames, tableNames } from '../src/sql/survey.ts';
import { documentClient } from './dynamodb.ts';
import type { Environment } from './environment.ts';
import { lazily } from './lazily.ts';

/**
 * What every function that runs or checks queries is made of. A call that the cache answers needs
 * neither the compiler nor Athena.
 */
export function queryingParts(environment: Environment<'query'>) {
  const client = documentClient();
  const logger = createLogger({ clock, level: environment.LOG_LEVEL });
  const registry = new DynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock });
  const results = new ResultStore({ client, table: environment.CACHE_TABLE, clock });
  const engine = lazily(async () => {
    const { athenaEngine } = await import('./athena.ts');
    return athenaEngine(environment, { clock, logger });
  });
  const runner = new EndpointRunner({
    registry,
    engine: { target: 'athena', run: async (query) => (await engine()).run(query) },
    results,
    compiler: {
      compile: async (input) => (await import('../src/sql/compile.ts')).compile(input),
      freeNames,
      parameterNames,
      tableNames,
    },
    clock,
    logger,
    lake: { table: `"${LANDING_TABLE}"`, bufferSeconds: environment.LAKE_BUFFER_SECONDS },
  });
  return { client, clock, logger, registry, results, runner };
}
