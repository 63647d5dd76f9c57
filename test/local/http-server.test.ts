import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpApp } from '../../src/http/app.ts';
import { readBody } from '../../src/http/middleware/read-body.ts';
import { getBody } from '../../src/http/routes/query/get-with-body.ts';
import { StartError } from '../../src/local/config.ts';
import { type HttpListener, listen } from '../../src/local/http-server.ts';
import { fixedClock, recordingLogger } from '../http/support.ts';

const LIMIT = 1024 * 1024;
const open: HttpListener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function serve(options: { port?: number; graceMs?: number } = {}) {
  const { logger } = recordingLogger();
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const app = createHttpApp({ logger, clock: fixedClock });
  app.get('/echo', (c) => c.json({ length: c.req.query('q')?.length }));
  app.post('/size', async (c) => c.json({ size: (await readBody(c, LIMIT)).byteLength }));
  app.get('/large', (c) => c.json({ text: 'x'.repeat(LIMIT) }));
  app.get('/first-bytes', async (c) => {
    for await (const chunk of getBody(c)) return c.json({ any: chunk.byteLength > 0 });
    return c.json({ any: false });
  });
  app.get('/slow', async (c) => {
    entered.resolve();
    await release.promise;
    return c.json({ done: true });
  });
  const listener = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger, ...options });
  open.push(listener);
  return { ...listener, listener, entered: entered.promise, release: release.resolve };
}

/** Writes text to a connection of its own and collects what comes back until the server closes it. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.write(text);
  await once(socket, 'close');
  return received;
}

function chunkedBody(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 64 * 1024);
      left -= size;
      if (size === 0) controller.close();
      else controller.enqueue(new Uint8Array(size));
    },
  });
}

test('a request line of 16 KB is served', async () => {
  const { url } = await serve();

  const answer = await fetch(`${url}/echo?q=${'x'.repeat(16 * 1024)}`);

  expect(await answer.json()).toEqual({ length: 16 * 1024 });
});

test('a chunked body without Content-Length is read', async () => {
  const { url } = await serve();

  const answer = await fetch(`${url}/size`, {
    method: 'POST',
    body: chunkedBody(200_000),
    duplex: 'half',
  });

  expect(await answer.json()).toEqual({ size: 200_000 });
});

test.each([
  ['a Content-Length', new Uint8Array(LIMIT + 1)],
  ['chunks', chunkedBody(LIMIT + 1)],
])('a body over the limit, sent with %s, gets its 413', async (_how, body) => {
  const { url } = await serve();

  const answer = await fetch(`${url}/size`, { method: 'POST', body, duplex: 'half' });

  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ code: 'body_too_large' });
});

test.each([
  ['begun and not read to its end', '/first-bytes'],
  ['not read at all', '/echo'],
])('a connection goes on after a GET with a body that was %s', async (_how, path) => {
  const { url } = await serve();
  const body = 'x'.repeat(3 * LIMIT);
  const second = 'GET /echo?q=second HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n';

  const answers = await exchange(
    url,
    `GET ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: ${body.length}\r\n\r\n${body}${second}`,
  );

  expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  expect(answers).toContain('{"length":6}');
});

test('a connection ends when the rest of a GET body does not come', async () => {
  const { url } = await serve();

  const answers = await exchange(
    url,
    'GET /first-bytes HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\nx',
  );

  expect(answers).toContain('{"any":true}');
});

test('answers carry a Content-Length', async () => {
  const { url } = await serve();

  const answer = await fetch(`${url}/echo?q=x`);

  expect(answer.headers.get('Content-Length')).toBe('12');
});

test('large answers travel compressed, and whole', async () => {
  const { url } = await serve();

  const answer = await fetch(`${url}/echo?q=x`, { headers: { 'Accept-Encoding': 'gzip' } });
  const large = await fetch(`${url}/large`, { headers: { 'Accept-Encoding': 'gzip' } });

  expect(answer.headers.get('Content-Encoding')).toBeNull();
  expect(large.headers.get('Content-Encoding')).toBe('gzip');
  expect(Number(large.headers.get('Content-Length'))).toBeLessThan(LIMIT / 100);
  expect(await large.json()).toEqual({ text: 'x'.repeat(LIMIT) });
});

test('a Host header that makes no URL is a JSON 400', async () => {
  const { url } = await serve();

  const answer = await exchange(
    url,
    'GET /echo HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
  );

  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"bad_request"');
});

test('a port in use is explained', async () => {
  const { url } = await serve();
  const port = Number(new URL(url).port);

  const second = serve({ port });

  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use.`);
});

test('an address of another machine is explained', async () => {
  const { logger } = recordingLogger();

  const listening = listen(() => new Response(), { host: '192.0.2.1', port: 0, logger });

  await expect(listening).rejects.toThrow('HOST 192.0.2.1 is not an address of this machine.');
});

test('the address that everyone may dial is given as one that this machine can', async () => {
  const { logger } = recordingLogger();

  const listener = await listen(() => new Response(), { host: '0.0.0.0', port: 0, logger });
  open.push(listener);

  expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('closing lets the request under way finish and refuses new ones', async () => {
  const { url, listener, entered, release } = await serve();
  const answer = fetch(`${url}/slow`);
  await entered;

  const closed = listener.close();
  await expect(fetch(`${url}/echo?q=x`)).rejects.toThrow();
  release();

  expect(await (await answer).json()).toEqual({ done: true });
  await closed;
});

test('closing cuts off what outlasts the grace', async () => {
  const { url, listener, entered, release } = await serve({ graceMs: 20 });
  const answer = fetch(`${url}/slow`);
  await entered;

  const closed = listener.close();

  await expect(answer).rejects.toThrow();
  await closed;
  release();
});

test('closing does not wait for connections that never asked for anything', async () => {
  const { url, listener } = await serve({ graceMs: 60_000 });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await fetch(`${url}/echo?q=x`);
  const gone = once(socket, 'close');

  await listener.close();

  await gone;
}, 5_000);
