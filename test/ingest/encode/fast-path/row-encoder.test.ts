import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FastRowEncoder } from '../../../../src/ingest/encode/fast-path/row-encoder.ts';
import { JsonTextOf } from '../../../../src/ingest/event/message.ts';
import { EventRejected } from '../../../../src/ingest/event/rejected-event.ts';
import { Normalizer } from '../../../../src/ingest/normalize/normalizer.ts';
import { landingRow, rowFrame } from '../../../../src/lake/rows/row.ts';
import { InferredSchema } from '../../../../src/lake/schema/inferred-schema.ts';
import { shared } from '../../../../src/platform/json/fields.ts';
import { rawNumber } from '../../../../src/platform/json/json.ts';
import { NOW_MS, SOURCE } from '../../support.ts';

type Event = Readonly<Record<string, unknown>>;

const frame = rowFrame(SOURCE.token, NOW_MS);

/** The row of the careful way, after which the schema knows the event, as if it had been saved. */
function normalisedRow(event: Event, schema: InferredSchema): unknown {
  const normal = new Normalizer().normalize(event, schema, NOW_MS);
  const { unsaved } = schema;
  if (unsaved !== undefined) schema.settle(unsaved, schema.slots.extendedBy(unsaved.paths));
  return JSON.parse(landingRow(normal, frame, schema.root));
}

/** The row of the fast way. */
function knownRow(event: Event, schema: InferredSchema): unknown {
  const row = new FastRowEncoder().row(event, schema, NOW_MS, frame);
  return row === undefined ? undefined : JSON.parse(row);
}

/** What a function gives, or the reason why it refuses the event. */
function orRefusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof EventRejected) return error.message;
    throw error;
  }
}

/** Mostly one thing, now and then another. */
const mostly = <A, B>(usual: fc.Arbitrary<A>, unusual: fc.Arbitrary<B>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: unusual });

/** Keys that meet often; now and then some that are renamed, or come to share a name. */
const key = mostly(
  fc.constantFrom('request', 'headers', 'response', 'status_code', 'path', 'level', 'project'),
  fc.constantFrom('user-agent', 'user agent', '_user_agent', 'a.b', '__proto__', '1st', 'é', ''),
);

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constantFrom('', null, '200', 200, -0, 1e21, rawNumber('12345678901234567890')),
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));

const text = fc.string({ unit: 'binary', maxLength: 60 });

const event: fc.Arbitrary<Event> = fc.record(
  {
    id: mostly(text, fc.constantFrom('', null, 42)),
    timestamp: mostly(fc.constantFrom(NOW_MS, null, 'x'), fc.integer()),
    event_message: mostly(text, value),
    message: mostly(text, fc.constantFrom('', null, false, 7)),
    project: mostly(text, value),
    metadata: mostly(fc.dictionary(key, value), value),
    status_code: value,
    'user-agent': value,
    _user_agent: mostly(fc.constant(undefined), value),
    tags: fc.array(value),
  },
  { requiredKeys: ['id'] },
);

