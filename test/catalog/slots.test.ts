import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aSource, openDatabase, type TestDatabase } from '../support/registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(() => database.close());

test('a source has no slots before any is given', async () => {
  expect((await database.registry().schema(randomUUID())).slots).toEqual([]);
});

test('slots are given in the order in which they are asked for, and seen by every instance', async () => {
  const token = randomUUID();

  await database.registry().assignSlots(token, [], ['b=string', 'a=number']);
  const slots = await database
    .registry()
    .assignSlots(token, ['b=string', 'a=number'], ['c=object']);

  expect(slots).toEqual(['b=string', 'a=number', 'c=object']);
  expect((await database.registry().schema(token)).slots).toEqual(slots);
});

test('of two instances that give slots at once one is told what the other gave', async () => {
  const token = randomUUID();

  const answers = await Promise.all(
    ['a=string', 'b=string'].map((entry) => database.registry().assignSlots(token, [], [entry])),
  );

  expect(answers[0]).toEqual(answers[1]);
  expect(['a=string', 'b=string']).toContain(answers[0]?.join());
  expect((await database.registry().schema(token)).slots).toEqual(answers[0]);
});

test('an instance that holds an old list gives nothing, and is told the new one', async () => {
  const token = randomUUID();
  const [late, early] = [database.registry(), database.registry()];
  await late.assignSlots(token, [], ['a=string']);
  await early.assignSlots(token, ['a=string'], ['b=string']);

  expect(await late.assignSlots(token, ['a=string'], ['c=string'])).toEqual([
    'a=string',
    'b=string',
  ]);
});

test('twenty instances that try until they have theirs end with one list, and no path has two slots', async () => {
  const token = randomUUID();
  const giveUntilGiven = async (entry: string): Promise<void> => {
    const registry = database.registry();
    let slots: readonly string[] = [];
    while (!slots.includes(entry)) slots = await registry.assignSlots(token, slots, [entry]);
  };
  const entries = Array.from({ length: 20 }, (_, index) => `field_${index % 10}=string`);

  await Promise.all(entries.map(giveUntilGiven));

  const { slots } = await database.registry().schema(token);
  expect([...slots].sort()).toEqual([...new Set(entries)].sort());
});

test('who never hears that slots were given finds them when trying again', async () => {
  const token = randomUUID();
  const registry = database.registry();
  await registry.assignSlots(token, [], ['a=string', 'b=string']);

  expect(await registry.assignSlots(token, [], ['a=string', 'b=string'])).toEqual([
    'a=string',
    'b=string',
  ]);
});

test('what an instance has read is forgotten when it gives slots', async () => {
  const registry = database.registry();
  const source = aSource();
  await registry.schema(source.token);

  await registry.assignSlots(source.token, [], ['a=string']);

  expect((await registry.schema(source.token)).slots).toEqual(['a=string']);
});

test('slots of the longest paths fit', async () => {
  const token = randomUUID();
  const entries = Array.from({ length: 128 }, (_, index) => `${index}.${'x'.repeat(495)}=boolean`);

  await database.registry().assignSlots(token, [], entries);

  expect((await database.registry().schema(token)).slots).toEqual(entries);
});
