import { describe, expect, test } from 'vitest';
import { DATABASE, ingestApp, KEY, WEB } from './support.ts';

const PATH = `/logs?source=${WEB.token}`;

/** HTTP Basic of a user and a password with a colon between them. */
function basic(pair: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function statusWith(
  headers: Record<string, string>,
  options: { path?: string; keys?: Record<string, readonly string[]> } = {},
) {
  const { app, stored } = ingestApp({ keys: options.keys ?? {} });
  const answer = await app.request(options.path ?? PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '{"event_message":"hi!"}',
  });
  // What is refused must not have been stored either, so every case checks both.
  expect(stored).toHaveLength(answer.status === 200 ? 1 : 0);
  return answer.status;
}

test.each([
  ['Authorization: Bearer', { Authorization: `Bearer ${KEY}` }, PATH],
  ['X-API-KEY', { 'X-API-KEY': KEY }, PATH],
  ['the api_key parameter', {}, `${PATH}&api_key=${KEY}`],
  ['the password of HTTP Basic', basic(`agent:${KEY}`), PATH],
  ['the password of HTTP Basic without a user', basic(`:${KEY}`), PATH],
  ['X-API-KEY before HTTP Basic', { ...basic('proxy:secret'), 'X-API-KEY': KEY }, PATH],
  ['the api_key parameter before HTTP Basic', basic('proxy:secret'), `${PATH}&api_key=${KEY}`],
])('a key is taken from %s', async (_where, headers: Record<string, string>, path) => {
  expect(await statusWith(headers, { path })).toBe(200);
});

test.each([
  ['no key', {}],
  ['an unknown key', { 'X-API-KEY': '123' }],
  ['a lower-case scheme', { Authorization: `bearer ${KEY}` }],
  ['a bad bearer beside a good X-API-KEY', { Authorization: 'Bearer bad', 'X-API-KEY': KEY }],
  ['a wrong password of HTTP Basic', basic('agent:123')],
  ['a key as the user of HTTP Basic', basic(`${KEY}:`)],
  ['a key as all of HTTP Basic', basic(KEY)],
  ['HTTP Basic that is not base64', { Authorization: 'Basic %%%' }],
  ['a bad X-API-KEY beside good HTTP Basic', { ...basic(`agent:${KEY}`), 'X-API-KEY': 'bad' }],
])('%s is 401', async (_what, headers: Record<string, string>) => {
  expect(await statusWith(headers)).toBe(401);
});

test('a refused key learns nothing but Unauthorized', async () => {
  const { post } = ingestApp();

  const answer = await post({ headers: { 'X-API-KEY': '123' } });

  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toEqual({ error: 'Unauthorized' });
});

test.each([
  ['malformed JSON', 'application/json', '{"a":'],
  ['a type that no parser reads', 'application/x-unknown', 'x'],
  ['malformed syslog', 'application/logplex-1', '<<<'],
])('without a key, %s is 401 and never parsed', async (_what, type, body) => {
  const { post } = ingestApp();

  const answer = await post({ headers: { 'Content-Type': type, 'X-API-KEY': '123' }, body });

  expect(answer.status).toBe(401);
});

test('no answer makes a browser ask its user for a password', async () => {
  const { post } = ingestApp();

  const answer = await post({ headers: { 'X-API-KEY': '', ...basic('agent:123') } });

  expect(answer.status).toBe(401);
  expect(answer.headers.get('WWW-Authenticate')).toBeNull();
});

test('a password may have colons', async () => {
  const keys = { 'k:1:2': ['ingest'] };

  expect(await statusWith(basic('agent:k:1:2'), { keys })).toBe(200);
});

describe('nothing of a body is read', () => {
  const QUERY_ONLY = { k: ['query'] };
  const OF_ANOTHER = { k: [`ingest:source:${DATABASE.token}`] };

  /** Posts with the key `k` what would be a 400, and whether any of it was read. */
  async function sent(path: string, keys: Record<string, readonly string[]>) {
    const { app } = ingestApp({ keys });
    let isRead = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true;
          controller.enqueue(new TextEncoder().encode('{"a":'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'application/json', 'X-API-KEY': 'k' };
    const request = { method: 'POST', headers, body, duplex: 'half' as const };
    return { status: (await app.request(path, request)).status, isRead };
  }

  test.each([
    ['without a scope for ingest', PATH, QUERY_ONLY],
    ['without one, if no source is named', '/logs', QUERY_ONLY],
    ['without one, on a route of OTLP', '/v1/logs', QUERY_ONLY],
    ['for another source', PATH, OF_ANOTHER],
    ['for another source, named by its name', '/logs?source_name=web.logs', OF_ANOTHER],
    ['for every source, if there is none of the name', '/logs?source_name=x', { k: ['ingest'] }],
  ])('with a key %s', async (_which, path, keys) => {
    expect(await sent(path, keys)).toEqual({ status: 401, isRead: false });
  });

  test('but where only the body can name the source', async () => {
    expect(await sent('/logs', OF_ANOTHER)).toEqual({ status: 400, isRead: true });
  });
});

test.each<[string, readonly string[]]>([
  ['ingest', ['ingest']],
  ['private', ['private']],
  ['ingest of this source', [`ingest:source:${WEB.token}`]],
  ['several, one of which fits', ['query', `ingest:source:${WEB.token}`]],
  ['public', ['public']],
])('a key with %s may ingest', async (_scope, scopes) => {
  expect(await statusWith({ 'X-API-KEY': 'k' }, { keys: { k: scopes } })).toBe(200);
});

test.each<[string, readonly string[]]>([
  ['query', ['query']],
  ['ingest of another source', [`ingest:source:${DATABASE.token}`]],
])('a key with %s may not', async (_scope, scopes) => {
  expect(await statusWith({ 'X-API-KEY': 'k' }, { keys: { k: scopes } })).toBe(401);
});

const MANAGER = { keys: { manager: ['private'] } };

test.each([
  ['logs?source_name=web.log', 'the name "web.log". Did you mean "web.logs"?'],
  ['logs?source_name=nothing-like-it', 'GET /api/sources lists those that exist.'],
  [`logs?source=${WEB.token.replace('6a', '6b')}`, 'GET /api/sources lists those that exist.'],
  ['logs?source=web.logs', 'There is no source with the token "web.logs".'],
  ['logs', 'the name "databse.logs". Did you mean "database.logs"?'],
  ['logs?source_name=web.log&debug=1', 'Did you mean "web.logs"?'],
])('a key that may manage hears that there is no source: %s', async (path, sentence) => {
  const { post } = ingestApp(MANAGER);

  const answer = await post({
    path: `/${path}`,
    headers: { 'X-API-KEY': 'manager' },
    body: { source_name: 'databse.logs' },
  });

  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    error: expect.stringContaining(sentence),
    code: 'not_found',
  });
});

test('a key that may manage hears it before a drain is verified, too', async () => {
  const { app } = ingestApp(MANAGER);

  const answer = await app.request('/logs/vercel?source_name=web.log&api_key=manager');

  expect(await answer.json()).toMatchObject({ code: 'not_found' });
});

test('other keys do not hear which sources exist', async () => {
  const { post } = ingestApp();

  const answer = await post({ path: '/logs?source_name=web.log' });

  expect(answer.status).toBe(401);
});
