import { afterAll, beforeAll, expect, test } from 'vitest';
import { DynamoSeedLedger } from '../../src/bootstrap/seed-log.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import { openDatabase, type TestDatabase } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

const ledger = () =>
  new DynamoSeedLedger({ client: database.client, table: LOCAL_TABLES.registry });

test('what was recorded is known to every instance, however often it was recorded', async () => {
  await ledger().record('source postgres.logs');
  await ledger().record('source postgres.logs');

  expect(await ledger().has('source postgres.logs')).toBe(true);
  expect(await ledger().has('source postgres')).toBe(false);
});
