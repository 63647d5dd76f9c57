import { describe, expect, test } from 'vitest';
import type { StoreOutcome } from '../../../../src/ingest/event/store-outcome.ts';
import { pushRequest } from '../../../ingest/formats/push-request.ts';
import { DATABASE, ingestApp, KEY, WEB } from './support.ts';

/** Protocols of other log stores: how they bring the key and the source, and how they are answered. */

/** A key that may send to one source and to no other. */
const WEB_KEY = 'web-only';
const keys = { [WEB_KEY]: [`ingest:source:${WEB.token}`], admin: ['private'] };

const json = (body: unknown) => JSON.stringify(body);
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A request of each protocol with one event. */
const PROTOCOLS = [
  {
    name: 'Loki',
    path: '/loki/api/v1/push',
    body: json({ streams: [{ stream: { a: 'b' }, values: [['1748772000000000000', 'hi']] }] }),
    status: 204,
    answer: '',
  },
  {
    name: 'Loki in protobuf',
    path: '/loki/api/v1/push',
    type: 'application/x-protobuf',
    body: pushRequest([{ labels: '{}', entries: [{ seconds: 1748772000, nanos: 0, line: 'hi' }] }]),
    status: 204,
    answer: '',
  },
  {
    name: 'Elasticsearch',
    path: '/_bulk',
    body: '{"create":{}}\n{"message":"hi"}\n',
    status: 200,
    answer: json({
      took: 0,
      errors: false,
      items: [{ create: { _index: '', _id: '', status: 201, result: 'created' } }],
    }),
  },
  {
    name: 'Splunk HEC',
    path: '/services/collector/event',
    body: json({ event: 'hi' }),
    status: 200,
    answer: json({ text: 'Success', code: 0 }),
  },
  {
    name: 'Splunk HEC, raw',
    path: '/services/collector/raw',
    body: 'hi',
    status: 200,
    answer: json({ text: 'Success', code: 0 }),
  },
  {
    name: 'Datadog',
    path: '/api/v2/logs',
    body: json([{ message: 'hi' }]),
    status: 202,
    answer: '{}',
  },
  {
    name: 'Datadog, v1',
    path: '/v1/input',
    body: json({ message: 'hi' }),
    status: 202,
    answer: '{}',
  },
  { name: 'GELF', path: '/gelf', body: json({ short_message: 'hi' }), status: 202, answer: '' },
];

function set(store?: (events: readonly unknown[]) => StoreOutcome) {
  const { app, stored } = ingestApp({ keys, ...(store && { store }) });
  const send = (
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string> = { 'X-API-KEY': WEB_KEY },
    type = 'application/json',
  ) =>
    app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': type, ...headers },
      body: body as string,
    });
  return { app, stored, send };
}

describe.each(PROTOCOLS)('$name', ({ path, body, type, status, answer }) => {
  test('a key for one source names the source', async () => {
    const { send, stored } = set();
    const response = await send(path, body, undefined, type);
    expect([response.status, await response.text()]).toEqual([status, answer]);
    expect(stored).toMatchObject([{ source: WEB.token, events: [{ event_message: 'hi' }] }]);
  });

  test('the address names the source for a key that may send to all', async () => {
    const { send, stored } = set();
    const to = `${path}?source=${DATABASE.token}`;
    expect((await send(to, body, { 'X-API-KEY': KEY }, type)).status).toBe(status);
    expect(stored).toMatchObject([{ source: DATABASE.token }]);
  });

  test('a key for one source does not reach another', async () => {
    const { send, stored } = set();
    const response = await send(`${path}?source=${DATABASE.token}`, body, undefined, type);
    expect(response.status).toBe(401);
    expect(stored).toEqual([]);
  });

  test('without a name for the source, a key for all of them is told what to do', async () => {
    const response = await set().send(path, body, { 'X-API-KEY': KEY }, type);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Nothing names the source');
  });

  test.each([
    ['Bearer', `Bearer ${WEB_KEY}`],
    ['Splunk', `Splunk ${WEB_KEY}`],
    ['ApiKey', `ApiKey ${WEB_KEY}`],
    ['ApiKey with an id', `ApiKey ${Buffer.from(`id:${WEB_KEY}`).toString('base64')}`],
    ['Basic', basic('anyone', WEB_KEY)],
  ])('the key is taken from %s', async (_scheme, Authorization) => {
    expect((await set().send(path, body, { Authorization }, type)).status).toBe(status);
  });

  test.each([{}, { Authorization: 'Splunk wrong' }, { Authorization: 'Splunk' }])(
    'without a valid key (%j) nothing is stored',
    async (headers) => {
      const { send, stored } = set();
      expect((await send(path, body, headers, type)).status).toBe(401);
      expect(stored).toEqual([]);
    },
  );

  test('events that are refused are told in the answer', async () => {
    const rejected = [{ index: 0, reason: 'too old' }];
    const { send } = set(() => ({ stored: 0, rejected }));
    const response = await send(path, body, undefined, type);
    expect([200, 400]).toContain(response.status);
    expect(await response.text()).toContain('too old');
  });
});

