import { beforeAll, expect, test } from 'vitest';
import type { Source } from '../support/client.ts';
import { shared, startService } from '../support/server.ts';

const service = shared(startService);

let source: Source;
beforeAll(async () => {
  const { sluice } = service();
  source = await sluice.createSource('hooks');
  await sluice.createEndpoint({
    name: 'hooks.github',
    query: `select t.event_message, t.metadata.action, l.name as label
            from hooks as t cross join unnest(t.metadata.issue.labels) as l`,
  });
  await sluice.createEndpoint({
    name: 'hooks.reports',
    query: 'select t.metadata.body.status_code from hooks as t where t.metadata.type is not null',
  });
  await sluice.createEndpoint({
    name: 'hooks.cloud',
    query: `select t.id, t.timestamp, t.cloud_event.type, t.orderId
            from hooks as t where t.cloud_event.specversion = '1.0' order by t.id`,
  });
});

test('labels of a GitHub issue can be queried', async () => {
  const { sluice } = service();

  const answer = await sluice.post(`/logs/github?source=${source.token}`, {
    action: 'labeled',
    issue: { url: 'u', html_url: 'h', labels: [{ name: 'bug', html_url: 'h' }, { name: 'ui' }] },
    repository: { full_name: 'o/r' },
    sender: { login: 'u' },
  });

  expect(answer).toMatchObject({ status: 200 });
  const rows = await sluice.rows('hooks.github');
  expect(rows.map(({ label }) => label).toSorted()).toEqual(['bug', 'ui']);
  expect(rows[0]).toMatchObject({ event_message: 'o/r | u | labeled', action: 'labeled' });
});

test('reports of browsers can be queried', async () => {
  const { sluice } = service();

  const answer = await sluice.post(
    `/logs/browser/reports?source=${source.token}`,
    [{ type: 'network-error', body: { status_code: 503 } }],
    { 'Content-Type': 'application/reports+json' },
  );

  expect(answer).toMatchObject({ status: 200 });
  expect(await sluice.rows('hooks.reports')).toEqual([{ status_code: 503 }]);
});

test('CloudEvents of both modes can be queried alike', async () => {
  const { sluice } = service();
  const path = `/logs/cloud-event?source=${source.token}`;
  const time = '2024-01-01T00:00:00Z';
  const attributes = { specversion: '1.0', type: 'order', source: '/orders', time };

  const answers = [
    await sluice.post(
      path,
      { orderId: 1 },
      { 'ce-id': 'a', 'ce-specversion': '1.0', 'ce-type': 'order', 'ce-time': time },
    ),
    await sluice.post(
      path,
      { ...attributes, id: 'b', data: { orderId: 2 } },
      { 'Content-Type': 'application/cloudevents+json' },
    ),
  ];

  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  const event = { timestamp: 1704067200000000, type: 'order' };
  expect(await sluice.rows('hooks.cloud')).toEqual([
    { ...event, id: 'a', orderId: 1 },
    { ...event, id: 'b', orderId: 2 },
  ]);
});
