import { afterAll, beforeAll, expect, test } from 'vitest';
import { aSource, openDatabase, type TestDatabase, watched } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('an instance serves what it has read for ten seconds at most, then what others wrote', async () => {
  const { clock } = database;
  const [here, there] = [database.registry(), database.registry()];
  const source = aSource({ description: 'old' });
  await there.createSource(source);
  await here.sourceByName(source.name);
  await there.updateSource({ ...source, description: 'new' });

  clock.advance(7_999);
  const before = await here.sourceByName(source.name);
  clock.advance(2_001);
  const after = await here.sourceByName(source.name);

  expect(before?.description).toBe('old');
  expect(after?.description).toBe('new');
});

test('a fresh read goes past the cache and into it', async () => {
  const [here, there] = [database.registry(), database.registry()];
  const source = aSource({ description: 'old' });
  await there.createSource(source);
  await here.sourceByToken(source.token);
  await there.updateSource({ ...source, description: 'new' });

  const fresh = await here.sourceByToken(source.token, { fresh: true });

  expect(fresh?.description).toBe('new');
  expect((await here.sourceByToken(source.token))?.description).toBe('new');
});

test('a write shows at once in the instance it went through', async () => {
  const registry = database.registry();
  const source = aSource();
  expect(await registry.sourceByName(source.name)).toBeUndefined();

  await registry.createSource(source);
  expect(await registry.sourceByName(source.name)).toEqual(source);
  await registry.updateSource({ ...source, description: 'new' });
  expect((await registry.sourceByToken(source.token))?.description).toBe('new');
  await registry.deleteSource(source.token);

  expect(await registry.sourceByToken(source.token)).toBeUndefined();
});

test('a name that turns out to be taken is found at once', async () => {
  const [here, there] = [database.registry(), database.registry()];
  const source = aSource();
  await here.sourceByName(source.name);
  await there.createSource(source);

  await expect(here.createSource(aSource({ name: source.name }))).rejects.toThrow();

  expect(await here.sourceByName(source.name)).toEqual(source);
});

test('lookups at the same time, and of what does not exist, cost one read', async () => {
  const { client, calls } = watched(database.client);
  const registry = database.registry({ client });

  await Promise.all(Array.from({ length: 50 }, () => registry.sourceByName('nobody')));
  await registry.sourceByName('nobody');

  expect(calls).toEqual(['Get']);
});

test('an inferred schema is cached too, and read anew after learning', async () => {
  const { client, calls } = watched(database.client);
  const registry = database.registry({ client });
  const { token } = aSource();
  await registry.schema(token);
  await registry.schema(token);

  await registry.learn(token, { message: 1 });
  const { types: schema } = await registry.schema(token);

  expect(schema).toEqual({ message: 1 });
  expect(calls).toEqual(['Query', 'Update', 'Query']);
});
