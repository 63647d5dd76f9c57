import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Source } from '../e2e/support/client.ts';
import { shared, startService } from '../e2e/support/server.ts';

const service = shared(startService);

const NOT_FOUND = { status: 404, body: { error: 'Not Found' } };

let source: Source;
beforeAll(async () => {
  const { sluice } = service();
  source = await sluice.createSource('managed');
  await sluice.send('managed', {
    message: 'x',
    metadata: { took: 12, tags: ['a'], at: { x: true } },
  });
});

const send = (method: string, path: string, body?: object): Promise<Answer> =>
  service().sluice.call(path, { method, ...(body === undefined ? {} : { body }) });

test('153 keys without the scope private manage nothing', async () => {
  const { sluice } = service();
  const caller = sluice.as(await sluice.createKey('ingest query'));

  for (const path of ['/api/sources', '/api/endpoints', '/api/access-tokens', '/api/query']) {
    const answer = await caller.call(path);
    expect(answer, path).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' });
  }
});

describe('endpoints', () => {
  test('154 need a name and a query, and the name is a text', async () => {
    const empty = await send('POST', '/api/endpoints', {});
    const wrong = await send('POST', '/api/endpoints', { name: 123 });

    expect(empty).toMatchObject({
      status: 422,
      body: { errors: { name: ["can't be blank"], query: ["can't be blank"] } },
    });
    expect(wrong).toMatchObject({ status: 422, body: { errors: { name: ['is invalid'] } } });
  });

  test('155 are changed by PATCH, which answers nothing, and by PUT, which shows them', async () => {
    const { token } = await service().sluice.createEndpoint({ name: 'changed', query: 'select 1' });
    const path = `/api/endpoints/${token}`;

    const patched = await send('PATCH', path, { description: 'patched' });
    const before = await send('GET', path);
    const put = await send('PUT', path, { description: 'put' });

    expect(patched).toMatchObject({ status: 204, text: '' });
    expect(before.body).toMatchObject({ name: 'changed', description: 'patched' });
    expect(put).toMatchObject({ status: 200, body: { name: 'changed', description: 'put' } });
  });

  test('156 that do not exist are not shown, changed or deleted', async () => {
    const path = `/api/endpoints/${randomUUID()}`;

    expect(await send('GET', path)).toMatchObject(NOT_FOUND);
    expect(await send('PUT', path, { name: 'x' })).toMatchObject(NOT_FOUND);
    expect(await send('PATCH', path, { name: 'x' })).toMatchObject(NOT_FOUND);
    expect(await send('DELETE', path)).toMatchObject(NOT_FOUND);
  });

  test('157 cannot be made for a backend that does not exist, and none does', async () => {
    const draft = { name: 'elsewhere', query: 'select 1', backend_id: 1 };

    expect(await send('POST', '/api/endpoints', draft)).toMatchObject(NOT_FOUND);
    expect((await send('GET', '/api/endpoints')).text).not.toContain('elsewhere');
  });
});

describe('access keys', () => {
  test('158 cannot be given the scope partner', async () => {
    const answer = await send('POST', '/api/access-tokens', { scopes: 'ingest partner' });

    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { scopes: ['cannot be assigned by users'] } },
    });
  });

  test('159 are deleted as often as one likes, unless they never were', async () => {
    const { id } = await service().sluice.createKey('ingest');
    const remove = (key: string) => send('DELETE', `/api/access-tokens/${key}`);

    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await remove(randomUUID())).toMatchObject(NOT_FOUND);
  });
});

describe('a text that is not saved', () => {
  test('160 has to be given', async () => {
    const answer = await service().sluice.call('/api/query');

    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/^No query params provided\. Supported query params are /),
      },
    });
  });

  test('161 has to be a SELECT', async () => {
    const { sluice } = service();

    for (const sql of ['update managed set a = 1 where true', 'drop table managed']) {
      const answer = await sluice.call(`/api/query/parse?${new URLSearchParams({ sql })}`);
      expect(answer, sql).toMatchObject({
        status: 400,
        body: { code: 'sql_not_select', error: expect.stringContaining('SELECT') },
      });
    }
  });
});

describe('sources', () => {
  test('163 need a name', async () => {
    const answer = await send('POST', '/api/sources', {});

    expect(answer).toMatchObject({ status: 422, text: '{"errors":{"name":["can\'t be blank"]}}' });
  });

  test('164 show the schema of their events as a flat map', async () => {
    const schema = await send('GET', `/api/sources/${source.token}/schema?variant=dot`);

    expect(schema).toMatchObject({ status: 200 });
    expect(schema.body).toEqual({
      id: 'string',
      timestamp: 'datetime',
      event_message: 'string',
      'metadata.took': 'integer',
      'metadata.tags': 'string[]',
      'metadata.at.x': 'boolean',
    });
  });
});

describe('rules', () => {
  const createRule = async (): Promise<{ readonly path: string; readonly sink: Source }> => {
    const sink = await service().sluice.createSource(`sink.${randomUUID()}`);
    const answer = await send('POST', '/api/rules', {
      source_id: source.token,
      lql_string: 'level:error',
      sink: sink.token,
    });
    return { path: `/api/rules/${(answer.body as { token: string }).token}`, sink };
  };

  test('165 come in batches, of which those that are valid are created', async () => {
    const { sink } = await createRule();
    const valid = { source_id: source.token, lql_string: 'a:1', sink: sink.token };

    const answer = await service().sluice.post('/api/rules', [valid, { ...valid, lql_string: '' }]);

    expect(answer).toMatchObject({
      status: 400,
      body: { errors: ["lql_string can't be blank"], results: [valid] },
    });
  });

  test('166 are not changed to name a source or a backend that does not exist', async () => {
    const { path } = await createRule();
    const before = await send('GET', path);

    for (const change of [{ source_id: randomUUID() }, { sink: randomUUID() }, { backend_id: 1 }]) {
      expect(await send('PATCH', path, change)).toMatchObject(NOT_FOUND);
    }
    expect((await send('GET', path)).body).toEqual(before.body);
  });
});
