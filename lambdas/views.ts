import { randomUUID } from 'node:crypto';
import { dynamoRegistry } from '../src/catalog/registry.ts';
import { DynamoViewRecords } from '../src/lake/views/dynamo-view-records.ts';
import { type ReconcileOutcome, ViewReconciler } from '../src/lake/views/reconcile.ts';
import { athenaClient } from '../src/platform/athena/athena-client.ts';
import { AthenaDdlRunner } from '../src/platform/athena/athena-ddl.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { systemSleep } from '../src/platform/concurrency/sleep.ts';
import { RegistryTable } from '../src/platform/dynamo/registry-table.ts';
import { createLogger } from '../src/platform/log.ts';
import { documentClient } from './shared/dynamodb.ts';
import { readEnvironment } from './shared/environment.ts';

const environment = readEnvironment('views');
const { REGISTRY_TABLE: table } = environment;
const client = documentClient();
const logger = createLogger({ clock, level: environment.LOG_LEVEL });
const statements = new AthenaDdlRunner({
  client: athenaClient(),
  workGroup: environment.CATALOG_WORKGROUP,
  database: environment.LAKE_DATABASE,
  clock,
  logger,
});
const sync = new ViewReconciler({
  // What this run is called about was written a moment ago; a cache might not have it.
  registry: dynamoRegistry({ client, table, clock, cacheMs: 0 }),
  records: new DynamoViewRecords({ table: new RegistryTable(client, table), clock }),
  statements: {
    // A token of its own each time: what an earlier execution did may have been undone since, so it must
    // not answer for a later one.
    run: (text, deadline) => statements.run({ text, deadline, token: randomUUID() }),
  },
  clock,
  logger,
  sleep: systemSleep,
});

/** Called after a change in the registry, and every hour. Whatever called it, all views are compared. */
export async function handler(): Promise<ReconcileOutcome> {
  return sync.run();
}
