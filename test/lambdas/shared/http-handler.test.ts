import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { httpHandler } from '../../../lambdas/shared/http-handler.ts';
import { createHttpApp } from '../../../src/http/app.ts';
import { readBody } from '../../../src/http/middleware/read-body.ts';
import { getBody } from '../../../src/http/routes/query/get-with-body.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type EventOptions, httpApiEvent } from '../http-api-event.ts';

/** Calls an app that tells what has reached it. */
async function call(options: EventOptions) {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const app = createHttpApp({ logger, clock: systemClock });
  app.post('/echo/*', async (c) => {
    const body = await readBody(c, 1_000_000);
    return c.json({ bytes: [...body], encoding: c.req.header('content-encoding') });
  });
  app.get('/names/:name', async (c) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of getBody(c)) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    return c.json({ name: c.req.param('name'), query: c.req.query('q'), body: body.toString() });
  });
  const answer = await httpHandler(app)(httpApiEvent(options));
  return { ...answer, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
}

test('a text body arrives as its bytes', async () => {
  const { body } = await call({ method: 'POST', path: '/echo/a', body: '{"m":"é"}' });
  expect(body.bytes).toEqual([...Buffer.from('{"m":"é"}')]);
});

test('a compressed body arrives as it was sent', async () => {
  const compressed = gzipSync('{"message":"hi"}');
  const { body } = await call({
    method: 'POST',
    path: '/echo/a',
    headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    body: compressed.toString('base64'),
    isBase64Encoded: true,
  });
  expect(body).toEqual({ bytes: [...compressed], encoding: 'gzip' });
});

test.each(['logs.all', 'with space', 'what?', 'a#b', '100% sure', '100%', 'a:b'])(
  'a name that API Gateway has decoded reaches the route: %s',
  async (name) => {
    const { statusCode, body } = await call({ path: `/names/${name}`, query: 'q=a%26b' });
    expect(statusCode).toBe(200);
    expect(body).toMatchObject({ name, query: 'a&b' });
  },
);

test('the body of a GET is kept for the routes that read it', async () => {
  const { body } = await call({ path: '/names/x', body: '{"sql":"select 1"}' });
  expect(body.body).toBe('{"sql":"select 1"}');
});

test('a large answer is compressed for a client that can read it', async () => {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const app = createHttpApp({ logger, clock: systemClock });
  app.get('/rows', (c) => c.json({ rows: 'x'.repeat(8_000_000) }));

  const answer = await httpHandler(app)(
    httpApiEvent({ path: '/rows', headers: { 'accept-encoding': 'gzip, br' } }),
  );

  expect(answer).toMatchObject({
    statusCode: 200,
    isBase64Encoded: true,
    headers: {
      'content-encoding': 'br',
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
    },
  });
  const body = brotliDecompressSync(Buffer.from(answer.body, 'base64')).toString();
  expect(JSON.parse(body)).toEqual({ rows: 'x'.repeat(8_000_000) });
});

test('a preflight is answered without credentials', async () => {
  const { statusCode, headers } = await call({
    method: 'OPTIONS',
    path: '/echo/a',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
  });
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
});

test('a path that no route serves is answered as JSON', async () => {
  const { statusCode, body } = await call({ path: '/nowhere' });
  expect(statusCode).toBe(404);
  expect(body).toEqual({ error: 'Not Found', code: 'not_found' });
});

test('a protobuf body arrives as its bytes, and is answered so', async () => {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const app = createHttpApp({ logger, clock: systemClock });
  app.post('/v1/logs', async (c) => {
    const body = new Uint8Array(await readBody(c, 1_000_000));
    return c.body(body, 200, { 'Content-Type': 'application/x-protobuf' });
  });
  const sent = Buffer.from([0x0a, 0x02, 0xff, 0x00]).toString('base64');

  const answer = await httpHandler(app)(
    httpApiEvent({
      method: 'POST',
      path: '/v1/logs',
      headers: { 'content-type': 'application/x-protobuf' },
      body: sent,
      isBase64Encoded: true,
    }),
  );

  expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: true, body: sent });
});
