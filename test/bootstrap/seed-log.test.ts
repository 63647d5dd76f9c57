import { afterAll, beforeAll, expect, test } from 'vitest';
import { DynamoSeedLog } from '../../src/bootstrap/seed-log.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import { openDatabase, type TestDatabase } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

const seedLog = () => new DynamoSeedLog({ client: database.client, table: LOCAL_TABLES.registry });

test('what was recorded is known to every instance, however often it was recorded', async () => {
  await seedLog().record('source postgres.logs');
  await seedLog().record('source postgres.logs');

  expect(await seedLog().has('source postgres.logs')).toBe(true);
  expect(await seedLog().has('source postgres')).toBe(false);
});
