import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/ingest/formats/index.ts';
import { decode, Harness, SOURCE, withoutIdAndTime } from './support.ts';

test('no two formats share a path', () => {
  const paths = FORMATS.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

describe('raw', () => {
  const e1 = { event_message: 'one' };
  const e2 = { event_message: 'two', some: 'x' };

  test.each([
    ['an object', e2, [e2]],
    ['a batch', { batch: [e1, e2] }, [e1, e2]],
    ['a list', [e1, e2], [e1, e2]],
    ['an empty batch', { batch: [] }, []],
    ['an empty list', [], []],
    ['an object whose batch is no list', { batch: 'x' }, [{ batch: 'x' }]],
  ])('takes %s', async (_case, body, events) => {
    expect((await decode(body)).events).toEqual(events);
  });

  test.each(['"abc"', '5', 'null', 'true', '12345678901234567890'])(
    'the scalar %s is an event that is refused',
    async (body) => {
      const outcome = await new Harness().post(body);
      expect(outcome).toEqual({ stored: 0, rejected: [{ index: 0, reason: 'not a JSON object' }] });
    },
  );

  test('stores the fields of an event', async () => {
    const harness = new Harness();
    await harness.post({ event_message: 'hi!', some: 'x' });
    expect(withoutIdAndTime(harness.events[0])).toEqual({ event_message: 'hi!', some: 'x' });
  });

  test('stores a gzipped batch of a hundred events', async () => {
    const harness = new Harness();
    const batch = Array.from({ length: 100 }, (_, index) => ({ message: `event ${index}` }));
    const body = gzipSync(JSON.stringify({ batch }));

    await harness.store((await decode(body, { contentEncoding: 'gzip' })).events);

    expect(harness.events.map((event) => event.event_message)).toEqual(
      batch.map(({ message }) => message),
    );
  });

  test.each([
    ['an object', (event: object) => event],
    ['a list', (event: object) => [event]],
    ['a batch', (event: object) => ({ batch: [event] })],
  ])('an event in %s keeps its own id and timestamp', async (_case, wrap) => {
    const harness = new Harness();
    await harness.post(wrap({ timestamp: '2020-01-01T00:00:00Z', id: 'abc' }));
    expect(harness.events).toEqual([{ id: 'abc', timestamp: 1577836800000000 }]);
  });

  test('stores what a worker sends, its source and log_entry included', async () => {
    const harness = new Harness();
    await harness.post({
      source: SOURCE.token,
      log_entry: 'GET | 200 | /',
      metadata: { response: { status_code: 200 } },
    });
    expect(withoutIdAndTime(harness.events[0])).toEqual({
      source: SOURCE.token,
      log_entry: 'GET | 200 | /',
      event_message: 'GET | 200 | /',
      metadata: { response: { status_code: 200 } },
    });
  });

  test('an empty body is one empty event', async () => {
    const harness = new Harness();
    expect(await harness.post('')).toEqual({ stored: 1, rejected: [] });
    expect(withoutIdAndTime(harness.events[0])).toEqual({});
  });

  test('the documented example is stored as documented', async () => {
    const harness = new Harness();
    await harness.post([
      {
        message: 'hi',
        level: 'info',
        metadata: { 'user-id': 7, empty: null },
        timestamp: 1700000000,
      },
    ]);
    expect(harness.events[0]).toEqual({
      id: expect.any(String),
      timestamp: 1700000000000000,
      event_message: 'hi',
      level: 'info',
      metadata: { _user_id: 7 },
    });
  });
});

describe('json', () => {
  const path = '/json';

  test('stores an object as metadata and as its message', async () => {
    const harness = new Harness();
    await harness.post({ type: 'fruit', qty: 12 }, path);
    expect(withoutIdAndTime(harness.events[0])).toEqual({
      event_message: '{"type":"fruit","qty":12}',
      metadata: { type: 'fruit', qty: 12 },
    });
  });

  test('the message is the text as sent, the metadata is cleaned and renamed', async () => {
    const harness = new Harness();
    await harness.post('{ "user-id": 7, "none": null, "n": 12345678901234567890 }', path);
    expect(JSON.parse(harness.rows[0] ?? '')).toMatchObject({
      event_message: '{"user-id":7,"none":null,"n":12345678901234567890}',
      metadata: '{"_user_id":7,"n":12345678901234567890}',
    });
  });

  test('the message of an object without anything is its text', async () => {
    const harness = new Harness();
    await harness.post({}, path);
    expect(withoutIdAndTime(harness.events[0])).toEqual({ event_message: '{}' });
  });

  test.each(['message', 'event_message', 'log_entry'])('the message is its %s', async (field) => {
    const harness = new Harness();
    await harness.post({ [field]: 'a', b: 1 }, path);
    expect(withoutIdAndTime(harness.events[0])).toEqual({
      event_message: 'a',
      metadata: { [field]: 'a', b: 1 },
    });
  });

  test('an event keeps its own id and timestamp, in metadata too', async () => {
    const harness = new Harness();
    const event = { timestamp: '2020-01-01T00:00:00Z', id: 'abc' };
    await harness.post([event], path);
    expect(harness.events[0]).toMatchObject({
      id: 'abc',
      timestamp: 1577836800000000,
      metadata: event,
    });
  });

  test('a list is one event per element', async () => {
    const harness = new Harness();
    await harness.post([{ a: 1 }, { a: 2 }], path);
    expect(harness.events.map(({ metadata }) => metadata)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('a batch is a field like any other', async () => {
    const harness = new Harness();
    const body = { batch: [{ a: 1 }, { a: 2 }] };
    await harness.post(body, path);
    expect(harness.events.map(({ metadata }) => metadata)).toEqual([body]);
  });

  test('elements that are no objects are refused by index', async () => {
    const outcome = await new Harness().post([{ a: 1 }, 5, [{}], null], path);
    expect(outcome.stored).toBe(1);
    expect(outcome.rejected.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  test('a field of the event named as a column is no column', async () => {
    const harness = new Harness();
    await harness.post({ project: 'p', s000: 'info' }, path);
    expect(JSON.parse(harness.rows[0] ?? '')).toMatchObject({
      project: 'p',
      s000: '{}',
      metadata: '{"project":"p","s000":"info"}',
    });
  });
});

describe.each(['', '/json'])('the source named in the body, at "%s"', (path) => {
  test.each([
    ['source', { source: SOURCE.token, a: 1 }, { token: SOURCE.token }],
    ['source_name', { source_name: 'my.app', a: 1 }, { name: 'my.app' }],
    ['both', { source: 'x', source_name: 'y' }, { token: 'x', name: 'y' }],
    ['keys beside a batch', { source: 'x', batch: [] }, { token: 'x' }],
  ])('is returned from %s', async (_case, body, source) => {
    expect((await decode(body, { path })).source).toEqual(source);
  });

  test.each([
    ['a list', [{ source: 'x' }]],
    ['fields that are no strings', { source: 5, source_name: null }],
    ['a scalar', '"source"'],
    ['null', 'null'],
    ['events of a batch', { batch: [{ source: 'x' }] }],
  ])('is absent for %s', async (_case, body) => {
    expect(await decode(body, { path })).not.toHaveProperty('source');
  });
});
