import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { setGetBodyAside } from '../../../../src/http/routes/query/get-with-body.ts';
import { getWithBody } from './get-with-body.ts';
import { KEY, PRIVATE, queryApp, SANDBOX } from './support.ts';

const ROUTE = '/api/endpoints/query';

let stop = () => {};
afterEach(() => stop());

interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a GET to the app over a socket. */
async function getOverHttp(app: ReturnType<typeof queryApp>['app'], { path, body, headers }: Sent) {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  stop = () => server.close();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  return getWithBody(url, { body, headers: { 'X-API-KEY': KEY, ...headers } });
}

describe('a GET with a body', () => {
  test('takes its parameters from the body at a sandboxable endpoint', async () => {
    const { app, calls } = queryApp();
    const body = '{"sql":"select 2","a":1}';
    const answer = await getOverHttp(app, { path: `${ROUTE}/sandbox?a=0&b=0`, body });
    expect(answer.status).toBe(200);
    expect(calls[0]?.input).toEqual({ sql: 'select 2', a: 1, b: '0' });
  });

  test.each(['sql', 'lql'])('ignores the body when the URL has %s', async (name) => {
    const { app, calls } = queryApp();
    await getOverHttp(app, { path: `${ROUTE}/sandbox?${name}=x`, body: '{"sql":"select 2"}' });
    expect(calls[0]?.input).toEqual({ [name]: 'x' });
  });

  test('ignores the body at an endpoint that is not sandboxable', async () => {
    const { app, calls } = queryApp();
    const answer = await getOverHttp(app, { path: `${ROUTE}/${PRIVATE.token}`, body: 'whatever' });
    expect(answer.status).toBe(200);
    expect(calls[0]?.input).toEqual({});
  });

  test('may have none', async () => {
    const { app, calls } = queryApp();
    await getOverHttp(app, { path: `${ROUTE}/sandbox?a=1` });
    expect(calls[0]?.input).toEqual({ a: '1' });
  });

  test.each([
    [400, 'invalid_json', '{', 'application/json'],
    [415, 'unsupported_content_type', 'a=1', 'application/x-www-form-urlencoded'],
    [413, 'body_too_large', ' '.repeat(3_000_000), 'application/json'],
  ])('is answered %d %s when that cannot be read', async (status, code, body, type) => {
    const { app } = queryApp();
    const headers = { 'Content-Type': type };
    const answer = await getOverHttp(app, { path: `${ROUTE}/sandbox`, body, headers });
    expect(answer).toEqual({ status, body: { error: expect.any(String), code } });
  });

  test.each([
    ['text', { body: '{"sql":"select ä"}', isBase64Encoded: false }],
    [
      'base64',
      { body: Buffer.from('{"sql":"select ä"}').toString('base64'), isBase64Encoded: true },
    ],
  ])('arrives through API Gateway as %s', async (_kind, sent) => {
    const { app, calls } = queryApp();
    const path = `${ROUTE}/${SANDBOX.token}`;
    const event = {
      version: '2.0',
      rawPath: path,
      rawQueryString: '',
      headers: { host: 'api.test', 'x-api-key': KEY, 'content-type': 'application/json' },
      requestContext: { domainName: 'api.test', http: { method: 'GET', path } },
      ...sent,
    } as unknown as LambdaEvent;
    const answer = await handle(app)(setGetBodyAside(event));
    expect(answer.statusCode).toBe(200);
    expect(calls[0]?.input).toEqual({ sql: 'select ä' });
  });

  test('leaves an event without a body alone', () => {
    const event = { body: null, isBase64Encoded: false };
    expect(setGetBodyAside(event)).toBe(event);
  });
});
