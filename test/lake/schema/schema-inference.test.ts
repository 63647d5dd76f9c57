import { describe, expect, test, vi } from 'vitest';
import {
  InferredSchema,
  MAX_PATH_CHARS,
  MAX_PATH_DEPTH,
  MAX_PATHS,
} from '../../../src/lake/schema/inferred-schema.ts';
import { ABANDONED_TEXT, schemaToFlat } from '../../../src/lake/schema/schema.ts';
import { SchemaInference } from '../../../src/lake/schema/schema-inference.ts';
import { parseJson } from '../../../src/platform/json/json.ts';
import { MemoryLogger, MemoryRegistry } from '../../ingest/support.ts';

const TOKEN = '8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90';
const STRING = 1;
const INT = 2;
const FLOAT = 4;
const BOOL = 8;
const OBJECT = 16;
const LIST = 32;

const UNAVAILABLE = { code: 'registry_unavailable', status: 503, retryAfterSeconds: 1 };

function schemaOf(...events: unknown[]): InferredSchema {
  const schema = new InferredSchema(TOKEN);
  for (const event of events) schema.learn(event as Record<string, unknown>);
  return schema;
}

function setUp() {
  const registry = new MemoryRegistry();
  const logger = new MemoryLogger();
  return { registry, logger, inference: new SchemaInference({ registry, logger }) };
}

describe('what is learned', () => {
  test.each<[string, Record<string, number>]>([
    ['{"a":"x"}', { a: STRING }],
    ['{"a":1}', { a: INT }],
    ['{"a":1.5}', { a: FLOAT }],
    ['{"a":9223372036854775807}', { a: INT }],
    ['{"a":9223372036854775808}', { a: FLOAT }],
    ['{"a":1e20}', { a: FLOAT }],
    ['{"a":false}', { a: BOOL }],
    ['{"a":{"b":{"c":1}}}', { a: OBJECT, 'a.b': OBJECT, 'a.b.c': INT }],
    ['{"a":["x",1]}', { a: LIST, 'a[]': STRING | INT }],
    ['{"a":[[1],{"b":true}]}', { a: LIST, 'a[]': LIST | OBJECT, 'a[][]': INT, 'a[].b': BOOL }],
  ])('%s', (event, expected) => {
    const flat = schemaToFlat(schemaOf(parseJson(event)).root);
    expect(flat).toEqual(expected);
  });

  test('__proto__ and constructor are keys like any other', () => {
    const schema = schemaOf(parseJson('{"__proto__":{"constructor":1}}'));
    expect(Object.entries(schema.unsaved?.types ?? {})).toEqual([
      ['__proto__', OBJECT],
      ['__proto__.constructor', INT],
    ]);
  });

  test('types of a path add up', () => {
    const schema = schemaOf({ a: 1 }, { a: 1.5 }, { a: 'x' }, { a: 1 });
    expect(schemaToFlat(schema.root)).toEqual({ a: STRING | INT | FLOAT });
  });

  test('undefined fields do not count', () => {
    expect(schemaToFlat(schemaOf({ a: undefined }).root)).toEqual({});
  });

  test('nothing is learned below an empty key, which no path can spell', () => {
    const schema = schemaOf({ metadata: { '': { a: 1 } }, '': 5 });
    expect(Object.keys(schema.unsaved?.types ?? {})).toEqual(['metadata']);
  });
});

