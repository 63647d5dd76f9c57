import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ServiceError, unauthorized } from '../../../../src/platform/errors.ts';
import {
  awslogs,
  delivery,
  FIREHOSE_HEADERS,
  gzipJson,
  REQUEST_ID,
  subscription,
} from '../../../ingest/formats/aws/support.ts';
import { Harness } from '../../../ingest/support.ts';
import { ingestApp, KEY, WEB } from './support.ts';

const PREFIXES = ['/logs', '/api/logs', '/api/events'];
const path = `/logs/firehose?source=${WEB.token}`;

/** Posts as Firehose does: its headers, and the key in none but its own. */
function firehoseApp(options: Parameters<typeof ingestApp>[0] = {}) {
  const { app, stored } = ingestApp(options);
  const send = (body: unknown, { to = path, key = KEY, headers = {} } = {}) =>
    app.request(to, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...FIREHOSE_HEADERS,
        'X-Amz-Firehose-Access-Key': key,
        ...headers,
      },
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
    });
  return { send, stored };
}

const DELIVERED = { requestId: REQUEST_ID, timestamp: expect.any(Number) };
const failed = (message: RegExp) => ({
  ...DELIVERED,
  errorMessage: expect.stringMatching(message),
});

describe.each(PREFIXES)('below %s', (prefix) => {
  test('/firehose takes what Firehose sends and answers in its way', async () => {
    const harness = new Harness();
    const { send, stored } = firehoseApp();
    const body = gzipSync(JSON.stringify(delivery('a', gzipJson(subscription('b')))));

    const answer = await send(body, {
      to: `${prefix}/firehose?source=${WEB.token}`,
      headers: { 'Content-Encoding': 'gzip' },
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(DELIVERED);
    await harness.store(stored.flatMap(({ events }) => events));
    expect(harness.events.map(({ event_message }) => event_message)).toEqual(['a', 'b']);
  });

  test('/cloudwatch-logs takes what a Lambda function was invoked with', async () => {
    const harness = new Harness();
    const { post, stored } = ingestApp();

    const answer = await post({
      path: `${prefix}/cloudwatch-logs?source=${WEB.token}`,
      body: awslogs(subscription('a')),
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: 'Logged!' });
    await harness.store(stored.flatMap(({ events }) => events));
    expect(harness.events).toMatchObject([{ event_message: 'a' }]);
  });
});

describe('Firehose takes an answer only if', () => {
  test('its type is JSON to the letter and it has no encoding', async () => {
    const { send } = firehoseApp();

    for (const answer of [
      await send(delivery('a')),
      await send({}),
      await send({}, { key: 'x' }),
    ]) {
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(answer.headers.get('Content-Encoding')).toBeNull();
      expect(await answer.json()).toMatchObject(DELIVERED);
    }
  });

  test.each([
    ['a wrong key', { key: 'wrong' }, 401, /^Unauthorized/],
    ['a source that does not exist', { to: '/logs/firehose' }, 401, /^Unauthorized/],
    [
      'another encoding',
      { headers: { 'Content-Encoding': 'br' } },
      415,
      /gzip.*unsupported_content_encoding/,
    ],
    ['another type', { headers: { 'Content-Type': 'text/html' } }, 415, /unsupported_content_type/],
  ])('it tells of %s in its way, too', async (_what, options, status, message) => {
    const { send, stored } = firehoseApp();

    const answer = await send(delivery('a'), options);

    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(failed(message));
    expect(stored).toEqual([]);
  });

  test.each([
    ['as sent', delivery('x'.repeat(3000)), {}],
    [
      'after decompression',
      gzipSync(JSON.stringify(delivery('x'.repeat(9000)))),
      { 'Content-Encoding': 'gzip' },
    ],
    ['inside its records', delivery(gzipSync('x'.repeat(9000))), {}],
  ])(
    'a body too large %s is answered 400: after 413 it would write it to no backup bucket',
    async (_what, body, headers) => {
      const { send } = firehoseApp({ limits: { maxBodyBytes: 2000, maxInflatedBytes: 4000 } });

      const answer = await send(body, { headers });

      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual(failed(/larger than \d+ bytes.*\(body_too_large\)$/));
    },
  );

  test('it tells of a failure to store, and when to come again', async () => {
    const { send } = firehoseApp({
      pipeline: {
        store: async () => {
          const wait = { retryAfterSeconds: 5 };
          throw new ServiceError('sink_unavailable', 503, 'Events cannot be stored now.', wait);
        },
      },
    });

    const answer = await send(delivery('a'));

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect(await answer.json()).toEqual(failed(/now\. \(sink_unavailable\)$/));
  });

  test('events that were refused after all do not make it send the others again', async () => {
    const { send } = firehoseApp({
      store: (events) => ({ stored: events.length - 1, rejected: [{ index: 0, reason: 'r' }] }),
    });

    const answer = await send(delivery('a', 'b'));

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(DELIVERED);
  });
});

describe('the key of a stream', () => {
  test('comes last: a key in the usual places decides', async () => {
    const { send } = firehoseApp();

    const answers = [
      await send(delivery('a'), { headers: { 'X-API-KEY': 'wrong' } }),
      await send(delivery('a'), { key: 'wrong', headers: { 'X-API-KEY': KEY } }),
      await send(delivery('a'), { key: 'wrong', to: `${path}&api_key=${KEY}` }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  test('may be one of the source alone', async () => {
    const { send } = firehoseApp({
      keys: { web: [`ingest:source:${WEB.token}`], other: ['ingest:source:x'] },
    });

    expect((await send(delivery('a'), { key: 'web' })).status).toBe(200);
    expect((await send(delivery('a'), { key: 'other' })).status).toBe(401);
  });

  test('is no key on any other route', async () => {
    const { send } = firehoseApp();

    const answer = await send({}, { to: `/logs/cloudwatch-logs?source=${WEB.token}` });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: unauthorized().message });
  });
});

test('the other routes answer in the way of all', async () => {
  const { post } = ingestApp();

  const answer = await post({ path: `/logs/cloudwatch-logs?source=${WEB.token}`, body: {} });

  expect(answer.status).toBe(400);
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toMatchObject({ code: 'batch_missing' });
});
