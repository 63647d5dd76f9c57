import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ingestApp, KEY, WEB } from './support.ts';

const hmac = (algorithm: string, secret: string, body: string | Uint8Array) =>
  createHmac(algorithm, secret).update(body).digest('hex');

const SENDERS = [
  {
    route: '/vercel',
    body: '[{"id":"1","timestamp":1700000000000,"message":"x"}]',
    sign: (secret: string, body: string | Uint8Array) => ({
      'x-vercel-signature': hmac('sha1', secret, body),
    }),
  },
  {
    route: '/zeit',
    body: '[]',
    sign: (secret: string, body: string | Uint8Array) => ({
      'x-vercel-signature': hmac('sha1', secret, body),
    }),
  },
  {
    route: '/github',
    body: '{"action":"opened"}',
    sign: (secret: string, body: string | Uint8Array) => ({
      'X-Hub-Signature-256': `sha256=${hmac('sha256', secret, body)}`,
    }),
  },
];

describe.each(SENDERS)('with signed=1, $route', ({ route, body, sign }) => {
  const send = async (headers: Record<string, string>, content: string | Uint8Array = body) => {
    const { post, stored } = ingestApp();
    const path = `/logs${route}?source=${WEB.token}&signed=1`;
    const answer = await post({ path, headers, body: content });
    return { status: answer.status, answer: await answer.json(), stored: stored.length };
  };

  test('takes what is signed with the access key', async () => {
    expect(await send(sign(KEY, body))).toMatchObject({ status: 200, stored: 1 });
  });

  test('takes what is signed as it was sent, compressed', async () => {
    const compressed = gzipSync(body);

    const outcome = await send(
      { ...sign(KEY, compressed), 'Content-Encoding': 'gzip' },
      compressed,
    );

    expect(outcome).toMatchObject({ status: 200, stored: 1 });
  });

  test.each([
    ['without a signature', {}],
    ['with another secret', sign('another', body)],
    ['of another body', sign(KEY, `${body} `)],
    [
      'cut short',
      Object.fromEntries(Object.entries(sign(KEY, body)).map(([k, v]) => [k, v.slice(0, -1)])),
    ],
  ])('refuses what comes %s', async (_, headers) => {
    expect(await send(headers)).toEqual({
      status: 401,
      answer: { error: 'Unauthorized' },
      stored: 0,
    });
  });
});

test('without signed=1 a signature is passed over, since its secret may be another', async () => {
  const { post } = ingestApp();
  const headers = { 'x-vercel-signature': hmac('sha1', 'another', '[]') };

  const answer = await post({ path: `/logs/vercel?source=${WEB.token}`, headers, body: '[]' });

  expect(answer.status).toBe(200);
});

test('on routes without signatures, signed=1 means nothing', async () => {
  const { post } = ingestApp();

  expect((await post({ path: `/logs?source=${WEB.token}&signed=1` })).status).toBe(200);
});
