import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/platform/errors.ts';
import { EVENTS } from '../../../query/support.ts';
import { ANSWER, KEY, queryApp } from './support.ts';

const ADMIN = 'manages-everything';
const AS_ADMIN = { headers: { 'X-API-KEY': ADMIN } };

/** The app for a holder of a `private` key. */
function adHoc(run?: () => Promise<typeof ANSWER>) {
  const { request, calls, app } = queryApp({
    keys: { [ADMIN]: ['private'] },
    ...(run === undefined ? {} : { run }),
  });
  const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    request(`/api/query?${new URLSearchParams(parameters)}`, {
      headers: { 'X-API-KEY': ADMIN, ...headers },
    });
  const post = (body: unknown) =>
    request('/api/query', {
      method: 'POST',
      headers: { 'X-API-KEY': ADMIN, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { app, request, calls, get, post };
}

describe('texts that are not saved', () => {
  test.each(['sql', 'bq_sql'])('%s= runs as it is, without a cache', async (name) => {
    const { get, calls } = adHoc();

    const answer = await get({ [name]: 'select @a as a', a: 'x', api_key: ADMIN });

    expect([answer.status, await answer.json()]).toEqual([200, { result: [{ n: 1 }] }]);
    expect(calls).toMatchObject([
      {
        endpoint: {
          name: '/api/query',
          query: 'select @a as a',
          sandboxable: false,
          max_limit: 1_000,
          cache_duration_seconds: 0,
        },
        input: { a: 'x' },
        origin: 'query',
        redact: false,
        keyId: ADMIN,
      },
    ]);
    expect(calls[0]?.input).not.toHaveProperty('api_key');
  });

  test('what JSON says is a number or a boolean is declared as one', async () => {
    const { post, calls } = adHoc();

    await post({ sql: 'select @n, @x, @yes, @text', n: 1, x: 1.5, yes: true, text: '1' });

    expect(calls[0]?.endpoint.parameters).toMatchObject([
      { name: 'n', type: 'int64' },
      { name: 'x', type: 'float64' },
      { name: 'yes', type: 'bool' },
    ]);
  });

  test('lql= reads the source that it names, or that source= names', async () => {
    const { get, calls } = adHoc();

    await get({ lql: 'f:events s:event_message' });
    await get({ lql: 's:event_message', source: EVENTS.token });
    await get({ lql: 'f:e s:event_message', source: 'events' });

    for (const { endpoint } of calls) {
      expect(endpoint.sandboxable).toBe(true);
      expect(Object.values(endpoint.source_mapping)).toEqual([EVENTS.token]);
    }
    expect(calls.map(({ endpoint }) => endpoint.query.split(' ')[1])).toEqual([
      '`events`',
      '`events`',
      '`e`',
    ]);
    expect(calls[0]?.input).toEqual({ lql: 'f:events s:event_message' });
  });

  test('rows are kept for as long as the caller accepts old ones', async () => {
    const { get, calls } = adHoc();
    const sql = 'select 1';

    await get({ sql }, { 'Cache-Control': 'max-age=60' });
    await get({ sql }, { 'Cache-Control': 'max-age=999999' });
    await get({ sql }, { 'Cache-Control': 'no-cache' });

    const seconds = calls.map(({ endpoint }) => endpoint.cache_duration_seconds);
    expect(seconds).toEqual([60, 3_600, 0]);
  });

  test('equal texts are one query, and others are others', async () => {
    const { get, calls } = adHoc();

    await get({ sql: 'select 1' });
    await get({ sql: 'select 1', a: 'x' });
    await get({ sql: 'select 2' });
    await get({ sql: 'select 1', max_limit: '5' });

    const [first, ...others] = calls.map(({ endpoint }) => endpoint.token);
    expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(others.map((token) => token === first)).toEqual([true, false, false]);
  });

  test.each([
    [{}, 'missing_parameter'],
    [{ lql: '' }, 'missing_parameter'],
    [{ lql: 's:event_message' }, 'missing_parameter'],
    [{ lql: 'f:unknown s:event_message' }, 'lql_unknown_table'],
    [{ lql: 's:' }, 'lql_syntax'],
    [{ sql: ' ' }, 'sql_empty'],
    [{ sql: 'select 1', max_limit: '0' }, 'invalid_parameter'],
    [{ sql: 'select 1', max_limit: '10001' }, 'invalid_parameter'],
    [{ sql: 'select 1', max_limit: 'all' }, 'invalid_parameter'],
  ])('%j is refused: %s', async (parameters, code) => {
    const { get, calls } = adHoc();

    const answer = await get(parameters as Record<string, string>);

    expect([answer.status, await answer.json()]).toMatchObject([400, { code }]);
    expect(calls).toEqual([]);
  });

  test('what is wrong with a query is told, with no rows to be kept', async () => {
    const { get } = adHoc(async () => {
      throw new ServiceError('query_data_error', 400, 'Division by zero');
    });

    const answer = await get({ sql: 'select 1 / 0' });

    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ code: 'query_data_error' });
  });

  test('explain=true shows what would run', async () => {
    const { get, calls } = adHoc();

    const answer = await get({ sql: 'select 1', explain: 'true' });

    expect(await answer.json()).toMatchObject({ explain: { athena: 'a' } });
    expect(calls).toEqual([]);
  });

  test('are for private keys only, which may stand in the body', async () => {
    const { app, calls } = adHoc();
    const post = (body: object) =>
      app.request('/api/query', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const sql = 'select 1';

    const answers = await Promise.all([
      app.request('/api/query?sql=select+1'),
      app.request('/api/query?sql=select+1', { headers: { 'X-API-KEY': KEY } }),
      app.request(`/api/sources/${EVENTS.token}/recent`, { headers: { 'X-API-KEY': KEY } }),
      post({ sql }),
      post({ sql, api_key: KEY }),
      post({ sql, api_key: ADMIN }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 200]);
    expect(calls).toHaveLength(1);
  });
});

describe('the newest events of a source', () => {
  const route = `/api/sources/${EVENTS.token}/recent`;

  test('are looked for further and further back, until there are enough', async () => {
    const { request, calls } = adHoc();

    const answer = await request(`${route}?limit=3&lql=m.level:error`, AS_ADMIN);

    expect(await answer.json()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
    expect(calls.map(({ endpoint }) => endpoint.max_limit)).toEqual([3, 2, 1]);
    expect(calls).toMatchObject([{ newest: true }, { newest: true }, { newest: true }]);
    const spans = calls.map(({ input }) => [Number(input.from), Number(input.to)]);
    expect(spans.slice(1).map(([, to]) => to)).toEqual(spans.slice(0, 2).map(([from]) => from));
  });

  test('are those of the last 30 days', async () => {
    const { request, calls } = adHoc(async () => ({ ...ANSWER, rows: [] }));

    const answer = await request(route, AS_ADMIN);

    expect(await answer.json()).toEqual([]);
    expect(calls).toHaveLength(4);
    expect(calls.map(({ endpoint }) => endpoint.max_limit)).toEqual([100, 100, 100, 100]);
  });

  test.each([
    ['/api/sources/unknown/recent', 404],
    ['/api/sources/00000000-0000-4000-8000-000000000000/recent', 404],
    [`${route}?limit=1001`, 400],
  ])('GET %s is refused: %i', async (path, status) => {
    const { request } = adHoc();

    expect((await request(path, AS_ADMIN)).status).toBe(status);
  });
});
