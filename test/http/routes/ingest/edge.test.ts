import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Harness, withoutIdAndTime } from '../../../ingest/support.ts';
import { DATABASE, ingestApp, type Post, WEB } from './support.ts';

const LINE = '{"RayID":"76486474681b7fff","EdgeStartTimestamp":1667512927424000000}';
const TO_FLOAT = { path: ['v'], from: 'string', to: 'float' };
const PREFIXES = ['/logs', '/api/logs', '/api/events'];

/** Posts through the app into a real pipeline. @returns the answer and what a reader would find. */
async function postAndRead({ path, ...rest }: Post) {
  const { post, stored } = ingestApp();
  const harness = new Harness();
  const answer = await post({ path: `${path}?source=${WEB.token}`, ...rest });
  for (const { events } of stored) await harness.store(events);
  return { answer, events: harness.events.map(withoutIdAndTime), harness };
}

describe.each(PREFIXES)('%s', (prefix) => {
  test.each([
    {
      what: 'gzipped lines of Logpush',
      path: '/cloudflare',
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Encoding': 'gzip' },
      body: gzipSync(`${LINE}\n`),
      event: { event_message: LINE, metadata: JSON.parse(LINE) },
    },
    {
      what: 'a batch of a Worker',
      path: '/cloudflare',
      body: { batch: [{ source: WEB.token, message: 'GET | 301', metadata: { a: 1 } }] },
      event: { source: WEB.token, event_message: 'GET | 301', metadata: { a: 1 } },
    },
    {
      what: 'NDJSON on the raw route',
      path: '',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{"a":1}',
      event: { event_message: '{"a":1}', metadata: { a: 1 } },
    },
    {
      what: 'a form',
      path: '',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'message=hi&level=info',
      event: { event_message: 'hi', level: 'info' },
    },
    {
      what: 'typecasts',
      path: '/typecasts',
      body: { batch: [{ body: { message: 'm', v: '1.5' }, typecasts: [TO_FLOAT] }] },
      event: { event_message: 'm', v: 1.5 },
    },
    {
      what: 'an event of Vector',
      path: '/vector',
      body: [{ timestamp: '2025-06-01T12:00:00.5Z', message: 'm', project: 'p', host: 'vm-1' }],
      event: { event_message: 'm', project: 'p', metadata: { project: 'p', host: 'vm-1' } },
    },
  ])('stores $what', async ({ path, headers, body, event }) => {
    const { answer, events } = await postAndRead({
      path: prefix + path,
      body,
      ...(headers && { headers }),
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: 'Logged!' });
    expect(events).toEqual([event]);
  });
});

test('lines of Logpush keep their time to the microsecond', async () => {
  const { harness } = await postAndRead({
    path: '/logs/cloudflare',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: '{"EdgeStartTimestamp":1667512927424123456}',
  });

  expect(harness.events).toMatchObject([{ timestamp: 1667512927424123 }]);
});

describe('the new routes', () => {
  test.each(['/logs/cloudflare', '/logs/typecasts', '/logs/vector'])(
    '%s takes its source from the body',
    async (path) => {
      const { post, stored } = ingestApp();

      const answer = await post({ path, body: { source: DATABASE.token, batch: [{ a: 1 }] } });

      expect(answer.status).toBe(200);
      expect(stored[0]?.source).toBe(DATABASE.token);
    },
  );

  test.each([
    ['/logs/cloudflare', 'application/x-ndjson', '{not json'],
    ['/logs/typecasts', 'application/json', '{"batch":'],
    ['/logs/vector', 'application/json', '{"a":'],
  ])('%s does not look at the body of a stranger', async (path, contentType, body) => {
    const { post } = ingestApp();

    const answer = await post({
      path: `${path}?source=${WEB.token}`,
      headers: { 'X-API-KEY': 'nobody', 'Content-Type': contentType },
      body,
    });

    expect(answer.status).toBe(401);
  });

  test('typecasts without a batch are 400 with a sentence', async () => {
    const { answer } = await postAndRead({ path: '/logs/typecasts', body: { message: 'a' } });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: expect.stringContaining('"batch"'),
      code: 'batch_missing',
    });
  });

  test('text is not of Logpush away from /cloudflare', async () => {
    const { answer, events } = await postAndRead({
      path: '/logs',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: 'went up',
    });

    expect(answer.status).toBe(200);
    expect(events).toMatchObject([{ event_message: 'went up' }]);
  });
});
