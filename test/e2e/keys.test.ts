import { describe, expect, test } from 'vitest';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

describe('a stranger is turned away', () => {
  const UNAUTHORIZED = { status: 401, text: '{"error":"Unauthorized"}' };
  const CALLS = [
    { what: 'a query', path: '/api/endpoints/query/logs.all?project=shop' },
    { what: 'an event', path: '/logs?source_name=cloudflare.logs.prod', body: { message: 'hi' } },
    { what: 'the list of sources', path: '/api/sources' },
    { what: 'a new endpoint', path: '/api/endpoints', body: { name: 'mine', query: 'select 1' } },
    { what: 'the list of keys', path: '/api/access-tokens' },
  ];
  const method = (body: unknown) => (body === undefined ? 'GET' : 'POST');

  test.each(CALLS)('from $what without a key', async ({ path, body }) => {
    const { sluice } = service();

    const answer = await sluice.as(undefined).call(path, { method: method(body), body });

    expect(answer).toMatchObject(UNAUTHORIZED);
  });

  test.each(CALLS)('from $what with a key that was never given out', async ({ path, body }) => {
    const { sluice } = service();
    const stranger = sluice.as({ token: 'sluice_guessed' });

    const answer = await stranger.call(path, { method: method(body), body });

    expect(answer).toMatchObject(UNAUTHORIZED);
  });

  test.each([
    {
      scope: 'query',
      refused: ['an event', 'the list of sources', 'a new endpoint', 'the list of keys'],
    },
    {
      scope: 'ingest',
      refused: ['a query', 'the list of sources', 'a new endpoint', 'the list of keys'],
    },
  ])('with a key for $scope from all else', async ({ scope, refused }) => {
    const { sluice } = service();
    const scoped = sluice.as(await sluice.createKey(scope));

    const answers = await Promise.all(
      CALLS.map(async ({ what, path, body }) => ({
        what,
        ...(await scoped.call(path, { method: method(body), body })),
      })),
    );

    const turnedAway = answers.filter(({ status }) => status === 401);
    expect(turnedAway.map(({ what }) => what)).toEqual(refused);
    for (const answer of turnedAway) expect(answer).toMatchObject(UNAUTHORIZED);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('from an endpoint and a source that do not exist, as from those that do', async () => {
    const { sluice } = service();
    const caller = sluice.as(await sluice.createKey('ingest query'));

    const query = await caller.query('no.such-endpoint');
    const event = await caller.post('/logs?source_name=no-such-source', { message: 'hi' });

    expect(query).toMatchObject(UNAUTHORIZED);
    expect(event).toMatchObject(UNAUTHORIZED);
  });
});

test('a key that may see every name hears which one was meant', async () => {
  const { sluice } = service();

  const query = await sluice.query('logs-all');
  const event = await sluice.post('/logs?source_name=cloudflare.log.prod', { message: 'hi' });

  expect(query).toMatchObject({ status: 404, text: expect.stringContaining('logs.all') });
  expect(event).toMatchObject({
    status: 404,
    text: expect.stringContaining('cloudflare.logs.prod'),
  });
});

test('a key for one source sends events to it and does nothing else', async () => {
  const { sluice } = service();
  const own = await sluice.createSource('agent.own');
  const other = await sluice.createSource('agent.other');
  const agent = sluice.as(await sluice.createKey(`ingest:source:${own.token}`));
  const event = { message: 'hello' };

  expect(await agent.post(`/logs?source=${own.token}`, event)).toMatchObject({ status: 200 });
  expect(await agent.post('/logs?source_name=agent.own', event)).toMatchObject({ status: 200 });
  expect(await agent.post(`/logs?source=${other.token}`, event)).toMatchObject({ status: 401 });
  expect(await agent.query('logs.all', { project: 'shop' })).toMatchObject({ status: 401 });
  expect(await agent.call('/api/sources')).toMatchObject({ status: 401 });
});

test('a key for one endpoint calls it and does nothing else', async () => {
  const { sluice } = service();
  const own = await sluice.createEndpoint({ name: 'board.own', query: 'select 1 as one' });
  await sluice.createEndpoint({ name: 'board.other', query: 'select 2 as two' });
  const board = sluice.as(await sluice.createKey(`query:endpoint:${own.token}`));

  expect(await board.query(own.token)).toMatchObject({ status: 200 });
  expect(await board.query('board.own')).toMatchObject({ status: 200 });
  expect(await board.query('board.other')).toMatchObject({ status: 401 });
  expect(await board.post('/logs?source_name=postgres.logs', {})).toMatchObject({ status: 401 });
  expect(await board.call('/api/endpoints')).toMatchObject({ status: 401 });
});

test('a key with two scopes does both', async () => {
  const { sluice } = service();
  const both = sluice.as(await sluice.createKey('ingest query'));

  await both.send('postgres.logs', { project: 'two-scopes', message: 'hello' });

  expect(
    await both.rows('logs.all', {
      project: 'two-scopes',
      sql: 'select event_message from postgres_logs',
    }),
  ).toEqual([{ event_message: 'hello' }]);
});

test('a deleted key stops working at once', async () => {
  const { sluice } = service();
  const key = await sluice.createKey('query');
  const holder = sluice.as(key);
  const before = await holder.query('logs.all', { project: 'shop' });

  const deleted = await sluice.call(`/api/access-tokens/${key.id}`, { method: 'DELETE' });

  expect(before.status).toBe(200);
  expect(deleted.status).toBe(204);
  expect(await holder.query('logs.all', { project: 'shop' })).toMatchObject({ status: 401 });
});

test('a secret is shown once, when its key is made', async () => {
  const { sluice } = service();
  const key = await sluice.createKey('ingest');

  const listed = await sluice.call('/api/access-tokens');
  const shown = await sluice.call(`/api/access-tokens/${key.id}`);

  expect(listed.text).toContain(key.id);
  expect(listed.text).not.toContain(key.token);
  expect(shown).toMatchObject({ status: 200, body: { token: null, scopes: 'ingest' } });
});

test.each([
  { how: 'as a bearer token', headers: (key: string) => ({ Authorization: `Bearer ${key}` }) },
  { how: 'in X-API-KEY', headers: (key: string) => ({ 'X-API-KEY': key }) },
  { how: 'in the query string', search: (key: string) => `&api_key=${key}` },
])('a key may be sent $how', async ({ headers, search }) => {
  const { sluice } = service();
  const { token } = await sluice.createKey('query');
  const path = '/api/endpoints/query/logs.all?project=shop';

  const answer = await sluice
    .as(undefined)
    .call(path + (search?.(token) ?? ''), { headers: headers?.(token) ?? {} });

  expect(answer.status).toBe(200);
});

test('a key for a source that does not exist cannot be made', async () => {
  const { sluice } = service();

  const answer = await sluice.post('/api/access-tokens', {
    scopes: 'ingest:source:00000000-0000-4000-8000-000000000000',
  });

  expect(answer).toMatchObject({
    status: 422,
    body: { errors: { scopes: [expect.stringContaining('does not exist')] } },
  });
});
