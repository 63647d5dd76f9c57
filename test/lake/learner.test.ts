import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json.ts';
import {
  LearnedSchema,
  MAX_PATH_CHARS,
  MAX_PATH_DEPTH,
  MAX_PATHS,
} from '../../src/lake/learned.ts';
import { RETRY_MS, SchemaLearner } from '../../src/lake/learner.ts';
import { schemaToFlat } from '../../src/lake/schema.ts';
import { MemoryLogger, MemoryRegistry, NOW_MS } from '../ingest/support.ts';

const TOKEN = '8a1c7f4e-52b3-4a7e-9d10-6f3b2c5d7e90';
const STRING = 1;
const INT = 2;
const FLOAT = 4;
const BOOL = 8;
const OBJECT = 16;
const LIST = 32;

function schemaOf(...events: unknown[]): LearnedSchema {
  const schema = new LearnedSchema(TOKEN);
  for (const event of events) schema.learn(event as Record<string, unknown>);
  return schema;
}

function setUp() {
  const registry = new MemoryRegistry();
  const logger = new MemoryLogger();
  const clock = { time: NOW_MS, now: () => clock.time };
  return { registry, logger, clock, learner: new SchemaLearner({ registry, logger, clock }) };
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
    expect([...schema.unsaved].map(({ path, mask }) => [path, mask])).toEqual([
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
    expect([...schema.unsaved].map(({ path }) => path)).toEqual(['metadata']);
  });
});

describe('bounds', () => {
  test(`at most ${MAX_PATHS} paths`, () => {
    const schema = schemaOf(
      Object.fromEntries(Array.from({ length: MAX_PATHS + 5 }, (_, index) => [`id${index}`, 1])),
    );
    expect(Object.keys(schemaToFlat(schema.root))).toHaveLength(MAX_PATHS);
    expect(schema.leftOut).toBe(5);
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
    const { learner, logger } = setUp();
    const schema = await learner.open(TOKEN);
    const ids = Array.from({ length: MAX_PATHS + 1 }, (_, index) => [`id${index}`, 1]);
    schema.learn(Object.fromEntries(ids));

    await learner.save(schema);
    await learner.save(schema);

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
    const { learner, registry } = setUp();
    registry.paths.set('a.b', INT).set('c[].d', STRING);
    const schema = await learner.open(TOKEN);
    expect(schemaToFlat(schema.root)).toMatchObject({ 'a.b': INT, 'c[].d': STRING });
    expect(schema.unsaved.size).toBe(0);
  });

  test('loads a source once, also for requests at the same time', async () => {
    const { learner, registry } = setUp();
    const [first, second] = await Promise.all([learner.open(TOKEN), learner.open(TOKEN)]);
    expect(await learner.open(TOKEN)).toBe(first);
    expect(second).toBe(first);
    expect(registry.loads).toBe(1);
  });

  test('starts empty when loading fails, and loads later without losing what was learned', async () => {
    const { learner, registry, logger, clock } = setUp();
    registry.paths.set('known', INT);
    registry.failure = new Error('down');

    const schema = await learner.open(TOKEN);
    schema.learn({ fresh: 1 });
    registry.failure = undefined;
    clock.time += RETRY_MS;
    await learner.save(await learner.open(TOKEN));

    expect(logger.lines.map(({ level }) => level)).toEqual(['error']);
    expect(schemaToFlat((await learner.open(TOKEN)).root)).toEqual({ known: INT, fresh: INT });
    expect(Object.fromEntries(registry.paths)).toEqual({ known: INT, fresh: INT });
  });

  test('leaves a registry alone that failed a moment ago', async () => {
    const { learner, registry, clock } = setUp();
    registry.failure = new Error('down');
    await learner.open(TOKEN);
    clock.time += RETRY_MS - 1;
    const schema = await learner.open(TOKEN);
    schema.learn({ a: 1 });
    await learner.save(schema);
    expect([registry.loads, registry.calls.length]).toEqual([1, 0]);
  });

  test('sources opened long ago are forgotten, and loaded again', async () => {
    const { learner, registry } = setUp();
    await learner.open(TOKEN);
    for (let index = 0; index < 500; index++) await learner.open(`source ${index}`);
    await learner.open(TOKEN);
    expect(registry.loads).toBe(502);
  });
});

describe('saving', () => {
  test('writes what is new and nothing else', async () => {
    const { learner, registry } = setUp();
    registry.paths.set('known', INT);
    const schema = await learner.open(TOKEN);

    schema.learn({ known: 1, a: { b: 1 } });
    await learner.save(schema);
    schema.learn({ known: 'x', a: { b: 1 } });
    await learner.save(schema);
    await learner.save(schema);

    expect(registry.calls).toEqual([{ a: OBJECT, 'a.b': INT }, { known: INT | STRING }]);
  });

  test('a failure is logged, not thrown, and what was to be saved is saved later', async () => {
    const { learner, registry, logger, clock } = setUp();
    const schema = await learner.open(TOKEN);
    schema.learn({ a: 1 });

    registry.failure = new Error('down');
    await learner.save(schema);
    registry.failure = undefined;
    clock.time += RETRY_MS;
    await learner.save(schema);

    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: 'The schema of a source could not be saved',
        fields: { source: TOKEN, error: 'Error: down' },
      },
    ]);
    expect(registry.calls).toEqual([{ a: INT }, { a: INT }]);
  });

  test('requests at the same time share one write', async () => {
    const { learner, registry } = setUp();
    const schema = await learner.open(TOKEN);
    schema.learn({ a: 1 });
    await Promise.all([learner.save(schema), learner.save(schema), learner.save(schema)]);
    expect(registry.calls).toEqual([{ a: INT }]);
  });

  test('a request that learns more during a write waits for a write of its own', async () => {
    const { learner, registry } = setUp();
    const schema = await learner.open(TOKEN);
    const { promise: written, resolve: finish } = Promise.withResolvers<void>();
    const learn = registry.learn.bind(registry);
    registry.learn = async (token, added) => {
      await learn(token, added);
      await written;
    };

    schema.learn({ a: 1 });
    const first = learner.save(schema);
    await Promise.resolve();
    schema.learn({ a: 'x', b: 1 });
    const second = learner.save(schema);
    finish();
    await Promise.all([first, second]);

    expect(registry.calls.at(-1)).toMatchObject({ a: INT | STRING, b: INT });
    expect(Object.fromEntries(registry.paths)).toEqual({ a: INT | STRING, b: INT });
    expect(schema.unsaved.size).toBe(0);
  });

  test('a schema that was forgotten is left to its successor', async () => {
    const { learner, registry } = setUp();
    const schema = await learner.open(TOKEN);
    for (let index = 0; index < 500; index++) await learner.open(`source ${index}`);
    schema.learn({ a: 1 });
    await learner.save(schema);
    expect(registry.calls).toEqual([]);
  });
});
