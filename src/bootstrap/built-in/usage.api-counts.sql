-- Requests by product: the last 60 minutes by minute, the last hour by hour, or the last 7 days by day.
-- @project is a regular expression that is found anywhere in a request's URL; a request without a URL is
-- not counted. One counts in every product whose pattern its path contains.
with requests as (
  select
    case @interval
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      when 'daily' then timestamp_trunc(t.timestamp, day)
    end as timestamp,
    cast(request.path as string) as path
  from `cloudflare.logs.prod` as t
    left join unnest(t.metadata) as m
    left join unnest(m.request) as request
  where regexp_contains(cast(request.url as string), @project)
    and t.timestamp >= case @interval
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
      when 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour)
      when 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
    end
)
select
  datetime(requests.timestamp, 'UTC') as timestamp,
  countif(regexp_contains(requests.path, '/rest')) as total_rest_requests,
  countif(regexp_contains(requests.path, '/storage')) as total_storage_requests,
  countif(regexp_contains(requests.path, '/auth')) as total_auth_requests,
  countif(regexp_contains(requests.path, '/realtime')) as total_realtime_requests,
from requests
group by timestamp
order by timestamp asc
