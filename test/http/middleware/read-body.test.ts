import { expect, test } from 'vitest';
import { createHttpApp } from '../../../src/http/app.ts';
import { readBody } from '../../../src/http/middleware/read-body.ts';
import { fixedClock, recordingLogger } from '../support.ts';

const LIMIT = 10;

function appReadingBodies() {
  const { logger, lines } = recordingLogger();
  const app = createHttpApp({ logger, clock: fixedClock });
  app.post('/', async (c) => c.json({ read: (await readBody(c, LIMIT)).byteLength }));
  return { app, lines };
}

/** A body of which the server does not know the length beforehand. */
function streamed(chunks: Iterator<Uint8Array>) {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return new Request('http://localhost/', { method: 'POST', body, duplex: 'half' });
}

test('a body with a Content-Length is read up to the limit', async () => {
  const { app } = appReadingBodies();

  const answer = await app.request('/', {
    method: 'POST',
    body: 'x'.repeat(LIMIT),
    headers: { 'Content-Length': String(LIMIT) },
  });

  expect(await answer.json()).toEqual({ read: LIMIT });
});

test('a body that declares too much is refused', async () => {
  const { app } = appReadingBodies();

  const answer = await app.request('/', {
    method: 'POST',
    body: 'x',
    headers: { 'Content-Length': String(LIMIT + 1) },
  });

  expect(answer.status).toBe(413);
  expect(await answer.json()).toEqual({
    error:
      'The body is larger than 10 bytes, the most that one request may carry. ' +
      "Split the batch over several requests, or lower the sending agent's batch size.",
    code: 'body_too_large',
  });
});

test('a body that is larger than it declares is refused', async () => {
  const { app } = appReadingBodies();

  const answer = await app.request('/', {
    method: 'POST',
    body: 'x'.repeat(LIMIT + 1),
    headers: { 'Content-Length': '1' },
  });

  expect(answer.status).toBe(413);
});

test('a body without a Content-Length is read up to the limit', async () => {
  const { app } = appReadingBodies();
  const chunks = [new Uint8Array(4), new Uint8Array(6)];

  const answer = await app.request(streamed(chunks.values()));

  expect(await answer.json()).toEqual({ read: LIMIT });
});

test('an endless body is refused as soon as it passes the limit', async () => {
  const { app } = appReadingBodies();
  let sent = 0;
  function* endless() {
    for (;;) {
      sent += 4;
      yield new Uint8Array(4);
    }
  }

  const answer = await app.request(streamed(endless()));

  expect(answer.status).toBe(413);
  expect(sent).toBe(12);
});

test('no body at all is an empty one', async () => {
  const { app } = appReadingBodies();

  const answer = await app.request('/', { method: 'POST' });

  expect(await answer.json()).toEqual({ read: 0 });
});

test('a body that breaks off is a 400, not a fault of the server', async () => {
  const { app, lines } = appReadingBodies();
  function* broken() {
    yield new Uint8Array(1);
    throw new Error('ECONNRESET');
  }

  const answer = await app.request(streamed(broken()));

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'body_incomplete' });
  expect(lines.map((line) => line.level)).toEqual(['info']);
});

test('the access log counts the bytes that were read', async () => {
  const { app, lines } = appReadingBodies();

  await app.request(streamed([new Uint8Array(7)].values()));

  expect(lines[0]?.fields).toMatchObject({ bytes_in: 7 });
});
