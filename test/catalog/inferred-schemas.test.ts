import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JsonType } from '../../src/lake/schema/schema.ts';
import { aSource, openDatabase, type TestDatabase } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('a source of which nothing was learned has an empty schema', async () => {
  expect((await database.registry().schema(randomUUID())).types).toEqual({});
});

test('types add up and paths come in alphabetical order', async () => {
  const registry = database.registry();
  const token = randomUUID();

  await registry.learn(token, { 'metadata.status': JsonType.int, metadata: JsonType.object });
  await registry.learn(token, { 'metadata.status': JsonType.string | JsonType.float });

  const { types: schema } = await registry.schema(token);
  expect(Object.entries(schema)).toEqual([
    ['metadata', JsonType.object],
    ['metadata.status', JsonType.string | JsonType.int | JsonType.float],
  ]);
});

test('type bits of a later version are kept', async () => {
  const registry = database.registry();
  const token = randomUUID();

  await registry.learn(token, { a: 1024 | JsonType.bool });

  expect((await registry.schema(token)).types).toEqual({ a: 1024 | JsonType.bool });
});

test('schemas of different sources do not mix', async () => {
  const registry = database.registry();
  const [one, other] = [randomUUID(), randomUUID()];

  await registry.learn(one, { a: 1 });
  await registry.learn(other, { b: 2 });

  expect((await registry.schema(one)).types).toEqual({ a: 1 });
});

test('nothing is lost among twenty writers', async () => {
  const token = randomUUID();
  const bits = Object.values(JsonType);
  const findings = Array.from({ length: 20 }, (_, writer) => ({
    shared: bits[writer % bits.length] ?? 0,
    [`own.${writer}`]: JsonType.string,
  }));

  await Promise.all(findings.map((added) => database.registry().learn(token, added)));

  const { types: schema } = await database.registry().schema(token);
  expect(schema.shared).toBe(63);
  expect(Object.keys(schema)).toHaveLength(21);
});

test('two thousand long paths of every type fit', async () => {
  const registry = database.registry();
  const token = randomUUID();
  const added = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`metadata.${'x'.repeat(200)}.${index}`, 63]),
  );

  await registry.learn(token, added);

  expect((await registry.schema(token)).types).toEqual(added);
});

test('any path survives', async () => {
  const registry = database.registry();
  const paths = fc.dictionary(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.constantFrom('__proto__', 'a=b', '=', 'a=1', 'items[].name', 'constructor'),
    ),
    fc.integer({ min: 1, max: 63 }),
    { minKeys: 1, maxKeys: 20 },
  );
  await fc.assert(
    fc.asyncProperty(paths, async (added) => {
      const token = randomUUID();

      await registry.learn(token, added);

      const { types: schema } = await registry.schema(token);
      expect(new Map(Object.entries(schema))).toEqual(new Map(Object.entries(added)));
    }),
    { numRuns: 50 },
  );
});

test('a schema outlives its source, for rows do: a token may be used again', async () => {
  const registry = database.registry();
  const source = aSource();
  await registry.createSource(source);
  await registry.learn(source.token, { a: 1 });
  await registry.assignSlots(source.token, [], ['a=string']);

  await registry.deleteSource(source.token);

  expect(await registry.schema(source.token)).toEqual({ types: { a: 1 }, slots: ['a=string'] });
});
