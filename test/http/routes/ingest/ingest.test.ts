import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { DATABASE, ingestApp, KEY, WEB } from './support.ts';

const LOGGED = { message: 'Logged!' };

describe('POST', () => {
  test.each(['/logs', '/api/logs', '/api/events', '/logs/', '/logs/json', '/api/events/json/'])(
    '%s stores an event and answers Logged!',
    async (path) => {
      const { post, stored } = ingestApp();

      const answer = await post({
        path: `${path}?source=${WEB.token}`,
        body: { event_message: 'hi!', some: 'x' },
      });

      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual(LOGGED);
      expect(stored).toHaveLength(1);
      expect(stored[0]).toMatchObject({ source: WEB.token, events: [expect.anything()] });
    },
  );

  test('hands a single event over as it was sent', async () => {
    const { post, stored } = ingestApp();

    await post({ body: { event_message: 'hi!', some: 'x' } });

    expect(stored[0]?.events).toEqual([{ event_message: 'hi!', some: 'x' }]);
  });

  test.each([
    ['a batch', { batch: [{ a: 1 }, { a: 2 }] }],
    ['an array', [{ a: 1 }, { a: 2 }]],
  ])('hands over every event of %s', async (_shape, body) => {
    const { post, stored } = ingestApp();

    await post({ body });

    expect(stored[0]?.events).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test.each([{ batch: [] }, []])('%j stores nothing and is fine', async (body) => {
    const { post, stored } = ingestApp();

    const answer = await post({ body });

    expect(await answer.json()).toEqual(LOGGED);
    expect(stored.flatMap(({ events }) => events)).toEqual([]);
  });

  test('reads a gzip body', async () => {
    const { post, stored } = ingestApp();
    const batch = Array.from({ length: 100 }, (_, n) => ({ n }));

    const answer = await post({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ batch })),
    });

    expect(answer.status).toBe(200);
    expect(stored[0]?.events).toEqual(batch);
  });
});

test('counts what was stored and refused, and the bytes of the body as sent', async () => {
  const counted: [string, number][] = [];
  const { post } = ingestApp({
    metrics: { record: (name, value) => void counted.push([name, value]) },
    store: () => ({ stored: 2, rejected: [{ index: 1, reason: 'not a JSON object' }] }),
  });
  const body = gzipSync('[{"message":"a"},1,{"message":"b"}]');

  await post({ body, headers: { 'Content-Encoding': 'gzip' } });

  expect(counted).toEqual([
    ['EventsStored', 2],
    ['EventsRefused', 1],
    ['IngestBytes', body.length],
  ]);
});

describe('the source', () => {
  test.each([
    ['query source', `/logs?source=${WEB.token}`, {}],
    ['query source in capitals', `/logs?source=${WEB.token.toUpperCase()}`, {}],
    ['query collection', `/logs?collection=${WEB.token}`, {}],
    ['query source_name', '/logs?source_name=web.logs', {}],
    ['query collection_name', '/logs?collection_name=web.logs', {}],
    ['header X-Source', '/logs', { 'X-Source': WEB.token }],
    ['header X-Collection', '/logs', { 'X-Collection': WEB.token }],
  ])('is named by %s', async (_where, path, headers: Record<string, string>) => {
    const { post, stored } = ingestApp();

    const answer = await post({ path, headers });

    expect(answer.status).toBe(200);
    expect(stored[0]?.source).toBe(WEB.token);
  });

  test.each([
    ['source', { source: WEB.token, event_message: 'x' }],
    ['source_name', { source_name: 'web.logs', event_message: 'x' }],
  ])('may be named by %s of a single event, which keeps it', async (_field, body) => {
    const { post, stored } = ingestApp();

    const answer = await post({ path: '/logs', body });

    expect(answer.status).toBe(200);
    expect(stored[0]).toEqual({ source: WEB.token, events: [body] });
  });

  test('of the query wins over a header and over the body', async () => {
    const { post, stored } = ingestApp();

    await post({
      path: `/logs?source=${WEB.token}`,
      headers: { 'X-Source': DATABASE.token },
      body: { source: 'web', source_name: 'database.logs', message: 'x' },
    });

    expect(stored[0]?.source).toBe(WEB.token);
  });

  test('of a header wins over the body', async () => {
    const { post, stored } = ingestApp();

    await post({
      path: '/logs',
      headers: { 'X-Source': WEB.token },
      body: { source_name: 'database.logs' },
    });

    expect(stored[0]?.source).toBe(WEB.token);
  });

  test.each([
    ['is missing', '/logs'],
    ['is not a UUID', '/logs?source=:signin'],
    ['is empty', '/logs?source='],
    ['has an unknown UUID', '/logs?source=00000000-0000-4000-8000-000000000000'],
    ['has an unknown name', '/logs?source_name=nobody.logs'],
    ['has an unknown name, whatever the UUID', `/logs?source_name=nobody&source=${WEB.token}`],
  ])('is refused with 401 when it %s', async (_how, path) => {
    const { post, stored } = ingestApp();

    const answer = await post({ path });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'Unauthorized' });
    expect(stored).toEqual([]);
  });
});

