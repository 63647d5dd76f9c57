import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/platform/errors.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';

const path = '/gelf';

test('a message is stored, additional fields without their underscore', async () => {
  const harness = new Harness();

  await harness.post(
    {
      version: '1.1',
      host: 'web-1',
      short_message: 'It broke',
      full_message: 'It broke\nat line 1',
      timestamp: 1748772000.123,
      level: 3,
      _user_id: 9001,
      _host: 'inner',
    },
    path,
  );

  expect(harness.events).toEqual([
    {
      id: expect.any(String),
      timestamp: 1748772000123000,
      event_message: 'It broke',
      metadata: {
        host: 'web-1',
        level: 3,
        user_id: 9001,
        _host: 'inner',
        full_message: 'It broke\nat line 1',
      },
    },
  ]);
});

test('messages by lines are read, as whatever content type', async () => {
  const harness = new Harness();
  await harness.post('{"short_message":"a"}\n{"short_message":"b"}', path, {
    contentType: 'application/x-www-form-urlencoded',
  });
  expect(harness.events.map(({ event_message }) => event_message)).toEqual(['a', 'b']);
});

test('a full message stands in for a short one', async () => {
  const harness = new Harness();
  await harness.post({ full_message: 'all of it', host: 'h' }, path);
  expect(harness.events.map(withoutIdAndTime)).toEqual([
    { event_message: 'all of it', metadata: { host: 'h' } },
  ]);
});

test('a message without text is refused', async () => {
  const { rejected } = await new Harness().post({ host: 'h' }, path);
  expect(rejected).toEqual([{ index: 0, reason: 'it has no "short_message"' }]);
});

test.each(['', 'hello', '[1]', '5'])('"%s" is not GELF', async (body) => {
  await expect(decode(body, { path })).rejects.toMatchObject({ code: 'invalid_json', status: 400 });
});

test('any JSON is rows or a ServiceError', async () => {
  const name = fc.oneof(
    fc.constantFrom('short_message', 'full_message', 'timestamp', '_', '__proto__', '_id', 'host'),
    fc.string(),
  );
  const message = fc.dictionary(name, fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(message, async (body) => {
      const harness = new Harness();
      await harness
        .post(body, path)
        .catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
  );
});
