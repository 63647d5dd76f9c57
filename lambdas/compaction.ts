import { dynamoRegistry } from '../src/catalog/registry.ts';
import { AthenaCompactionStore } from '../src/lake/compaction/athena/athena-compaction-store.ts';
import { type CompactionRun, Compactor } from '../src/lake/compaction/compactor.ts';
import { athenaClient } from '../src/platform/athena/athena-client.ts';
import { AthenaDdlRunner } from '../src/platform/athena/athena-ddl.ts';
import { AthenaEngine } from '../src/platform/athena/athena-engine.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { Leases } from '../src/platform/leases/leases.ts';
import { createLogger } from '../src/platform/log.ts';
import { documentClient } from './shared/dynamodb.ts';
import { readEnvironment } from './shared/environment.ts';

const environment = readEnvironment('compaction');
const client = documentClient();
const logger = createLogger({ clock, level: environment.LOG_LEVEL });
const registry = dynamoRegistry({ client, table: environment.REGISTRY_TABLE, clock });
const leases = new Leases({ client, table: environment.CACHE_TABLE, clock });
const athena = {
  client: athenaClient(),
  workGroup: environment.WORKGROUP,
  database: environment.LAKE_DATABASE,
  clock,
  logger,
};
const engine = new AthenaEngine(athena);
const statements = new AthenaDdlRunner(athena);

/** A minute less than the function's timeout, for what a run does after its last wait. */
const BUDGET_MS = 13 * 60_000;

/** Called every ten minutes. What one run does not get to, the next does. */
export function handler(): Promise<CompactionRun> {
  const deadline = clock.now() + BUDGET_MS;
  const { COMPACTED_LOCATION: location } = environment;
  return new Compactor({
    store: new AthenaCompactionStore({ engine, statements, location, clock, logger, deadline }),
    registry,
    leases,
    clock,
    logger,
    firstHour: Date.parse(environment.FIRST_DAY),
    maxFilingDelaySeconds: environment.MAX_FILING_DELAY_SECONDS,
    retentionDays: environment.RETENTION_DAYS,
  }).runOnce(deadline);
}