describe('refusals', () => {
  test.each([
    ['malformed JSON', 400, {}, '{"a":'],
    ['an unknown encoding', 415, { 'Content-Encoding': 'br' }, '{}'],
    ['a body that is not gzip', 400, { 'Content-Encoding': 'gzip' }, '{}'],
    ['an unknown content type', 415, { 'Content-Type': 'text/html' }, 'hello'],
  ])('%s is %i', async (_what, status, headers: Record<string, string>, body) => {
    const { post, stored } = ingestApp();

    const answer = await post({ headers, body });

    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.any(String), code: expect.any(String) });
    expect(stored).toEqual([]);
  });

  test('a body over the limit is 413', async () => {
    const { post } = ingestApp({ limits: { maxBodyBytes: 10, maxInflatedBytes: 100 } });

    const answer = await post({ body: { event_message: 'too long' } });

    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'body_too_large' });
  });

  test('a body that inflates over the limit is 413', async () => {
    const { post, stored } = ingestApp({ limits: { maxBodyBytes: 1000, maxInflatedBytes: 1000 } });

    const answer = await post({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ event_message: 'x'.repeat(10_000) })),
    });

    expect(answer.status).toBe(413);
    expect(stored).toEqual([]);
  });

  test('a malformed body is reported before a source that only it can name', async () => {
    const { post } = ingestApp();

    const answer = await post({ path: '/logs', body: '{"a":' });

    expect(answer.status).toBe(400);
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s /logs is 404', async (method) => {
    const { app } = ingestApp();

    const answer = await app.request(`/logs?source=${WEB.token}`, {
      method,
      headers: { 'X-API-KEY': KEY },
    });

    expect(answer.status).toBe(404);
  });

  test('an unknown format is 404', async () => {
    const { post } = ingestApp();

    const answer = await post({ path: `/logs/no-such-format?source=${WEB.token}` });

    expect(answer.status).toBe(404);
  });

  test('a sink that cannot store is 503 with Retry-After, never Logged!', async () => {
    const { post } = ingestApp({
      store: () => {
        throw new ServiceError('sink_unavailable', 503, 'Send it again.', {
          retryAfterSeconds: 3,
        });
      },
    });

    const answer = await post();

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('3');
    expect(await answer.json()).toEqual({ error: 'Send it again.', code: 'sink_unavailable' });
  });
});

describe('rejected events', () => {
  test('are 406, each with its index, and say that the others are stored', async () => {
    const { post } = ingestApp({
      store: () => ({
        stored: 3,
        rejected: [
          { index: 1, reason: 'is not an object' },
          { index: 4, reason: 'lies in the future' },
        ],
      }),
    });

    const answer = await post({ body: [1, 2, 3, 4, 5] });

    expect(answer.status).toBe(406);
    expect(await answer.json()).toEqual({
      message: ['event 1: is not an object', 'event 4: lies in the future'],
      error:
        'Of 5 events 2 were rejected and 3 stored. ' +
        'Correct those that "message" lists (counted from 0) and send only them again.',
      code: 'events_rejected',
    });
  });

  test('are listed up to a hundred', async () => {
    const { post } = ingestApp({
      store: () => ({
        stored: 0,
        rejected: Array.from({ length: 150 }, (_, index) => ({ index, reason: 'no object' })),
      }),
    });

    const { message } = (await (await post()).json()) as { message: string[] };

    expect(message).toHaveLength(101);
    expect(message.at(-1)).toBe('and 50 more');
  });
});

test('OPTIONS needs neither key nor source', async () => {
  const { app } = ingestApp();

  const answer = await app.request('/logs', { method: 'OPTIONS' });

  expect(answer.status).toBe(204);
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('the access log holds neither key nor event', async () => {
  const { post, lines } = ingestApp();

  await post({
    path: `/logs?source=${WEB.token}&api_key=${KEY}`,
    body: { event_message: 'private matter' },
  });

  const written = JSON.stringify(lines);
  expect(written).toContain('"path":"/logs"');
  expect(written).not.toContain(KEY);
  expect(written).not.toContain('private matter');
});
