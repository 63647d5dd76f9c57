import { describe, expect, test } from 'vitest';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

describe('a form', () => {
  const contentType = 'application/x-www-form-urlencoded; charset=utf-8';

  test('is an event whose fields are texts', async () => {
    const harness = new Harness();
    await harness.post('message=hi&level=info&n=1&empty=', '', { contentType });
    expect(withoutIdAndTime(harness.events[0])).toEqual({
      event_message: 'hi',
      level: 'info',
      n: '1',
    });
  });

  test.each([
    ['a=b+c%20d%C3%A9', { a: 'b c dé' }],
    ['a=1&a=2', { a: '2' }],
    ['a=%ff%zz', { a: '\ufffd%zz' }],
    ['a=', { a: '' }],
    ['a=1&b', { a: '1', b: '' }],
    ['a=1 2', { a: '1 2' }],
    ['', {}],
  ])('%j is read', async (body, event) => {
    expect((await decode(body, { contentType })).events).toEqual([event]);
  });

  test('has names such as __proto__ as plain data', async () => {
    const { events } = await decode('__proto__=x', { contentType });
    expect(Object.entries(events[0] as object)).toEqual([['__proto__', 'x']]);
  });

  test('names its source', async () => {
    const { source } = await decode('source_name=my.app&a=1', { contentType });
    expect(source).toEqual({ name: 'my.app' });
  });

  test.each([
    ['{"message":"a"}', [{ message: 'a' }]],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ])('that is the JSON %s, as curl -d sends it, is read as JSON', async (body, events) => {
    expect((await decode(body, { contentType })).events).toEqual(events);
  });

  test.each([
    ['hello world', ['hello world']],
    ['hello', ['hello']],
    ['GET /?a=1 took 5 ms', ['GET /?a=1 took 5 ms']],
    ['user signed in, id=5', ['user signed in, id=5']],
    ['a&b', ['a&b']],
    ['=1', ['=1']],
    ['one\r\n\ntwo', ['one', 'two']],
  ])('that is the text %j, as curl -d sends it, is stored as messages', async (body, messages) => {
    const harness = new Harness();
    await harness.post(body, '', { contentType });
    expect(harness.events.map(withoutIdAndTime)).toEqual(
      messages.map((event_message) => ({ event_message })),
    );
  });

  test('that is lines of JSON, as curl --data-binary sends them, is read as JSON', async () => {
    const { events } = await decode('{"a":1}\n{"a":2}\n', { contentType });
    expect(events).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('that begins as JSON and is none is refused', async () => {
    await expect(decode('{"a"=1', { contentType })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_json',
    });
  });

  test('of more than a million bytes is refused', async () => {
    const body = `a=${'b'.repeat(999_998)}`;
    const options = { contentType, maxInflatedBytes: 2_000_000 };
    expect((await decode(body, options)).events).toHaveLength(1);
    await expect(decode(`${body}b`, options)).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  test('is stored whole on /json', async () => {
    const harness = new Harness();
    await harness.post('a=1&b=2', '/json', { contentType });
    expect(harness.events).toMatchObject([{ metadata: { a: '1', b: '2' } }]);
  });
});

describe('NDJSON on a route with a shape of its own', () => {
  const contentType = 'application/x-ndjson';

  test('is a list of events', async () => {
    const harness = new Harness();
    await harness.post('{"a":1}\n{"a":12345678901234567890}\n', '/json', { contentType });
    expect(harness.events.map(({ event_message }) => event_message)).toEqual([
      '{"a":1}',
      '{"a":12345678901234567890}',
    ]);
  });

  test('has its broken lines refused by their index', async () => {
    const outcome = await new Harness().post('{"a":1}\n{"a":\nnull\n5', '/json', { contentType });
    expect(outcome.stored).toBe(1);
    expect(outcome.rejected.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  test('of blank lines is no event', async () => {
    expect((await decode('\n', { path: '/json', contentType })).events).toEqual([]);
  });

  test('that is empty is an empty event', async () => {
    const harness = new Harness();
    await harness.post('', '/json', { contentType });
    expect(harness.events).toMatchObject([{ event_message: '{}' }]);
  });
});

describe('JSON objects in a row', () => {
  test.each([
    ['back to back', '{"a":1}{"a":2}'],
    ['a line each', '{"a":1}\n{"a":2}\r\n'],
    ['a line each, with blank lines', '\n{"a":1}\n\n{"a":2}'],
    ['over several lines', '{\n  "a": 1\n}\n{\n  "a": 2\n}'],
    ['in lists', '[{"a":1}][{"a":2}]'],
  ])('are a list of events: %s', async (_, body) => {
    expect((await decode(body)).events).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test.each(['{"a":1}{"a":', '{"a":1} text', '{"a":1}2', '{"a":1}]', '{"a":1}["x"]', '{,}'])(
    'are not what %j is, which is refused',
    async (body) => {
      await expect(decode(body)).rejects.toMatchObject({ status: 400, code: 'invalid_json' });
    },
  );

  test('are as many as a request may have', async () => {
    await expect(
      decode('{}'.repeat(100_001), { maxInflatedBytes: 2_000_000 }),
    ).rejects.toMatchObject({ status: 413, code: 'too_many_events' });
  });
});
