import { afterAll, beforeAll, expect, test } from 'vitest';
import { anEndpoint, openDatabase, type TestDatabase, watched } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('a list goes on past the 1 MB that one answer of DynamoDB holds', async () => {
  const { client, calls } = watched(database.client);
  const registry = database.registry({ client });
  const query = `select ${'x'.repeat(200_000)}`;
  const endpoints = Array.from({ length: 12 }, (_, index) =>
    anEndpoint({ name: `endpoint-${String(index).padStart(2, '0')}`, query }),
  );
  await Promise.all(endpoints.map((endpoint) => registry.createEndpoint(endpoint)));
  calls.length = 0;

  const listed = await registry.listEndpoints();

  expect(listed).toEqual(endpoints);
  expect(calls.length).toBeGreaterThan(2);
});