describe('bounds', () => {
  test('a path to which another instance gave a slot is learned however many paths there are', async () => {
    const { registry, inference } = setUp();
    const other = new SchemaInference({ registry, logger: new MemoryLogger() });
    const full = await inference.open(TOKEN);
    full.learn({
      by_name: Object.fromEntries(
        Array.from({ length: MAX_PATHS + 5 }, (_, index) => [`name_${index}`, 1]),
      ),
    });
    const others = await other.open(TOKEN);
    others.learn({ late: 'x' });
    await other.save(others);
    await inference.save(full);

    full.learn({ late: 'y' });
    await inference.save(full);

    const { late } = Object.fromEntries(full.root.children);
    expect(late).toMatchObject({ mask: STRING, settled: STRING });
    expect(late?.slots.string).toBe(full.slots.entries.indexOf('late=string'));
  });

  test(`at most ${MAX_PATHS} paths`, () => {
    const schema = schemaOf(
      Object.fromEntries(Array.from({ length: MAX_PATHS + 5 }, (_, index) => [`id${index}`, 1])),
    );
    expect(Object.keys(schemaToFlat(schema.root))).toHaveLength(MAX_PATHS);
    expect(schema.droppedPaths).toBe(5);
  });

  test('paths that are known still learn types when the schema is full', () => {
    const ids = Object.fromEntries(
      Array.from({ length: MAX_PATHS }, (_, index) => [`id${index}`, 1]),
    );
    const schema = schemaOf({ a: 1, ...ids }, { a: 'x' });
    expect(schema.isFull).toBe(true);
    expect(schema.root.children.get('a')?.mask).toBe(INT | STRING);
  });

  test('at most so many characters of paths', () => {
    const key = (index: number): string => `${index}${'k'.repeat(120)}`.slice(0, 120);
    const schema = schemaOf(
      Object.fromEntries(Array.from({ length: 1900 }, (_, index) => [key(index + 1000), 1])),
    );
    expect(schema.isFull).toBe(true);
    expect(Object.keys(schemaToFlat(schema.root)).length * 120).toBeLessThanOrEqual(MAX_PATH_CHARS);
  });

  test('paths end at a depth, which does not count as full', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    const schema = schemaOf(deep);
    expect(Object.keys(schemaToFlat(schema.root))).toHaveLength(MAX_PATH_DEPTH);
    expect(schema.isFull).toBe(false);
  });

  test('a schema that is full is logged once', async () => {
    const { inference, logger } = setUp();
    const schema = await inference.open(TOKEN);
    const ids = Array.from({ length: MAX_PATHS + 1 }, (_, index) => [`id${index}`, 1]);
    schema.learn(Object.fromEntries(ids));

    await inference.save(schema);
    await inference.save(schema);

    expect(logger.lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        fields: expect.objectContaining({ source: TOKEN }),
      }),
    ]);
  });
});

describe('opening', () => {
  test('takes over what the registry knows', async () => {
    const { inference, registry } = setUp();
    await registry.learn(TOKEN, { 'a.b': INT, 'c[].d': STRING });
    const schema = await inference.open(TOKEN);
    expect(schemaToFlat(schema.root)).toMatchObject({ 'a.b': INT, 'c[].d': STRING });
    expect(schema.unsaved).toBeUndefined();
  });

  test('loads a source once, also for requests at the same time', async () => {
    const { inference, registry } = setUp();
    const [first, second] = await Promise.all([inference.open(TOKEN), inference.open(TOKEN)]);
    expect(await inference.open(TOKEN)).toBe(first);
    expect(second).toBe(first);
    expect(registry.loads).toBe(1);
  });

  test('fails while the registry does not answer, and asks it again the next time', async () => {
    const { inference, registry, logger } = setUp();
    await registry.learn(TOKEN, { known: INT });
    registry.failure = new Error('down');

    await expect(inference.open(TOKEN)).rejects.toMatchObject(UNAVAILABLE);
    registry.failure = undefined;
    const schema = await inference.open(TOKEN);

    expect(schemaToFlat(schema.root)).toEqual({ known: INT });
    expect(logger.lines).toMatchObject([{ level: 'error', fields: { source: TOKEN } }]);
  });

  test('sources opened long ago are forgotten, and loaded again', async () => {
    const { inference, registry } = setUp();
    await inference.open(TOKEN);
    for (let index = 0; index < 500; index++) await inference.open(`source ${index}`);
    await inference.open(TOKEN);
    expect(registry.loads).toBe(502);
  });
});

