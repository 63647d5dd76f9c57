/** Queries as dashboards and reports send them to `logs.all`, over its tables. */

export interface CompileQuery {
  readonly name: string;
  readonly sql: string;
}

const EDGE = `edge_logs as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response`;

const POSTGRES = `postgres_logs as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.parsed) as parsed`;

export const COMPILE_QUERIES: readonly CompileQuery[] = [
  { name: 'newest rows', sql: 'select id, timestamp, event_message, metadata from edge_logs' },
  { name: 'one row by id', sql: "select * from edge_logs where id = '0d2c' limit 1" },
  {
    name: 'chart by minute',
    sql: `
      select timestamp_trunc(t.timestamp, minute) as timestamp, count(t.id) as count
      from ${EDGE}
      group by timestamp order by timestamp asc`,
  },
  {
    name: 'chart by status class',
    sql: `
      select timestamp_trunc(t.timestamp, hour) as timestamp,
        count(case when response.status_code < 300 then 1 end) as ok_count,
        count(case when response.status_code between 400 and 499 then 1 end) as warning_count,
        count(case when response.status_code >= 500 then 1 end) as error_count
      from ${EDGE}
      group by timestamp order by timestamp desc`,
  },
  {
    name: 'filters on paths',
    sql: `
      select t.id, t.timestamp, t.event_message, request.method, request.path,
        response.status_code
      from ${EDGE}
      where (response.status_code between 400 and 599)
        and request.method in ('GET', 'POST')
        and request.host = 'abc.example.net'
      order by t.timestamp desc limit 100`,
  },
  {
    name: 'regular expressions',
    sql: `
      select t.id, t.timestamp, regexp_extract(request.path, '^/([a-z]+)/v1') as product
      from ${EDGE}
      where regexp_contains(t.event_message, r'(?i)time\\s?out|refused')
        and not regexp_contains(request.path, '^/(auth|storage)/')
      order by t.timestamp desc limit 100`,
  },
  {
    name: 'top routes',
    sql: `
      select request.path as path, request.method as method, request.search as search,
        response.status_code as status_code, count(t.id) as count,
        avg(response.origin_time) as avg_ms
      from ${EDGE}
      where starts_with(request.path, '/rest/v1')
      group by path, method, search, status_code
      having count(t.id) > 1
      order by count desc limit 10`,
  },
  {
    name: 'cache hit rate',
    sql: `
      select timestamp_trunc(t.timestamp, hour) as timestamp,
        countif(h.cf_cache_status in ('HIT', 'STALE', 'UPDATING')) as hits,
        countif(h.cf_cache_status in ('MISS', 'EXPIRED', 'BYPASS', 'DYNAMIC')) as misses,
        safe_divide(countif(h.cf_cache_status = 'HIT'), count(*)) as rate
      from ${EDGE}
        cross join unnest(response.headers) as h
      where request.path like '%storage/v1/object%'
      group by timestamp order by timestamp desc`,
  },
  {
    name: 'origin time quantiles',
    sql: `
      select timestamp_trunc(t.timestamp, hour) as timestamp,
        max(response.origin_time) as slowest, min(response.origin_time) as fastest,
        approx_quantiles(response.origin_time, 100)[offset(95)] as p95
      from ${EDGE}
      group by timestamp order by timestamp asc`,
  },
  {
    name: 'PostgreSQL errors',
    sql: `
      select t.id, t.timestamp, t.event_message, parsed.error_severity, parsed.user_name,
        parsed.sql_state_code
      from ${POSTGRES}
      where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
        and not parsed.user_name = 'supervisor'
      order by t.timestamp desc limit 100`,
  },
  {
    name: 'PostgreSQL by severity',
    sql: `
      select timestamp_trunc(t.timestamp, minute) as timestamp,
        parsed.error_severity as severity, count(*) as count
      from ${POSTGRES}
      where lower(t.event_message) like '%connection%' or parsed.sql_state_code = '57014'
      group by timestamp, severity order by timestamp asc, severity asc`,
  },
  {
    name: 'function statistics',
    sql: `
      select timestamp_trunc(t.timestamp, minute) as timestamp,
        count(t.id) as count, avg(m.execution_time_ms) as avg_ms,
        max(m.execution_time_ms) as max_ms,
        countif(response.status_code >= 500) as failures
      from function_edge_logs as t
        cross join unnest(t.metadata) as m
        cross join unnest(m.response) as response
      where m.function_id = 'f3c1'
      group by timestamp order by timestamp asc`,
  },
  {
    name: 'authentication',
    sql: `
      select t.id, t.timestamp, t.event_message, m.level, m.status, m.path, m.msg,
        json_value(t.event_message, '$.error') as error
      from auth_logs as t cross join unnest(t.metadata) as m
      where m.level in ('error', 'fatal') or cast(m.status as string) like '5%'
      order by t.timestamp desc limit 100`,
  },
  {
    name: 'union of products',
    sql: `
      select e.id, e.timestamp, 'edge' as log_type, cast(response.status_code as string) as status,
        e.event_message
      from edge_logs as e
        cross join unnest(e.metadata) as m
        cross join unnest(m.response) as response
      union all
      select p.id, p.timestamp, 'postgres', parsed.error_severity, p.event_message
      from postgres_logs as p
        cross join unnest(p.metadata) as m
        cross join unnest(m.parsed) as parsed
      union all
      select a.id, a.timestamp, 'auth', cast(m.status as string), a.event_message
      from auth_logs as a cross join unnest(a.metadata) as m
      union all
      select f.id, f.timestamp, 'function', m.level, f.event_message
      from function_logs as f cross join unnest(f.metadata) as m
      order by timestamp desc limit 100`,
  },
  {
    name: 'chain of CTEs',
    sql: `
      with requests as (
        select t.id, t.timestamp, request.path, response.status_code, response.origin_time
        from ${EDGE}
        where t.timestamp > timestamp '2026-02-03 09:30:00'
      ),
      by_path as (
        select timestamp_trunc(timestamp, minute) as minute, path, count(*) as count,
          countif(status_code >= 500) as failures, avg(origin_time) as avg_ms
        from requests
        group by minute, path
      ),
      ranked as (
        select *, row_number() over (partition by minute order by count desc) as place
        from by_path
      )
      select minute as timestamp, path, count, failures,
        round(safe_divide(failures, count) * 100, 2) as percent, avg_ms
      from ranked
      where place <= 5
      order by timestamp desc, place asc limit 1000`,
  },
];
