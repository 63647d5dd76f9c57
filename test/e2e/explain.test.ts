import { expect, test } from 'vitest';
import { edgeRequest } from './support/events.ts';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

const SQL =
  "select request.path from edge_logs cross join unnest(metadata) m cross join unnest(m.request) request where timestamp > '2026-02-03T10:00:00Z'";

/** Where a source has a field of its own. */
const SLOT = expect.stringMatching(/^s\d{3}$/);

test('a private key sees what a call would run and read, on both engines', async () => {
  const { sluice } = service();
  await sluice.send('cloudflare.logs.prod', edgeRequest({ project: 'another' }));

  const answer = await sluice.query('logs.all', { project: 'shop', sql: SQL, explain: 'true' });

  expect(answer.body).toEqual({
    explain: {
      athena: expect.stringMatching(/^WITH edge_logs_\d+ AS \(SELECT/),
      duckdb: expect.stringMatching(/^WITH edge_logs_\d+ AS \(SELECT/),
      columns: [{ name: 'path', type: { kind: 'string' } }],
      scans: [
        {
          source: 'cloudflare.logs.prod',
          columns: ['project', SLOT, SLOT, SLOT, 'timestamp_us'],
          from_us: Date.UTC(2026, 1, 3, 10) * 1000 + 1,
          to_us: null,
          compacted: false,
        },
      ],
      warnings: expect.any(Array),
    },
  });
});

test('other keys get rows, not statements', async () => {
  const { sluice } = service();
  const consumer = sluice.as(await sluice.createKey('query'));

  const answer = await consumer.query('logs.all', { project: 'shop', sql: SQL, explain: 'true' });

  expect(answer.body).toEqual({ result: [] });
});

test('a text can be checked without saving it', async () => {
  const { sluice } = service();
  await sluice.createEndpoint({
    name: 'edge.of.project',
    query: 'select id from `cloudflare.logs.prod` as t where t.project = @project',
  });
  const parse = (sql: string) => sluice.call(`/api/query/parse?${new URLSearchParams({ sql })}`);

  const good = await parse('select count(*) as n from `edge.of.project` where id > @after');
  const bad = await parse("update something set x = 'y'");

  expect(good.body).toMatchObject({
    result: { parameters: ['after', 'project'], endpoints: ['edge.of.project'] },
  });
  expect(bad).toMatchObject({
    status: 400,
    body: { error: 'Only SELECT queries allowed: UPDATE is not a query', code: 'sql_not_select' },
  });
  expect(await sluice.as(undefined).call('/api/query/parse?sql=select+1')).toMatchObject({
    status: 401,
  });
  expect(await sluice.call('/api/query/parse')).toMatchObject({ status: 400 });
});
