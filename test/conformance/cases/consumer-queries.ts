/** Queries as dashboards and analysts send them to `logs.all`, over `shipped-events.ts`. */
export interface ConsumerQuery {
  readonly what: string;
  readonly sql: string;
}

const UNNESTED = `cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response`;

export const CONSUMER_QUERIES: readonly ConsumerQuery[] = [
  {
    what: 'the newest requests with their fields',
    sql: `select id, timestamp, event_message, request.method, request.path, request.search, response.status_code
      from edge_logs ${UNNESTED} order by timestamp desc, id limit 20`,
  },
  {
    what: 'whole rows of an event by its id',
    sql: "select id, timestamp, event_message, metadata from edge_logs where id = 'edge-07' limit 1",
  },
  {
    what: 'nested values as subscripts',
    sql: 'select id, metadata[0].request[0].headers[0].user_agent as agent, metadata[0].request[0].cf[0].country as country from edge_logs order by id',
  },
  {
    what: 'fields that are no column, with the case of their keys',
    sql: `select request.cf.asOrganization as organisation, request.protocol, response.headers.content_length as length
      from edge_logs ${UNNESTED} order by cast(length as int64) limit 5`,
  },
  {
    what: 'a chart of counts by minute and outcome',
    sql: `select timestamp_trunc(t.timestamp, minute) as timestamp, count(*) as count,
        countif(response.status_code >= 400 and response.status_code < 500) as warnings,
        countif(response.status_code >= 500) as errors
      from edge_logs t ${UNNESTED} group by timestamp order by timestamp asc`,
  },
  {
    what: 'a chart of counts by hour',
    sql: 'select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, count(t.id) as count from edge_logs t group by timestamp order by timestamp desc',
  },
  {
    what: 'a chart of counts by day, with the day as text',
    sql: "select format_timestamp('%Y-%m-%d', t.timestamp) as day, count(*) as n from edge_logs t group by day order by day",
  },
  {
    what: 'the slowest paths',
    sql: `select request.method as method, request.path as path, request.search as search, response.status_code as status_code,
        count(response.origin_time) as count, avg(response.origin_time) as avg, max(response.origin_time) as max
      from edge_logs ${UNNESTED}
      group by request.method, request.path, request.search, response.status_code
      having avg(response.origin_time) > 50
      order by avg desc, path, method, search, status_code limit 10`,
  },
  {
    what: 'the share of cache hits',
    sql: `select count(*) as total, countif(h.cf_cache_status in ('HIT', 'STALE', 'REVALIDATED')) as hits,
        safe_divide(countif(h.cf_cache_status = 'HIT'), count(*)) as ratio
      from edge_logs f cross join unnest(f.metadata) as m cross join unnest(m.request) as r
        cross join unnest(m.response) as res cross join unnest(res.headers) as h
      where starts_with(r.path, '/rest/v1') and r.method = 'GET'`,
  },
  {
    what: 'countries and their percentiles of time',
    sql: `select request.cf.country as country, count(*) as n, min(response.origin_time) as low,
        approx_quantiles(response.origin_time, 100)[offset(100)] as high
      from edge_logs ${UNNESTED} group by country order by n desc, country`,
  },
  {
    what: 'errors by their SQL state',
    sql: `select parsed.error_severity, parsed.sql_state_code, parsed.user_name, count(*) as n
      from postgres_logs left join unnest(metadata) as m left join unnest(m.parsed) as parsed
      group by 1, 2, 3 order by 1, 2, 3`,
  },
  {
    what: 'text search with quotes, percent signs and backslashes',
    sql: String.raw`select id, parsed.detail from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
      where parsed.detail like '%50\\% \\\\ done' or regexp_contains(event_message, r'(?i)statement 1\d')
      order by id`,
  },
  {
    what: 'runs of a function with their output',
    sql: `select r.execution_id, r.took, count(o.id) as lines, string_agg(o.level, ',' order by o.id) as levels
      from (select m.execution_id, m.execution_time_ms as took from function_edge_logs cross join unnest(metadata) as m) r
      left join (select id, m.execution_id, m.level from function_logs cross join unnest(metadata) as m where m.event_type = 'Log') o
        using (execution_id)
      group by 1, 2 order by 1`,
  },
  {
    what: 'the longest run of each function',
    sql: `select m.function_id, id, m.execution_time_ms from function_edge_logs cross join unnest(metadata) as m where true
      qualify row_number() over (partition by m.function_id order by m.execution_time_ms desc) = 1 order by 1`,
  },
  {
    what: 'failed logins',
    sql: `select timestamp, m.msg, m.error, m.status, json_value(event_message, '$.msg') as message
      from auth_logs cross join unnest(metadata) as m where m.level = 'warning' or m.status = '400' order by timestamp`,
  },
  {
    what: 'a list inside an event',
    sql: 'select id, c.host, c.pid from storage_logs cross join unnest(metadata) as m left join unnest(m.context) as c order by id, c.host',
  },
  {
    what: 'all tables at once',
    sql: `select 'edge' as product, count(*) as n, max(timestamp) as last from edge_logs
      union all select 'postgres', count(*), max(timestamp) from postgres_logs
      union all select 'functions', count(*), max(timestamp) from function_edge_logs
      union all select 'output', count(*), max(timestamp) from function_logs
      union all select 'auth', count(*), max(timestamp) from auth_logs
      union all select 'realtime', count(*), max(timestamp) from realtime_logs
      union all select 'storage', count(*), max(timestamp) from storage_logs
      union all select 'rest', count(*), max(timestamp) from rest_api_logs
      union all select 'pooler', count(*), max(timestamp) from pooler_logs
      union all select 'database', count(*), max(timestamp) from database_logs order by product`,
  },
  {
    what: 'messages of several tables, newest first',
    sql: `with everything as (
        select id, timestamp, event_message, 'auth' as origin, null as code from auth_logs
        union all
        select id, timestamp, event_message, 'edge', cast(m.response.status_code as string) from edge_logs cross join unnest(metadata) m
      )
      select * from everything where lower(event_message) like '%token%' or code = '500' order by timestamp desc, id limit 15`,
  },
  {
    what: 'a running total and the change from the minute before',
    sql: `with minutes as (select timestamp_trunc(timestamp, minute) as minute, count(*) as n from edge_logs group by 1)
      select minute, n, sum(n) over (order by minute) as total, n - lag(n, 1, 0) over (order by minute) as change,
        timestamp_diff(minute, lag(minute) over (order by minute), second) as gap
      from minutes order by minute`,
  },
  {
    what: 'projects and identifiers are columns of their own',
    sql: 'select project, identifier, count(*) as n from edge_logs group by project, identifier order by n desc, identifier',
  },
];