describe('saving', () => {
  test('writes what is new and nothing else', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    schema.learn({ known: 1 });
    await inference.save(schema);

    schema.learn({ known: 1, a: { b: 1 } });
    await inference.save(schema);
    schema.learn({ known: 'x', a: { b: 1 } });
    await inference.save(schema);
    await inference.save(schema);

    expect(registry.calls.slice(1)).toEqual([{ a: OBJECT, 'a.b': INT }, { known: INT | STRING }]);
    expect(registry.assigned.slice(1)).toEqual([['a=object', 'a.b=number'], ['known=string']]);
  });

  test('gives slots in one write, to types that have them, in the order in which they were shown', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);

    schema.learn({ b: 1, a: { x: 'text', list: [{ y: 1 }] }, ok: true });
    schema.learn({ b: 1.5 });
    await inference.save(schema);

    expect(registry.assigned).toEqual([['b=number', 'a=object', 'a.x=string', 'ok=boolean']]);
    expect(schema.root.children.get('a')?.children.get('x')?.slots).toEqual({ string: 2 });
    expect(schema.root.children.get('a')?.children.get('list')?.slots).toEqual({});
  });

  test.each(['learn', 'assignSlots'] as const)(
    'fails where the registry does not %s, and then nothing is settled until a later save',
    async (method) => {
      const { inference, registry, logger } = setUp();
      const schema = await inference.open(TOKEN);
      const answers = vi.spyOn(registry, method).mockRejectedValueOnce(new Error('down'));
      schema.learn({ a: 1 });

      await expect(inference.save(schema)).rejects.toMatchObject(UNAVAILABLE);
      const failed = { ...schema.root.children.get('a') };
      await inference.save(schema);

      expect(failed).toMatchObject({ settled: 0, slots: {} });
      expect(schema.root.children.get('a')).toMatchObject({ settled: INT, slots: { number: 0 } });
      expect(await registry.schema(TOKEN)).toEqual({ types: { a: INT }, slots: ['a=number'] });
      expect(answers).toHaveBeenCalledTimes(2);
      expect(logger.lines).toEqual([
        {
          level: 'error',
          message: 'The schema of a source could not be loaded or saved',
          fields: { source: TOKEN, error: 'Error: down' },
        },
      ]);
    },
  );

  test('goes on from the slots that another instance has given', async () => {
    const registry = new MemoryRegistry();
    const logger = new MemoryLogger();
    const [one, other] = [
      new SchemaInference({ registry, logger }),
      new SchemaInference({ registry, logger }),
    ];
    const schemas = [await one.open(TOKEN), await other.open(TOKEN)] as const;
    schemas[0].learn({ a: 1, b: 'x' });
    schemas[1].learn({ b: 'y', c: true });

    await Promise.all([one.save(schemas[0]), other.save(schemas[1])]);

    const { slots } = await registry.schema(TOKEN);
    expect([...slots].sort()).toEqual(['a=number', 'b=string', 'c=boolean']);
    for (const schema of schemas) {
      expect(schema.root.children.get('b')?.slots).toEqual({ string: slots.indexOf('b=string') });
    }
  });

  test('takes up types that were saved when their slots were not', async () => {
    const { inference, registry } = setUp();
    await registry.learn(TOKEN, { a: INT });
    const schema = await inference.open(TOKEN);

    schema.learn({ a: 1 });
    await inference.save(schema);

    expect(registry.assigned).toEqual([['a=number']]);
    expect(schema.root.children.get('a')).toMatchObject({ settled: INT, slots: { number: 0 } });
  });

  test('a registry that neither gives slots nor tells of others is not asked for ever', async () => {
    const { inference, registry } = setUp();
    vi.spyOn(registry, 'assignSlots').mockResolvedValue([]);
    const schema = await inference.open(TOKEN);
    schema.learn({ a: 1 });

    await expect(inference.save(schema)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('requests at the same time share one write', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    schema.learn({ a: 1 });
    await Promise.all([inference.save(schema), inference.save(schema), inference.save(schema)]);
    expect(registry.calls).toEqual([{ a: INT }]);
  });

  test('a request that learns more during a write waits for a write of its own', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    const { promise: written, resolve: finish } = Promise.withResolvers<void>();
    const learn = registry.learn.bind(registry);
    registry.learn = async (token, added) => {
      await learn(token, added);
      await written;
    };

    schema.learn({ a: 1 });
    const first = inference.save(schema);
    await Promise.resolve();
    schema.learn({ a: 'x', b: 1 });
    const second = inference.save(schema);
    finish();
    await Promise.all([first, second]);

    expect(registry.calls.at(-1)).toMatchObject({ a: INT | STRING, b: INT });
    expect(await registry.schema(TOKEN)).toEqual({
      types: { a: INT | STRING, b: INT },
      slots: ['a=number', 'a=string', 'b=number'],
    });
    expect(schema.unsaved).toBeUndefined();
  });

  test('a schema that was forgotten meanwhile is saved all the same', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    for (let index = 0; index < 500; index++) await inference.open(`source ${index}`);
    schema.learn({ a: 1 });

    await inference.save(schema);

    expect(registry.calls).toEqual([{ a: INT }]);
  });

  test('requests that wait for a save that fails all fail, and it is tried once more for those that came later', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    schema.learn({ a: 1 });
    registry.failure = new Error('down');

    const early = [inference.save(schema), inference.save(schema)];
    await Promise.resolve();
    const late = [inference.save(schema), inference.save(schema)];
    const outcomes = await Promise.allSettled([...early, ...late]);

    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
    expect(registry.calls).toHaveLength(2);
  });
});

