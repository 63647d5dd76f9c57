-- Who runs what, and what it costs: calls of saved queries by endpoint and access key, the last 60
-- minutes by minute, the last 24 hours by hour, or the last 30 days by day.
with queries as (
  select
    case @interval
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      when 'daily' then timestamp_trunc(t.timestamp, day)
    end as timestamp,
    m.endpoint,
    m.endpoint_token,
    m.key_id,
    m.language,
    m.origin,
    safe_cast(m.status_code as int64) as status_code,
    m.error_code,
    m.cache,
    safe_cast(m.age_seconds as int64) as age_seconds,
    safe_cast(m.rows as int64) as row_count,
    safe_cast(m.bytes_scanned as int64) as bytes_scanned,
    safe_cast(m.cost_usd as float64) as cost_usd,
    safe_cast(m.compile_ms as int64) as compile_ms,
    safe_cast(m.queue_ms as int64) as queue_ms,
    safe_cast(m.engine_ms as int64) as engine_ms,
    safe_cast(m.decode_ms as int64) as decode_ms
  from `sluice.queries` as t
    cross join unnest(t.metadata) as m
  where t.timestamp >= case @interval
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
      when 'hourly' then timestamp_sub(current_timestamp(), interval 24 hour)
      when 'daily' then timestamp_sub(current_timestamp(), interval 30 day)
    end
)
select
  datetime(queries.timestamp, 'UTC') as timestamp,
  queries.endpoint,
  queries.key_id,
  countif(queries.origin in ('call', 'query')) as calls,
  countif(queries.origin = 'warmer') as warmer_runs,
  countif(queries.origin = 'alert') as alert_runs,
  countif(queries.status_code between 400 and 499) as refused,
  countif(queries.status_code >= 500) as errors,
  countif(queries.origin = 'call' and queries.cache = 'hit') as cache_hits,
  countif(queries.origin = 'call' and queries.cache = 'stale') as cache_stale,
  countif(queries.origin = 'call' and queries.cache = 'miss') as cache_misses,
  -- Of the answers that the cache could have given; null where an endpoint does not cache.
  round(
    safe_divide(
      countif(queries.origin = 'call' and queries.cache = 'hit'),
      countif(queries.origin = 'call' and queries.cache in ('hit', 'stale', 'miss'))
    ),
    4
  ) as cache_hit_ratio,
  coalesce(sum(queries.bytes_scanned), 0) as bytes_scanned,
  round(coalesce(sum(queries.cost_usd), 0), 6) as cost_usd,
  approx_quantiles(queries.engine_ms, 100)[offset(50)] as p50_engine_ms,
  approx_quantiles(queries.engine_ms, 100)[offset(95)] as p95_engine_ms
from queries
group by timestamp, endpoint, key_id
order by timestamp asc, cost_usd desc, endpoint asc, key_id asc
