import { beforeAll, expect, test } from 'vitest';
import * as events from './support/events.ts';
import { shared, startService } from './support/server.ts';

const service = shared(startService);

const project = 'shop';

beforeAll(async () => {
  const { sluice } = service();
  await sluice.send('cloudflare.logs.prod', events.edgeRequest({ project, status: 404 }));
  await sluice.send('postgres.logs', events.postgresLog({ project }));
  await sluice.send('deno-relay-logs', events.functionRequest({ project }));
  await sluice.send('deno-subhosting-events', events.functionOutput({ project }));
  await sluice.send('gotrue.logs.prod', events.authLog({ project }));
  await sluice.send('realtime.logs.prod', events.realtimeLog({ project }));
  await sluice.send('storage.logs.prod.2', events.storageLog({ project }));
  await sluice.send('postgREST.logs.prod', events.postgrestLog({ project }));
  await sluice.send('pgbouncer.logs.prod', events.pgbouncerLog({ project }));
});

test.each([
  {
    table: 'edge_logs',
    sql: `select request.method, cf.country, headers.user_agent, response.status_code
          from edge_logs
            cross join unnest(metadata) as m
            cross join unnest(m.request) as request
            cross join unnest(request.cf) as cf
            cross join unnest(request.headers) as headers
            cross join unnest(m.response) as response
          where response.status_code between 400 and 499 and cf.asn = 64500`,
    row: { method: 'GET', country: 'FR', user_agent: 'orders-app/4.2', status_code: 404 },
  },
  {
    table: 'postgres_logs',
    sql: `select parsed.error_severity as severity, parsed.process_id, m.host
          from postgres_logs as t
            cross join unnest(t.metadata) as m
            cross join unnest(m.parsed) as parsed
          where parsed.sql_state_code = '23505' and parsed.user_name in ('authenticator', 'anon')`,
    row: { severity: 'ERROR', process_id: 4711, host: `db-${project}` },
  },
  {
    table: 'function_edge_logs',
    sql: `select avg(m.execution_time_ms) as took, max(response.status_code) as status
          from function_edge_logs
            cross join unnest(metadata) as m
            cross join unnest(m.response) as response
          group by m.function_id`,
    row: { took: 21, status: 204 },
  },
  {
    table: 'function_logs',
    sql: `select level, event_type, trim(event_message) as text
          from function_logs cross join unnest(metadata) as m
          where m.execution_id is not null and region like 'eu-%'`,
    row: { level: 'info', event_type: 'Log', text: 'mail queued' },
  },
  {
    table: 'auth_logs',
    sql: `select json_value(event_message, '$.component') as component, traits.provider,
            cast(m.status as int64) as status
          from auth_logs
            cross join unnest(metadata) as m
            cross join unnest(m.auth_event) as auth_event
            left join unnest(auth_event.traits) as traits`,
    row: { component: 'api', provider: 'email', status: 200 },
  },
  {
    table: 'realtime_logs',
    sql: `select m.context.mfa[offset(1)] as function, domain, context.vm.node
          from realtime_logs
            cross join unnest(metadata) as m
            cross join unnest(m.context) as context
            cross join unnest(context.domain) as domain`,
    row: { function: 'handle_info', domain: 'elixir', node: 'realtime@fdaa::2' },
  },
  {
    table: 'storage_logs',
    sql: `select metadata[0].reqId as request, metadata[0].context[offset(0)].pid as pid
          from storage_logs`,
    row: { request: '8ac1d2-CDG', pid: 1 },
  },
  {
    table: 'postgrest_logs',
    sql: `select upper(metadata.host) as host, regexp_extract(event_message, r'(\\w+)$') as last
          from postgrest_logs`,
    row: { host: 'SHOP', last: 'loaded' },
  },
  {
    table: 'pgbouncer_logs',
    sql: `select split_at, m.host, m.nowhere
          from (select event_message like 'C-0x%' as split_at, metadata from pgbouncer_logs)
            cross join unnest(metadata) as m`,
    row: { split_at: true, host: `db-${project}`, nowhere: null },
  },
])('a query reads the nested fields of $table', async ({ sql, row }) => {
  const rows = await service().sluice.rows('logs.all', { project, sql });

  expect(rows).toEqual([row]);
});

test('tables are joined', async () => {
  const rows = await service().sluice.rows('logs.all', {
    project,
    sql: `with failed as (select project, count(*) as errors from postgres_logs group by project)
          select e.project, errors, count(*) as requests
          from edge_logs as e left join failed on failed.project = e.project
          group by e.project, errors`,
  });

  expect(rows).toEqual([{ project, errors: 1, requests: 1 }]);
});
