import { describe, expect, test } from 'vitest';
import {
  type DecodeOptions,
  decode,
  Harness,
  NOW_US,
  SOURCE,
  withoutIdAndTime,
} from '../support.ts';

const PATH = '/cloud-event';
const NEW_YEAR = '2024-01-01T00:00:00Z';
const NEW_YEAR_US = 1704067200000000;
const STRUCTURED = { contentType: 'application/cloudevents+json' };
const BATCHED = { contentType: 'application/cloudevents-batch+json' };

async function stored(body: unknown, options: Omit<DecodeOptions, 'path'> = {}) {
  const harness = new Harness();
  await harness.post(body, PATH, options);
  return harness.events;
}

describe('binary mode', () => {
  test('stores the ce- headers as cloud_event beside the fields of the body', async () => {
    const headers = { 'ce-foo-foo': 'bar', 'ce-specversion': '1.0', 'x-other': 'x' };
    const [event] = await stored({ status: 'started', body: {} }, { headers });
    expect(withoutIdAndTime(event)).toEqual({
      status: 'started',
      cloud_event: { foo_foo: 'bar', specversion: '1.0' },
    });
  });

  test.each([
    ['ce-time wins over the body', { 'ce-time': NEW_YEAR }, { timestamp: 1500000000 }, NEW_YEAR_US],
    ['ce-time alone', { 'ce-time': '2024-01-01T02:00:00.000001+02:00' }, {}, NEW_YEAR_US + 1],
    ['no ce-time: the body', { 'ce-id': 'x' }, { timestamp: NEW_YEAR }, NEW_YEAR_US],
    ['ce-time is no time: the body', { 'ce-time': 'soon' }, { timestamp: NEW_YEAR }, NEW_YEAR_US],
    ['no time: now', { 'ce-time': 'soon' }, {}, NOW_US],
  ])('timestamp: %s', async (_case, headers, body, timestamp) => {
    expect(await stored(body, { headers })).toMatchObject([{ timestamp }]);
  });

  test.each([
    ['the id of the body', { 'ce-id': 'e' }, { id: 'b' }, 'b'],
    ['else that of the CloudEvent', { 'ce-id': 'e' }, { id: null }, 'e'],
    ['else a new one', {}, {}, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])('id: %s', async (_case, headers: Record<string, string>, body, id) => {
    expect(await stored(body, { headers })).toMatchObject([{ id }]);
  });

  test('a list is one event per element, each with the attributes and an id of its own', async () => {
    const events = await stored([{ a: 1 }, { a: 2 }], { headers: { 'ce-id': 'e' } });
    expect(events).toMatchObject([
      { a: 1, cloud_event: { id: 'e' } },
      { a: 2, cloud_event: { id: 'e' } },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(events.map(({ id }) => id)).not.toContain('e');
  });

  test.each([
    ['is replaced by the headers', { 'ce-type': 't' }, { type: 't' }],
    ['stays without such headers', {}, { x: 1 }],
  ])(
    'a field cloud_event of the body %s',
    async (_case, headers: Record<string, string>, expected) => {
      const [event] = await stored({ cloud_event: { x: 1 } }, { headers });
      expect(event?.cloud_event).toEqual(expected);
    },
  );

  test('a body is not needed', async () => {
    const events = await stored('', { contentType: undefined, headers: { 'ce-type': 't' } });
    expect(events).toMatchObject([{ cloud_event: { type: 't' } }]);
  });

  test.each([
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['"a \\"b\\" %20"', 'a "b"  '],
    ['%2525', '%25'],
    ['100%', '100%'],
    ['%ff', '%ff'],
    ['"', '"'],
  ])('the value %s means %j', async (value, text) => {
    const [event] = await stored({}, { headers: { 'ce-subject': value } });
    expect(event?.cloud_event).toEqual({ subject: text });
  });

  test('elements that are no objects are refused by index', async () => {
    const options = { headers: { 'ce-id': 'e' } };
    const { stored, rejected } = await new Harness().post([5, { a: 1 }, [], null], PATH, options);
    expect(stored).toBe(1);
    expect(rejected.map(({ index }) => index)).toEqual([0, 2, 3]);
  });

  test('headers that would be stored too often are refused', async () => {
    const body = Array(10_000).fill({});
    await expect(
      decode(body, { path: PATH, headers: { 'ce-subject': 'x'.repeat(4000) } }),
    ).rejects.toMatchObject({ code: 'too_many_events', status: 413 });
  });

  test('the body may name the source', async () => {
    expect((await decode({ source: SOURCE.token }, { path: PATH })).source).toEqual(SOURCE);
  });
});

describe('structured mode', () => {
  const envelope = { specversion: '1.0', type: 't', source: 'https://a.example/', id: 'e' };

  test('stores what binary mode stores', async () => {
    const data = { n: 1, message: 'm' };
    const [structured] = await stored({ ...envelope, time: NEW_YEAR, data }, STRUCTURED);
    const [binary] = await stored(data, {
      headers: {
        'ce-specversion': '1.0',
        'ce-type': 't',
        'ce-source': 'https://a.example/',
        'ce-id': 'e',
        'ce-time': NEW_YEAR,
      },
    });

    expect(structured).toEqual({
      id: 'e',
      timestamp: NEW_YEAR_US,
      n: 1,
      event_message: 'm',
      cloud_event: { ...envelope, time: NEW_YEAR },
    });
    expect(structured).toEqual(binary);
  });

  test.each([
    ['text', { data: 'x' }, { data: 'x' }],
    ['a number', { data: 5 }, { data: 5 }],
    ['a list', { data: [{ a: 1 }] }, { data: [{ a: 1 }] }],
    ['bytes', { data_base64: 'AAEC' }, { data_base64: 'AAEC' }],
    ['none', {}, {}],
    ['null', { data: null }, {}],
  ])('data that is no object, but %s', async (_case, data, fields) => {
    const [event] = await stored({ ...envelope, ...data }, STRUCTURED);
    expect(withoutIdAndTime(event)).toEqual({ ...fields, cloud_event: envelope });
  });

  test.each([
    ['the id of the data', { data: { id: 'd' } }, { id: 'd' }],
    ['the timestamp of the data', { data: { timestamp: NEW_YEAR } }, { timestamp: NEW_YEAR_US }],
    ['the time first', { time: NEW_YEAR, data: { timestamp: 1 } }, { timestamp: NEW_YEAR_US }],
    ['extensions', { sequence: 7, data: {} }, { cloud_event: { ...envelope, sequence: 7 } }],
  ])('keeps %s', async (_case, more, expected) => {
    expect(await stored({ ...envelope, ...more }, STRUCTURED)).toMatchObject([expected]);
  });

  test('the attribute source names no source of the service', async () => {
    const body = { ...envelope, source: SOURCE.token };
    expect(await decode(body, { path: PATH, ...STRUCTURED })).not.toHaveProperty('source');
  });

  test('an object that is no CloudEvent is stored as it is', async () => {
    const [event] = await stored({ data: { a: 1 }, type: 't' }, STRUCTURED);
    expect(withoutIdAndTime(event)).toEqual({ data: { a: 1 }, type: 't' });
  });

  test('the same object as application/json is data', async () => {
    const [event] = await stored({ ...envelope, data: { n: 1 } });
    expect(withoutIdAndTime(event)).toEqual({
      specversion: '1.0',
      type: 't',
      source: 'https://a.example/',
      data: { n: 1 },
    });
  });

  test.each([
    ['a batch', BATCHED],
    ['a batch with parameters', { contentType: `${BATCHED.contentType}; charset=UTF-8` }],
    ['a list that is not called a batch', STRUCTURED],
  ])('%s is one event per CloudEvent', async (_case, options) => {
    const batch = [
      { ...envelope, data: { n: 1 } },
      { ...envelope, id: 'f', data: { n: 2 } },
    ];
    expect(await stored(batch, options)).toMatchObject([
      { id: 'e', n: 1 },
      { id: 'f', n: 2, cloud_event: { id: 'f' } },
    ]);
  });

  test('an empty batch stores nothing', async () => {
    expect(await stored([], BATCHED)).toEqual([]);
  });

  test('what is no object in a batch is refused by index', async () => {
    const { stored, rejected } = await new Harness().post([envelope, 'x'], PATH, BATCHED);
    expect({ stored, rejected }).toEqual({
      stored: 1,
      rejected: [{ index: 1, reason: 'not a JSON object' }],
    });
  });
});
