import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

const path = '/services/collector';
const raw = '/services/collector/raw';

describe('events', () => {
  test('text is the message, and what stands beside it are fields', async () => {
    const harness = new Harness();

    await harness.post(
      {
        time: 1748772000.123456,
        host: 'web-1',
        source: '/var/log/app.log',
        sourcetype: 'app',
        index: 'main',
        event: 'GET /orders',
        fields: { env: 'prod' },
      },
      path,
    );

    expect(harness.events).toEqual([
      {
        id: expect.any(String),
        timestamp: 1748772000123456,
        event_message: 'GET /orders',
        host: 'web-1',
        source: '/var/log/app.log',
        sourcetype: 'app',
        index: 'main',
        fields: { env: 'prod' },
      },
    ]);
  });

  test('an object is the metadata', async () => {
    const harness = new Harness();
    await harness.post({ event: { message: 'hi', level: 'info' } }, path);
    expect(harness.events.map(withoutIdAndTime)).toEqual([
      { event_message: 'hi', metadata: { message: 'hi', level: 'info' } },
    ]);
  });

  test.each([
    ['back to back', '{"event":"a"}{"event":"b"}'],
    ['by lines', '{"event":"a"}\n{"event":"b"}\n'],
    ['in a list', '[{"event":"a"},{"event":"b"}]'],
  ])('several are read %s, as whatever content type', async (_case, body) => {
    const harness = new Harness();
    await harness.post(body, path, { contentType: 'application/x-www-form-urlencoded' });
    expect(harness.events.map(({ event_message }) => event_message)).toEqual(['a', 'b']);
  });

  test.each([
    ['seconds as text', '1748772000.5', 1748772000500000],
    ['milliseconds', 1748772000500, 1748772000500000],
  ])('time is read from %s', async (_case, time, timestamp) => {
    const harness = new Harness();
    await harness.post({ time, event: 'x' }, path);
    expect(harness.events[0]).toMatchObject({ timestamp });
  });

  test('the address says what events do not', async () => {
    const harness = new Harness();
    await harness.post('{"event":"a"}{"event":"b","host":"own"}', path, {
      query: 'host=h&source=s&sourcetype=t&index=i',
    });
    expect(harness.events).toMatchObject([
      { host: 'h', source: 's', sourcetype: 't', index: 'i' },
      { host: 'own', source: 's' },
    ]);
  });

  test.each([
    [{ time: 1 }, 'has no field "event"'],
    [{ event: '' }, '"event" is empty'],
    [{ event: 'x', time: 'now' }, 'seconds since the epoch'],
  ])('%j is refused', async (event, reason) => {
    const { rejected } = await new Harness().post(event, path);
    expect(rejected).toEqual([{ index: 0, reason: expect.stringContaining(reason) }]);
  });

  test.each([
    ['nothing', '', 'no_data'],
    ['text', 'hello', 'invalid_json'],
    ['objects with text between them', '{"event":"a"} and {"event":"b"}', 'invalid_json'],
  ])('%s is refused', async (_case, body, code) => {
    await expect(decode(body, { path })).rejects.toMatchObject({ code, status: 400 });
  });

  test.each([
    ['one index', '{"event":1,"index":"web"}{"event":2,"index":"web"}', { name: 'web' }],
    ['two', '{"event":1,"index":"web"}{"event":2,"index":"db"}', { isOneOfSeveral: true }],
    ['none', '{"event":1}', undefined],
  ])('%s names the source', async (_case, body, source) => {
    expect((await decode(body, { path })).source).toEqual(source);
  });
});

describe('raw', () => {
  test('every line but a blank one is an event', async () => {
    const harness = new Harness();
    await harness.post('one\r\n\n  \n two\nthree', raw, {
      query: 'sourcetype=app&time=1748772000',
    });
    expect(harness.events).toMatchObject(
      ['one', ' two', 'three'].map((event_message) => ({
        event_message,
        sourcetype: 'app',
        timestamp: 1748772000000000,
      })),
    );
  });

  test('nothing is refused', async () => {
    await expect(decode('\n\n', { path: raw })).rejects.toMatchObject({ code: 'no_data' });
  });

  test('more lines than a request may have are refused', async () => {
    await expect(decode('a\n'.repeat(100_001), { path: raw })).rejects.toMatchObject({
      code: 'too_many_events',
      status: 413,
    });
  });
});

test('what the address would add to very many events is bounded', async () => {
  await expect(
    decode('{"event":1}'.repeat(50_000), { path, query: `host=${'h'.repeat(1_000)}` }),
  ).rejects.toMatchObject({ code: 'too_many_events', status: 413 });
});

test.each([path, raw])('any bytes posted to %s are rows or a ServiceError', async (route) => {
  const piece = fc.oneof(
    fc.constantFrom('{"event":', '"x"}', '{"event":{"a":[1]},"time":"1748772000.1"}', '\n'),
    fc.json(),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const harness = new Harness();
      await harness
        .post(pieces.join(''), route)
        .catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
    }),
  );
});