test('a path that only unsaved ones keep from a slot is not left out before these are saved', async () => {
  const { inference, registry } = setUp();
  const fields = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]));
  const schema = await inference.open(TOKEN);
  schema.learn({ object: { first: 1 }, ids: fields('id_10000_', MAX_PATHS) });
  await inference.save(schema);
  schema.learn({ object: fields('mine_', 47) });
  const before = schema.news;

  schema.learn({ object: { theirs: 1 } });
  const waits = schema.news > before;
  // Another instance is quicker.
  const { slots } = await registry.schema(TOKEN);
  await registry.assignSlots(TOKEN, slots, ['object.theirs=number']);
  await inference.save(schema);
  schema.learn({ object: { theirs: 1 } });
  await inference.save(schema);

  expect(waits).toBe(true);
  const path = schema.root.children.get('object')?.children.get('theirs');
  expect(path).toMatchObject({ settled: INT, slots: { number: slots.length } });
  expect(schema.mayGrow).toBe(true);
});

describe('texts that are too long for their slots', () => {
  const long = 'x'.repeat(1001);

  test('lose them, alone, and keep the slot of the path for what else it shows', async () => {
    const { inference, registry } = setUp();
    const schema = await inference.open(TOKEN);
    schema.learn({ a: { b: long, c: 'short' }, n: 1 });
    await inference.save(schema);

    expect(schema.abandonTexts({ a: { b: long, c: 'short' }, n: 1 })).toBe(true);
    await inference.save(schema);
    schema.learn({ a: { b: 5 } });
    await inference.save(schema);

    const { types, slots } = await registry.schema(TOKEN);
    expect(types['a.b']).toBe(STRING | INT | ABANDONED_TEXT);
    expect(slots).toEqual(['a=object', 'a.b=string', 'a.c=string', 'n=number', 'a.b=number']);
    for (const loaded of [schema, new InferredSchema(TOKEN, { types, slots })]) {
      const inA = loaded.root.children.get('a')?.children;
      expect(inA?.get('b')?.slots).toEqual({ number: 4 });
      expect(inA?.get('c')?.slots).toEqual({ string: 2 });
      expect(loaded.unsaved).toBeUndefined();
      expect(loaded.abandonTexts({ a: { b: long } })).toBe(false);
    }
  });
});
