import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Source } from '../../e2e/support/client.ts';
import { shared, startService } from '../../e2e/support/server.ts';
import { DATABASE, KEY, WEB } from '../../http/routes/ingest/support.ts';
import { LOGGED, send, UNAUTHORIZED } from './support.ts';

describe('a key travels', () => {
  const without = { 'X-API-KEY': undefined };

  test('27 as a bearer', async () => {
    const headers = { ...without, Authorization: `Bearer ${KEY}` };

    expect(await send({ headers })).toMatchObject(LOGGED);
  });

  test('28 in the query string', async () => {
    const path = `/logs?source=${WEB.token}&api_key=${KEY}`;

    expect(await send({ path, headers: without })).toMatchObject(LOGGED);
  });

  test('29 or nothing gets in', async () => {
    const outcome = await send({ headers: without });

    expect(outcome).toMatchObject(UNAUTHORIZED);
    expect(outcome.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  });

  test('30 and has to be known', async () => {
    expect(await send({ headers: { 'X-API-KEY': 'made-up' } })).toMatchObject(UNAUTHORIZED);
  });

  test('31 as Bearer with a capital', async () => {
    const headers = { ...without, Authorization: `bearer ${KEY}` };

    expect(await send({ headers })).toMatchObject(UNAUTHORIZED);
  });

  test('32 as a bearer before any other way, even if it is wrong', async () => {
    expect(await send({ headers: { Authorization: 'Bearer made-up' } })).toMatchObject(
      UNAUTHORIZED,
    );
  });
});

describe('a key with the scope', () => {
  const service = shared(startService);
  const ROWS = { status: 200, body: { result: [{ one: 1 }] } };
  const REFUSED = { status: 401, text: '{"error":"Unauthorized"}' };
  let source: Source;
  let endpoint: { token: string };

  beforeAll(async () => {
    const { sluice } = service();
    source = await sluice.createSource('orders');
    endpoint = await sluice.createEndpoint({ name: 'one', query: 'select 1 as one' });
  });

  /** What a key with the scope gets: from ingest, from a saved query and from management. */
  async function tried(scope: string): Promise<{ ingest: Answer; query: Answer; manage: Answer }> {
    const { sluice } = service();
    const caller = sluice.as(await sluice.createKey(scope));
    return {
      ingest: await caller.post(`/logs?source=${source.token}`, { message: scope }),
      query: await caller.query(endpoint.token),
      manage: await caller.call('/api/sources'),
    };
  }

  test('33 no scope, public and ingest send to every source', async () => {
    for (const scopes of ['', 'public', 'ingest']) {
      expect((await tried(scopes)).ingest, scopes).toMatchObject({ status: 200 });
    }
  });

  test('34 ingest:source:<uuid> sends to this source and to no other', async () => {
    const { token } = await service().sluice.createSource('orders.other');
    const own = await tried(`ingest:source:${source.token}`);
    const other = await tried(`ingest:source:${token}`);

    expect(own.ingest).toMatchObject({ status: 200, body: LOGGED.answer });
    expect(other.ingest).toMatchObject(REFUSED);
  });

  test('35 query does not send, and ingest does not query', async () => {
    expect((await tried('query')).ingest).toMatchObject(REFUSED);
    expect((await tried('ingest')).query).toMatchObject(REFUSED);
  });

  test('36 query or query:endpoint:<uuid> queries; no scope and public do not', async () => {
    expect((await tried('query')).query).toMatchObject(ROWS);
    expect((await tried(`query:endpoint:${endpoint.token}`)).query).toMatchObject(ROWS);
    expect((await tried('')).query).toMatchObject(REFUSED);
    expect((await tried('public')).query).toMatchObject(REFUSED);
  });

  test('37 private does everything', async () => {
    expect(await tried('private')).toMatchObject({
      ingest: { status: 200 },
      query: ROWS,
      manage: { status: 200 },
    });
  });

  test('38 private is the only one that manages', async () => {
    for (const scopes of ['ingest query', 'public', `ingest:source:${source.token}`]) {
      expect((await tried(scopes)).manage, scopes).toMatchObject(REFUSED);
    }
  });

  test('41 admin, partner or one for what is no UUID cannot be made', async () => {
    for (const scopes of ['ingest admin', 'ingest:source:orders', 'partner']) {
      expect(await service().sluice.post('/api/access-tokens', { scopes }), scopes).toMatchObject({
        status: 422,
        body: { errors: { scopes: [expect.any(String)] } },
      });
    }
  });
});

test('39 a source that is not of the key, or of nobody, is one answer', async () => {
  const keys = { web: [`ingest:source:${WEB.token}`] };

  for (const source of [DATABASE.token, randomUUID(), ':signin']) {
    const outcome = await send({
      path: `/logs?source=${source}`,
      keys,
      headers: { 'X-API-KEY': 'web' },
    });
    expect(outcome, source).toMatchObject(UNAUTHORIZED);
  }
});

test('42 nothing is read from strangers', async () => {
  const malformed = [
    { path: '/logs/logplex', type: 'application/logplex-1', body: '<not syslog', known: 406 },
    { path: '/logs/cloudflare', type: 'application/x-ndjson', body: '{"not json', known: 406 },
    { path: '/logs/json', type: 'application/json', body: '{"not json', known: 400 },
    { path: '/logs', type: 'application/x-protobuf', body: '\u0001\u0002', known: 415 },
  ];

  for (const { path, type, body, known } of malformed) {
    const request = { path, body, headers: { 'Content-Type': type } };
    const stranger = { ...request.headers, 'X-API-KEY': 'made-up' };
    expect(await send({ ...request, headers: stranger }), path).toMatchObject(UNAUTHORIZED);
    expect(await send(request), path).toMatchObject({ status: known });
  }
});
