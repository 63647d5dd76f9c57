import * as z from 'zod/mini';
import { AthenaRunEnds } from '../src/aws/athena-run-ends.ts';
import { dynamoRegistry } from '../src/catalog/registry.ts';
import { ResultStore } from '../src/endpoints/result-store.ts';
import { type Finish, RunFinisher } from '../src/endpoints/run-finisher.ts';
import { athenaClient } from '../src/platform/athena/athena-client.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { documentClient } from './shared/dynamodb.ts';
import { readEnvironment } from './shared/environment.ts';
import { afterEach } from './shared/metrics.ts';
import { queryLogDependencies } from './shared/query-log-dependencies.ts';

/** Of the 45 s that the function has; the rest is for the tables. */
const READING_BUDGET_MS = 30_000;

const environment = readEnvironment('query-ended');
const client = documentClient();
const logger = createLogger({ clock, level: environment.LOG_LEVEL });
const registry = dynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock });
const { metrics, queryLog } = queryLogDependencies(environment, { registry, logger });
const finisher = new RunFinisher({
  runs: new AthenaRunEnds({ client: athenaClient(), clock, logger }),
  results: new ResultStore({
    client,
    table: environment.CACHE_TABLE,
    clock,
    maxBytes: environment.CACHED_RESULT_BYTES,
  }),
  queryLog,
  clock,
  logger,
  budgetMs: READING_BUDGET_MS,
});

/** "Athena Query State Change"; it has more fields, and AWS may add others. */
const StateChange = z.object({
  detail: z.object({ queryExecutionId: z.string().check(z.minLength(1)) }),
});

/**
 * Called when a query of the API's workgroup has ended. Most were waited for and are none of its
 * business. Whatever it throws is for Lambda to try again; a run that stays unfinished is picked up by
 * the next identical call.
 */
export const handler = metrics.publishing(
  afterEach(
    async (event: unknown): Promise<{ finish: Finish }> => {
      const { detail } = StateChange.parse(event);
      return { finish: await finisher.finish(detail.queryExecutionId) };
    },
    () => queryLog.flush(),
  ),
);