test('DD-API-KEY has the key of Datadog', async () => {
  const { send } = set();
  const response = await send('/api/v2/logs', '{}', { 'DD-API-KEY': WEB_KEY });
  expect(response.status).toBe(202);
});

describe('names of sources', () => {
  const push = json({ streams: [] });
  const event = (index?: string) => json({ event: 'hi', index });

  test.each([
    ['the tenant of Loki', '/loki/api/v1/push', push, { 'X-Scope-OrgID': 'web.logs' }, 204],
    ['the index in the path', '/web.logs/_bulk', '{"index":{}}\n{}\n', {}, 200],
    ['the index of a day', '/web.logs-2025.06.01/_bulk', '{"index":{}}\n{}\n', {}, 200],
    ['the index of a document', '/web.logs/_doc', '{}', {}, 201],
    ['the index of all actions', '/_bulk', '{"index":{"_index":"web.logs"}}\n{}\n', {}, 200],
    ['the index of Splunk', '/services/collector', event('web.logs'), {}, 200],
    ['the index in the address', '/services/collector/raw?index=web.logs', 'hi', {}, 200],
  ])('are %s', async (_case, path, body, headers, status) => {
    const { send, stored } = set();
    const response = await send(path, body, { 'X-API-KEY': KEY, ...headers });
    expect(response.status).toBe(status);
    expect(stored).toMatchObject([{ source: WEB.token }]);
  });

  test('the source of a Splunk event is not one of them', async () => {
    const { send, stored } = set();
    const response = await send('/services/collector/raw?source=nginx', 'hi');
    expect(response.status).toBe(200);
    expect(stored).toMatchObject([{ source: WEB.token, events: [{ source: 'nginx' }] }]);
  });

  test('a request names one source, or none is stored', async () => {
    const { send, stored } = set();
    const response = await send('/services/collector', event('web.logs') + event('database.logs'), {
      'X-API-KEY': KEY,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      text: expect.stringContaining('name several sources'),
      code: 7,
    });
    expect(stored).toEqual([]);
  });

  test('the key for one source takes events of any index', async () => {
    const { send, stored } = set();
    const response = await send('/services/collector', event('a') + event('b'));
    expect(response.status).toBe(200);
    expect(stored).toMatchObject([{ source: WEB.token, events: [{ index: 'a' }, { index: 'b' }] }]);
  });

  test('a name that does not exist is told to those who may see them all', async () => {
    const response = await set().send('/web.log/_bulk', '{"index":{}}\n{}\n', {
      'X-API-KEY': 'admin',
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      status: 404,
      error: { reason: expect.stringContaining('web.logs') },
    });
  });
});

