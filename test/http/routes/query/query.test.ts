import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { rawNumber } from '../../../../src/platform/json/json.ts';
import { ANSWER, KEY, PRIVATE, PUBLIC, queryApp, SANDBOX } from './support.ts';

const ROUTE = '/api/endpoints/query';
const JSON_BODY = { 'Content-Type': 'application/json' };

async function unauthorized(response: Response | Promise<Response>): Promise<void> {
  const { status } = await response;
  expect(status).toBe(401);
  expect(await (await response).json()).toMatchObject({ error: 'Unauthorized' });
}

describe('routes of saved queries', () => {
  test.each([
    `${ROUTE}/${PRIVATE.token}`,
    `${ROUTE}/${PRIVATE.token.toUpperCase()}`,
    `${ROUTE}/logs.all-staging`,
    `${ROUTE}/name/logs.all-staging`,
    '/endpoints/query/logs.all-staging',
    `/endpoints/query/${PRIVATE.token}`,
  ])('GET %s', async (path) => {
    const { request, calls } = queryApp();
    expect((await request(path)).status).toBe(200);
    expect(calls).toMatchObject([{ endpoint: { token: PRIVATE.token }, input: {} }]);
  });

  test('finds names that have to be encoded', async () => {
    const { request, calls } = queryApp();
    await request(`${ROUTE}/status%20page`);
    expect(calls).toMatchObject([{ endpoint: { token: PUBLIC.token } }]);
  });

  test('takes POST on the main route only', async () => {
    const { request } = queryApp();
    const post = { method: 'POST' };
    expect((await request(`${ROUTE}/sandbox`, post)).status).toBe(200);
    expect((await request(`${ROUTE}/name/sandbox`, post)).status).toBe(404);
    expect((await request('/endpoints/query/sandbox', post)).status).toBe(404);
  });

  test('answers HEAD as GET, without the rows', async () => {
    const { request } = queryApp();
    const response = await request(`${ROUTE}/sandbox`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('answers a preflight without credentials', async () => {
    const { app } = queryApp();
    const response = await app.request(`${ROUTE}/${PRIVATE.token}`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://studio.test', 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.status).toBe(204);
  });
});

describe('authorisation of saved queries', () => {
  test.each([
    ['query'],
    ['private'],
    [`query:endpoint:${PRIVATE.token}`],
    ['ingest', `query:endpoint:${PRIVATE.token}`],
  ])('lets a key with the scope %s in', async (...scopes) => {
    const { request } = queryApp({ keys: { mine: scopes } });
    const response = await request(`${ROUTE}/${PRIVATE.token}`, {
      headers: { 'X-API-KEY': 'mine' },
    });
    expect(response.status).toBe(200);
  });

  test.each([[[]], [['public']], [['ingest']], [[`query:endpoint:${SANDBOX.token}`]]])(
    'keeps a key with the scopes %j out',
    async (scopes) => {
      const { request, calls } = queryApp({ keys: { mine: scopes } });
      const headers = { 'X-API-KEY': 'mine' };
      await unauthorized(request(`${ROUTE}/${PRIVATE.token}`, { headers }));
      await unauthorized(request(`${ROUTE}/${PRIVATE.name}`, { headers }));
      expect(calls).toEqual([]);
    },
  );

  test.each([{ Authorization: `Bearer ${KEY}` }, { 'X-API-KEY': KEY }])(
    'takes the key from %j',
    async (headers: Record<string, string>) => {
      const { app } = queryApp();
      expect((await app.request(`${ROUTE}/sandbox`, { headers })).status).toBe(200);
    },
  );

  test('takes the key from the query string or a body, and never as a parameter', async () => {
    const { app, calls } = queryApp();
    expect((await app.request(`${ROUTE}/sandbox?api_key=${KEY}&a=1`)).status).toBe(200);
    const body = JSON.stringify({ api_key: KEY, a: '1' });
    const init = { method: 'POST', headers: JSON_BODY, body };
    expect((await app.request(`${ROUTE}/sandbox`, init)).status).toBe(200);
    expect(calls.map(({ input }) => input)).toEqual([{ a: '1' }, { a: '1' }]);
  });

  test.each([
    ['that is no JSON', '{"sql":', 'application/json'],
    ['of a type that cannot be read', 'select 1', 'text/plain'],
    ['that is too large', ' '.repeat(1_000_001), 'application/json'],
  ])('is looked at before a body %s', async (_what, body, type) => {
    const { app, request } = queryApp({ keys: { ingester: ['ingest'] } });
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    await unauthorized(app.request(`${ROUTE}/${PRIVATE.token}`, init));
    await unauthorized(app.request(`${ROUTE}/nowhere`, init));
    const headers = { ...init.headers, 'X-API-KEY': 'ingester' };
    await unauthorized(app.request(`${ROUTE}/${PRIVATE.token}`, { ...init, headers }));
    await unauthorized(request(`${ROUTE}/nowhere`, init));
  });

  test('finds a key in a body of 64 KB, and in no larger one', async () => {
    const { app, calls } = queryApp();
    const send = (padding: number) => {
      const body = JSON.stringify({ api_key: KEY, padding: 'x'.repeat(padding) });
      return app.request(`${ROUTE}/sandbox`, { method: 'POST', headers: JSON_BODY, body });
    };
    expect((await send(65_000)).status).toBe(200);
    await unauthorized(send(65_536));
    expect(calls).toHaveLength(1);
  });

  test('takes the key from a body only where no other place has one', async () => {
    const { app } = queryApp();
    const body = JSON.stringify({ api_key: KEY });
    const init = { method: 'POST', body, headers: { ...JSON_BODY, 'X-API-KEY': 'unheard-of' } };
    await unauthorized(app.request(`${ROUTE}/sandbox`, init));
    const inUrl = `${ROUTE}/sandbox?api_key=unheard-of`;
    await unauthorized(app.request(inUrl, { method: 'POST', body, headers: JSON_BODY }));
  });

  test('reads what strangers send to an endpoint without authorisation, as large as any body', async () => {
    const { app, calls } = queryApp();
    const body = JSON.stringify({ a: 'x'.repeat(100_000), api_key: KEY });
    const init = { method: 'POST', headers: JSON_BODY, body };
    expect((await app.request(`${ROUTE}/${PUBLIC.token}`, init)).status).toBe(200);
    expect(calls).toMatchObject([{ keyId: KEY, input: { a: 'x'.repeat(100_000) } }]);
  });

  test.each([
    ['logs.all-stagin', 'Did you mean "logs.all-staging"?'],
    ['name/Sandbx', 'Did you mean "sandbox"?'],
    ['entirely-different', 'GET /api/endpoints lists those that exist.'],
    ['5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8e', 'GET /api/endpoints lists those that exist.'],
  ])('tells a key that may manage that there is no %s', async (given, advice) => {
    const { app } = queryApp({ keys: { manager: ['private'] } });
    const response = await app.request(`${ROUTE}/${given}`, {
      headers: { 'X-API-KEY': 'manager' },
    });
    expect(response.status).toBe(404);
    const { code, error } = (await response.json()) as { code: string; error: string };
    expect(code).toBe('not_found');
    expect(error).toContain(`"${given.replace('name/', '')}". ${advice}`);
  });

  test('answers for an unknown endpoint as for a forbidden one', async () => {
    const { request } = queryApp();
    await unauthorized(request(`${ROUTE}/nowhere`));
    await unauthorized(request(`${ROUTE}/00000000-0000-4000-8000-000000000000`));
  });

  test('keeps callers without a known key out', async () => {
    const { app } = queryApp();
    await unauthorized(app.request(`${ROUTE}/${PRIVATE.token}`));
    const headers = { 'X-API-KEY': 'unheard-of' };
    await unauthorized(app.request(`${ROUTE}/${PRIVATE.token}`, { headers }));
  });

  test('serves an endpoint without authorisation to any caller who has its UUID', async () => {
    const { app } = queryApp({ keys: { ingester: ['ingest'] } });
    for (const headers of [{}, { 'X-API-KEY': 'unheard-of' }, { 'X-API-KEY': 'ingester' }]) {
      expect((await app.request(`${ROUTE}/${PUBLIC.token}`, { headers })).status).toBe(200);
    }
  });

  test('serves it by name to callers with a key only', async () => {
    const { app, request } = queryApp();
    await unauthorized(app.request(`${ROUTE}/status%20page`));
    await unauthorized(app.request(`${ROUTE}/name/status%20page`));
    expect((await request(`${ROUTE}/status%20page`)).status).toBe(200);
  });
});

describe('input of saved queries', () => {
  /** The input that a request leads to. */
  async function inputOf(path: string, init: RequestInit = {}) {
    const { request, calls } = queryApp();
    const response = await request(path, init);
    expect(await response.json()).toEqual({ result: ANSWER.rows });
    return calls[0]?.input;
  }

  const post = (body: NonNullable<RequestInit['body']>, type?: string): RequestInit => ({
    method: 'POST',
    body,
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
  });

  test('is the query string, of which the last of equal names counts', async () => {
    const path = `${ROUTE}/sandbox?a=1&b=x%20y&a=2&__proto__=p&c=a%2Bb`;
    const input = await inputOf(path);
    expect(Object.entries(input ?? {})).toEqual([
      ['a', '2'],
      ['b', 'x y'],
      ['__proto__', 'p'],
      ['c', 'a+b'],
    ]);
  });

  test('is a JSON body merged over the query string', async () => {
    const body = '{"a":2,"big":12345678901234567890,"sql":"select 1"}';
    const input = await inputOf(`${ROUTE}/sandbox?a=1&b=1`, post(body, 'application/json'));
    expect(input).toEqual({
      a: 2,
      b: '1',
      big: rawNumber('12345678901234567890'),
      sql: 'select 1',
    });
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.api+json', 'APPLICATION/JSON'])(
    'reads %s as JSON',
    async (type) => {
      expect(await inputOf(`${ROUTE}/sandbox`, post('{"a":"1"}', type))).toEqual({ a: '1' });
    },
  );

  test('reads a body without a type as JSON', async () => {
    const body = new TextEncoder().encode('{"a":"1"}');
    expect(await inputOf(`${ROUTE}/sandbox`, post(body))).toEqual({ a: '1' });
  });

  test('reads forms', async () => {
    const form = new FormData();
    form.set('sql', 'select 1');
    expect(await inputOf(`${ROUTE}/sandbox`, post(form))).toEqual({ sql: 'select 1' });
    const encoded = new URLSearchParams({ sql: 'select 1', a: 'ä' });
    expect(await inputOf(`${ROUTE}/sandbox`, post(encoded))).toEqual({ sql: 'select 1', a: 'ä' });
  });

  test('may be an empty body of any type', async () => {
    expect(await inputOf(`${ROUTE}/sandbox?a=1`, post('', 'text/csv'))).toEqual({ a: '1' });
  });

  test.each([
    [400, 'invalid_json', '{"sql":', 'application/json'],
    [400, 'invalid_body', '["select 1"]', 'application/json'],
    [400, 'invalid_body', '"select 1"', 'application/json'],
    [400, 'invalid_body', 'x', 'multipart/form-data'],
    [415, 'unsupported_content_type', 'select 1', 'text/plain'],
    [413, 'body_too_large', ' '.repeat(1_000_001), 'application/json'],
  ])('answers %d %s to what it cannot read', async (status, code, body, type) => {
    const { request, calls } = queryApp();
    const response = await request(`${ROUTE}/sandbox`, post(body, type));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String), code });
    expect(calls).toEqual([]);
  });
});

describe('redaction', () => {
  const redacting = { ...SANDBOX, redact_pii: true };

  test.each([
    [undefined, false, true],
    ['true', true, true],
    ['TRUE', true, true],
    ['false', false, false],
    ['', false, false],
    ['yes', false, false],
  ])('with the header %j is %j where the endpoint does not redact, else %j', async (...row) => {
    const [header, plain, set] = row;
    const headers = header === undefined ? {} : { 'LF-ENDPOINT-REDACT-PII': header };
    const wanted = [];
    for (const called of [SANDBOX, redacting]) {
      const { request, calls } = queryApp({ endpoints: [called] });
      await request(`${ROUTE}/sandbox`, { headers });
      wanted.push(calls[0]?.redact);
    }
    expect(wanted).toEqual([plain, set]);
  });
});

describe('answers of saved queries', () => {
  test('hold the rows and say what they cost', async () => {
    const { request } = queryApp();
    const response = await request(`${ROUTE}/sandbox`);
    expect(await response.text()).toBe('{"result":[{"n":1}]}');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'server-timing': 'compile;dur=5, queue;dur=20, engine;dur=300, decode;dur=1',
      'sluice-cache': 'miss',
      'sluice-bytes-scanned': '1000',
      age: '0',
      'cache-control': 'private, max-age=60',
    });
  });

  test.each([
    ['sql=select+2', 'sql'],
    ['lql=s:a&sql=select+2', 'sql, lql'],
    ['lql=s:a', 'lql'],
    ['sql=&a=1', null],
  ])('say what an endpoint that is not sandboxable ignores: %s', async (query, ignored) => {
    const { request } = queryApp();
    const response = await request(`${ROUTE}/${PRIVATE.token}?${query}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Sluice-Ignored')).toBe(ignored);
    const sandboxed = await request(`${ROUTE}/sandbox?${query}`);
    expect(sandboxed.headers.get('Sluice-Ignored')).toBeNull();
  });

  test('tell the age of rows from the cache', async () => {
    const run = async () =>
      ({ ...ANSWER, cache: 'hit', ageSeconds: 20, freshSeconds: 40 }) as const;
    const response = await queryApp({ run }).request(`${ROUTE}/sandbox`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'sluice-cache': 'hit',
      age: '20',
      'cache-control': 'private, max-age=40',
    });
  });

  test('forbid to keep what is not cached', async () => {
    const run = async () => ({ ...ANSWER, cache: 'off', freshSeconds: undefined }) as const;
    const response = await queryApp({ run }).request(`${ROUTE}/sandbox`);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('write large integers exactly', async () => {
    const run = async () => ({ ...ANSWER, rows: [{ n: rawNumber('9223372036854775807') }] });
    const response = await queryApp({ run }).request(`${ROUTE}/sandbox`);
    expect(await response.text()).toBe('{"result":[{"n":9223372036854775807}]}');
  });

  test('pass the wish for fresh rows on', async () => {
    const { request, calls } = queryApp();
    await request(`${ROUTE}/sandbox`, { headers: { 'Cache-Control': 'no-cache' } });
    expect(calls[0]?.cacheControl).toBe('no-cache');
  });

  test('must not be kept when they are errors', async () => {
    const run = async () => {
      throw new ServiceError('query_timeout', 504, 'The query goes on.');
    };
    const response = await queryApp({ run }).request(`${ROUTE}/sandbox`);
    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ error: 'The query goes on.', code: 'query_timeout' });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Age')).toBe('0');
  });
});
