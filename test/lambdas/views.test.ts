/**
 * The views' function beside those that change what it looks at: real code and a real DynamoDB
 * interface, with a stand-in for Athena that carries out statements about views.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dynamoRegistry } from '../../src/catalog/registry.ts';
import type { Registry } from '../../src/catalog/types.ts';
import {
  LOCAL_TABLES,
  type LocalDynamoDB,
  startDynamoDB,
} from '../../src/local/dynalite/dynamodb.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { ModelCatalog } from '../lake/views/model.ts';
import { FakeAthena } from '../support/aws/fake-athena.ts';
import { aSource } from '../support/registry.ts';
import { VIEWS } from './variables.ts';

const backends = vi.hoisted(() => ({
  dynamodb: undefined as unknown,
  athena: undefined as unknown,
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => backends.dynamodb }));
vi.mock('../../src/platform/athena/athena-client.ts', async (original) => ({
  ...(await original<object>()),
  athenaClient: () => backends.athena,
}));

let directory: string;
let dynamodb: LocalDynamoDB;
let registry: Registry;
let views: () => Promise<unknown>;
const catalog = new ModelCatalog();
const athena = new FakeAthena(systemClock, (statement) => {
  void catalog.run(statement);
  return {};
});

beforeAll(async () => {
  for (const [name, value] of Object.entries(VIEWS)) vi.stubEnv(name, value);
  directory = mkdtempSync(join(tmpdir(), 'sluice-views-'));
  dynamodb = await startDynamoDB(directory);
  backends.dynamodb = dynamodb.client;
  backends.athena = athena.client;
  registry = dynamoRegistry({
    client: dynamodb.client,
    table: LOCAL_TABLES.registry,
    clock: systemClock,
  });
  ({ handler: views } = await import('../../lambdas/views.ts'));
});

afterAll(async () => {
  await dynamodb.close();
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

test('what another function changed is in the views with the very next call', async () => {
  const source = aSource({ name: 'app.logs' });
  await registry.createSource(source);
  await views();
  expect(catalog.of(source.token)).toEqual(['app_logs']);

  await registry.learn(source.token, { 'metadata.level': 1 });
  await registry.assignSlots(source.token, [], ['metadata.level=string']);
  await views();
  expect(catalog.views.get('app_logs')).toContain('"level"');

  await registry.updateSource({ ...source, name: 'web.logs' });
  await views();
  expect(catalog.of(source.token)).toEqual(['web_logs']);

  await registry.deleteSource(source.token);
  expect(await views()).toEqual({ replaced: 1, dropped: 1, left: 0 });
  expect([...catalog.views.keys()].sort()).toEqual(['events', 'sources']);
});

test('statements run in the workgroup and database of the environment', () => {
  expect(athena.starts.length).toBeGreaterThan(0);
  for (const { WorkGroup, QueryExecutionContext } of athena.starts) {
    expect(WorkGroup).toBe(VIEWS.CATALOG_WORKGROUP);
    expect(QueryExecutionContext).toEqual({ Database: VIEWS.LAKE_DATABASE });
  }
});
