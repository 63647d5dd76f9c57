import { athenaClient } from '../src/aws/athena-client.ts';
import { AthenaEngine } from '../src/aws/athena-engine.ts';
import { ResultStore } from '../src/endpoints/result-store.ts';
import { EndpointRunner } from '../src/endpoints/runner.ts';
import { COMPACTED_TABLE, LANDING_TABLE } from '../src/lake/columns.ts';
import { createLogger } from '../src/log.ts';
import { systemClock as clock } from '../src/ports.ts';
import { DynamoRegistry } from '../src/registry/registry.ts';
import { compile, freeNames, parameterNames, tableNames } from '../src/sql/compile.ts';
import { documentClient } from './dynamodb.ts';
import type { Environment } from './environment.ts';

/** What every function that runs or checks queries is made of. */
export function queryingParts(environment: Environment<'query'>) {
  const client = documentClient();
  const logger = createLogger({ clock, level: environment.LOG_LEVEL });
  const registry = new DynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock });
  const results = new ResultStore({ client, table: environment.CACHE_TABLE, clock });
  const runner = new EndpointRunner({
    registry,
    engine: new AthenaEngine({
      client: athenaClient(),
      workGroup: environment.WORKGROUP,
      database: environment.LAKE_DATABASE,
      clock,
      logger,
    }),
    results,
    compiler: { compile, freeNames, parameterNames, tableNames },
    clock,
    logger,
    lake: {
      table: `"${LANDING_TABLE}"`,
      bufferSeconds: environment.LAKE_BUFFER_SECONDS,
      compacted: { table: `"${COMPACTED_TABLE}"`, watermark: () => registry.watermark() },
    },
  });
  return { client, clock, logger, registry, results, runner };
}