describe('the fast way to a row', () => {
  test('gives the row of the careful way, or none', () => {
    let made = 0;

    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 4 }), (events) => {
        const schema = new InferredSchema(SOURCE.token);
        const withIds = events.map((one, index) => ({ ...one, id: one.id || `id ${index}` }));
        const rows = withIds.map((one) => orRefusal(() => normalisedRow(one, schema)));

        for (const [index, one] of withIds.entries()) {
          const row = orRefusal(() => knownRow(one, schema));
          if (row === undefined) continue;
          made++;
          expect(row).toEqual(rows[index]);
        }
      }),
      { numRuns: 2000 },
    );

    expect(made).toBeGreaterThan(500);
  });

  test.each<[string, Event]>([
    ['an ordinary event', { message: 'GET /', level: 'info', metadata: { status: 200, ok: true } }],
    ['renamed keys', { metadata: { 'user-agent': 'curl', headers: { 'x-id': '1' } } }],
    ['empty parts', { message: 'a', x: null, metadata: { z: 1, a: '', b: {}, c: [], e: null } }],
    ['lists', { tags: ['a', 'b'], metadata: { list: [1, { a: 'x' }, ['y'], null, ''] } }],
    [
      'quotes, backslashes, controls',
      { message: 'a"b\\c\n', metadata: { path: '"\\\u0001\u2028' } },
    ],
    [
      'letters of all kinds',
      { message: 'São Paulo 東京 👩‍🚀', metadata: { path: 'é'.repeat(60) } },
    ],
    [
      'halves of surrogate pairs',
      { message: 'a\ud800b', metadata: { path: '\udc00', x: '\ud83d' } },
    ],
    ['long texts', { message: 'm'.repeat(500), metadata: { path: `/${'p'.repeat(500)}` } }],
    ['integers past 2^53', { span: rawNumber('1700000000000000001'), metadata: { n: -1.5e-7 } }],
    ['a project', { project: 'p"1', metadata: { project: 'other' } }],
    ['a project in the metadata', { metadata: { project_ref: 'ref' } }],
    ['a project that is a number', { metadata: { project: 42, project_ref: 'ref' } }],
    ['a project after an empty one', { metadata: { project: '', project_ref: false } }],
    ['no message', { metadata: { level: 'error' } }],
    ['metadata that is null', { message: 'x', metadata: null }],
  ])('knows %s after having seen one', (_, given) => {
    const schema = new InferredSchema(SOURCE.token);
    const one = { id: 'an id', ...given };
    const expected = normalisedRow(one, schema);

    expect(knownRow(one, schema)).toEqual(expected);
  });

  test.each([
    ['as it is', { a: 'x"y', b: [1, { c: 2 }] }],
    ['renamed', { a: 'x"y', 'b-c': [1, 2] }],
    ['with empty parts', { a: 'x', b: [1, null], c: {} }],
  ])('the message of generic JSON is the text of what came: %s', (_, metadata) => {
    const schema = new InferredSchema(SOURCE.token);
    const one = {
      id: '1',
      timestamp: undefined,
      event_message: new JsonTextOf(metadata),
      metadata,
    };
    const expected = normalisedRow(one, schema);

    expect(knownRow(one, schema)).toEqual(expected);
  });

  test.each<[string, Event, Event]>([
    ['a field', { a: 1 }, { a: 1, b: 1 }],
    ['a type', { a: 1 }, { a: 'x' }],
    ['a type in metadata', { metadata: { a: 1 } }, { metadata: { a: 1.5 } }],
    ['a list where none was', { a: 'x' }, { a: ['x'] }],
    ['elements of another type', { a: ['x'] }, { a: [{ b: 1 }] }],
    ['two keys of one name', { 'a.b': 1 }, { 'a.b': 1, 'a b': 2 }],
    ['a message that is no text', { message: 'x' }, { message: { a: 1 } }],
    ['an id that is no text', { a: 1 }, { a: 1, id: 7 }],
    ['a project that is no text', { project: 'x' }, { project: 7 }],
    ['a number that is none', { a: 1 }, { a: Number.POSITIVE_INFINITY }],
    ['nests of empty parts', { a: 1 }, { a: 1, b: [[]] }],
    ['metadata of which nothing is left', { a: 1 }, { metadata: { a: '' } }],
    ['metadata that is no object', { metadata: 'x' }, { metadata: 'x' }],
  ])('leaves %s to the careful way', (_, seen, given) => {
    const schema = new InferredSchema(SOURCE.token);
    normalisedRow({ id: '1', ...seen }, schema);

    expect(knownRow({ id: '2', ...given }, schema)).toBeUndefined();
  });

  test('objects that events share are written alike in each of them', () => {
    const nested = fc.dictionary(key, value);
    let made = 0;

    fc.assert(
      fc.property(nested, fc.array(event, { minLength: 2, maxLength: 4 }), (object, events) => {
        const resource = shared(object);
        const schema = new InferredSchema(SOURCE.token);
        const rows = new FastRowEncoder();
        const all = events.map((one, index) => ({
          ...one,
          id: one.id || `id ${index}`,
          // At two paths; the second event has a copy instead.
          resource: index === 1 ? { ...object } : resource,
          metadata: { request: resource },
        }));
        const expected = all.map((one) => orRefusal(() => normalisedRow(one, schema)));

        for (const [index, one] of all.entries()) {
          const row = orRefusal(() => rows.row(one, schema, NOW_MS, frame));
          const isText = typeof row === 'string' && row.startsWith('{');
          if (isText) made++;
          if (row !== undefined) expect(isText ? JSON.parse(row) : row).toEqual(expected[index]);
        }
      }),
      { numRuns: 1000 },
    );

    expect(made).toBeGreaterThan(500);
  });

  test.each<[string, Event]>([
    ['as it is', { name: 'x"y', list: [1] }],
    ['with empty parts', { name: 'x', version: '', attributes: {}, dropped: undefined }],
    ['of which nothing is left', { name: '' }],
    ['that holds objects', { path: '/', headers: { host: 'a' } }],
  ])('an object that events share is known: %s', (_, object) => {
    const schema = new InferredSchema(SOURCE.token);
    const rows = new FastRowEncoder();
    const one = {
      id: '1',
      a: 'x',
      scope: shared(object),
      metadata: { request: shared(object), n: 1 },
    };
    const expected = normalisedRow(one, schema);

    const [first, second] = [1, 2].map(() => rows.row(one, schema, NOW_MS, frame));

    expect(JSON.parse(first ?? '')).toEqual(expected);
    expect(second).toBe(first);
  });

  test('an event whose shared object shows something new is left to the careful way', () => {
    const schema = new InferredSchema(SOURCE.token);
    const rows = new FastRowEncoder();
    const resource = shared({ name: 'x' });
    const one = { id: '1', resource };

    const before = rows.row(one, schema, NOW_MS, frame);
    const expected = normalisedRow(one, schema);
    const after = rows.row(one, schema, NOW_MS, frame);

    expect(before).toBeUndefined();
    expect(JSON.parse(after ?? '')).toEqual(expected);
  });

  test('the keys of a shared object count in each event', () => {
    const schema = new InferredSchema(SOURCE.token);
    const rows = new FastRowEncoder();
    const wide = { list: Array.from({ length: 6000 }, () => ({ k: 1 })) };
    normalisedRow({ id: '1', a: wide }, schema);
    normalisedRow({ id: '1', b: wide }, schema);
    const resource = shared(wide);

    const alone = rows.row({ id: '2', a: resource }, schema, NOW_MS, frame);
    const twice = rows.row({ id: '2', a: resource, b: resource }, schema, NOW_MS, frame);

    expect(alone).toBeDefined();
    expect(twice).toBeUndefined();
  });

  test('an event out of time is refused as the careful way refuses it', () => {
    const schema = new InferredSchema(SOURCE.token);
    const late = { timestamp: NOW_MS + 2 * 3_600_000 };

    expect(() => knownRow(late, schema)).toThrow('more than one hour in the future');
  });
});