describe('refusals in the words of', () => {
  test('Loki: text', async () => {
    const response = await set().send('/loki/api/v1/push', 'nonsense');
    expect(response.status).toBe(400);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toMatch(/^This is not valid JSON.*\n$/);
  });

  test('Elasticsearch: an error with a type and a reason', async () => {
    const response = await set().send('/_bulk', 'nonsense');
    const error = { type: 'malformed_bulk', reason: expect.any(String) };
    expect(response.status).toBe(400);
    expect(response.headers.get('X-Elastic-Product')).toBe('Elasticsearch');
    expect(await response.json()).toEqual({
      error: { ...error, root_cause: [error] },
      status: 400,
    });
  });

  test('Elasticsearch: each action by its place', async () => {
    const { send } = set(() => ({ stored: 1, rejected: [{ index: 1, reason: 'too old' }] }));
    const response = await send(
      '/_bulk?filter_path=errors,items.*.error',
      '{"index":{"_index":"a","_id":"1"}}\n{}\n{"create":{"_index":"b"}}\n{}\n',
    );
    expect(await response.json()).toEqual({
      took: 0,
      errors: true,
      items: [
        { index: { _index: 'a', _id: '1', status: 201, result: 'created' } },
        {
          create: {
            _index: 'b',
            _id: '',
            status: 400,
            error: { type: 'document_parsing_exception', reason: 'too old' },
          },
        },
      ],
    });
  });

  test('Elasticsearch: an answer stays short, whatever ids are sent', async () => {
    const line = `{"index":{"_id":"${'x'.repeat(500)}"}}\n{}\n`;
    const response = await set().send('/_bulk', line.repeat(3_000));
    const text = await response.text();
    expect(JSON.parse(text).items).toHaveLength(3_000);
    expect(text.length).toBeLessThan(1_000_000);
  });

  test.each([
    ['no key', {}, json({ event: 'x' }), 401, 3],
    ['no data', undefined, '', 400, 5],
    ['no JSON', undefined, 'nonsense', 400, 6],
  ])('Splunk: a code, for %s', async (_case, headers, body, status, code) => {
    const response = await set().send('/services/collector', body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ text: expect.any(String), code });
  });

  test('Splunk: the number of the first event that is refused', async () => {
    const { send } = set(() => ({ stored: 2, rejected: [{ index: 2, reason: 'too old' }] }));
    const response = await send('/services/collector', json({ event: 'x' }));
    expect(await response.json()).toMatchObject({ code: 6, 'invalid-event-number': 2 });
  });

  test('Datadog: what its agent takes for final is 400', async () => {
    const response = await set().send('/api/v2/logs', 'x', undefined, 'image/png');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      errors: [{ title: 'Bad Request', detail: expect.any(String), status: '400' }],
    });
  });

  test.each(PROTOCOLS)(
    '$name: 429 stays 429, with the time to wait',
    async ({ path, body, type }) => {
      const { app } = ingestApp({
        keys,
        shared: { draw: async () => ({ granted: 0, theoreticalArrivalTime: 1e15 }) },
      });
      const response = await app.request(path, {
        method: 'POST',
        headers: { 'Content-Type': type ?? 'application/json', 'X-API-KEY': WEB_KEY },
        body: body as string,
      });
      expect(response.status).toBe(429);
      expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    },
  );
});

describe('what agents ask first', () => {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    set().app.request(path, { method, headers });
  const key = { Authorization: basic('elastic', WEB_KEY) };

  test('the version of Elasticsearch', async () => {
    const response = await ask('/', key);
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Elastic-Product')).toBe('Elasticsearch');
    expect(await response.json()).toMatchObject({
      version: { number: expect.stringMatching(/^8\./), build_flavor: 'default' },
    });
    expect((await ask('/', key, 'HEAD')).status).toBe(200);
  });

  test('a page of a browser does not get it', async () => {
    const response = await ask('/', { ...key, Accept: 'text/html,application/xhtml+xml' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test.each(['/', '/_license', '/_template/x'])('%s needs a key', async (path) => {
    expect((await ask(path)).status).toBe(401);
    expect((await ask(path, { 'X-API-KEY': 'wrong' })).status).toBe(401);
  });

  test.each([
    ['/_license', { license: { status: 'active', type: 'basic' } }],
    ['/_xpack', { license: { type: 'basic' }, features: { ilm: { available: false } } }],
    ['/_cluster/health', { status: 'green' }],
    ['/_template/filebeat', { acknowledged: true }],
    ['/_index_template/filebeat', { acknowledged: true }],
    ['/_ilm/policy/filebeat', { acknowledged: true }],
    ['/_ingest/pipeline/x', { acknowledged: true }],
  ])('%s', async (path, body) => {
    const response = await ask(path, key);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(body);
  });

  test('templates that are put are taken for done', async () => {
    const response = await ask('/_index_template/logs', key, 'PUT');
    expect([response.status, await response.json()]).toEqual([200, { acknowledged: true }]);
  });

  test.each(['/services/collector/health', '/services/collector/health/1.0'])(
    'the health of Splunk at %s, without a key',
    async (path) => {
      const response = await ask(path);
      expect([response.status, await response.json()]).toEqual([
        200,
        { text: 'HEC is healthy', code: 17 },
      ]);
    },
  );

  test('acknowledgements of Splunk are refused', async () => {
    const response = await ask(
      '/services/collector/ack',
      { Authorization: `Splunk ${WEB_KEY}` },
      'POST',
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 14 });
  });

  test('whether Loki is ready', async () => {
    const response = await ask('/ready');
    expect([response.status, await response.text()]).toEqual([200, 'ready\n']);
  });
});
