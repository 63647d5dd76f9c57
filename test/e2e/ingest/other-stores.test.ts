import { expect, test } from 'vitest';
import { pushRequest } from '../../ingest/formats/push-request.ts';
import { shared, startService } from '../support/server.ts';

/** Agents of other log stores send here with a key for one source, and nothing else that names it. */

const service = shared(startService);

const seconds = Math.floor(Date.now() / 1000);

const SENDERS = [
  {
    store: 'Loki, in JSON',
    path: '/loki/api/v1/push',
    body: () =>
      JSON.stringify({
        streams: [{ stream: { job: 'a' }, values: [[`${seconds}000000001`, 'hi']] }],
      }),
    status: 204,
  },
  {
    store: 'Loki, in protobuf',
    path: '/loki/api/v1/push',
    type: 'application/x-protobuf',
    body: () =>
      pushRequest([{ labels: '{job="a"}', entries: [{ seconds, nanos: 1, line: 'hi' }] }]),
    status: 204,
  },
  {
    store: 'Elasticsearch',
    path: '/_bulk',
    body: () => '{"create":{"_index":"logs-app"}}\n{"message":"hi"}\n',
    status: 200,
  },
  {
    store: 'Elasticsearch, an index in the path',
    path: '/logs-app/_bulk',
    body: () => '{"create":{}}\n{"message":"hi"}\n',
    status: 200,
  },
  {
    store: 'Splunk',
    path: '/services/collector/event',
    body: () => JSON.stringify({ event: 'hi', index: 'main' }),
    status: 200,
  },
  { store: 'Datadog', path: '/api/v2/logs', body: () => '[{"message":"hi"}]', status: 202 },
  { store: 'GELF', path: '/gelf', body: () => '{"short_message":"hi","host":"a"}', status: 202 },
];

test.each(SENDERS)('$store', async ({ store, path, type, body, status }) => {
  const { sluice } = service();
  const name = `stores.${store.replaceAll(/\W+/g, '_')}`;
  const source = await sluice.createSource(name);
  const { token } = await sluice.createKey(`ingest:source:${source.token}`);
  const endpoint = await sluice.createEndpoint({
    name: `${name}.all`,
    query: `select t.event_message from \`${name}\` as t`,
  });

  const answer = await fetch(`${sluice.url}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': type ?? 'application/json',
      Authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}`,
    },
    body: body() as string,
  });

  expect(answer.status).toBe(status);
  expect(await sluice.rows(endpoint.name)).toEqual([{ event_message: 'hi' }]);
});

test('what Elastic asks first is answered', async () => {
  const { sluice } = service();
  const { token } = await sluice.createKey('ingest');
  const headers = { Authorization: `ApiKey ${token}` };

  const root = await fetch(sluice.url, { headers });
  const head = await fetch(sluice.url, { method: 'HEAD', headers });
  const license = await fetch(`${sluice.url}/_license`, { headers });

  expect(root.headers.get('X-Elastic-Product')).toBe('Elasticsearch');
  expect(await root.json()).toMatchObject({ version: { number: '8.19.0' } });
  expect([head.status, license.status]).toEqual([200, 200]);
});
