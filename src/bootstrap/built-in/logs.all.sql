-- Everything that one project logged, one table for each product. Consumers read these tables and
-- nothing else. The bounds are optional: an absent or empty one bounds nothing.
with edge_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `cloudflare.logs.prod` as t
  where t.project = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
postgres_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `postgres.logs` as t
  where t.project = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
function_edge_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `deno-relay-logs` as t
    cross join unnest(t.metadata) as m
  where cast(m.project_ref as string) = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
function_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `deno-subhosting-events` as t
    cross join unnest(t.metadata) as m
  where cast(m.project_ref as string) = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
auth_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `gotrue.logs.prod` as t
  where t.project = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
realtime_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `realtime.logs.prod` as t
    cross join unnest(t.metadata) as m
  where cast(m.project as string) = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
storage_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `storage.logs.prod.2` as t
    cross join unnest(t.metadata) as m
  where cast(m.project as string) = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
postgrest_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `postgREST.logs.prod` as t
  where t.project = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
pgbouncer_logs as (
  select t.timestamp, t.id, t.event_message, t.metadata, t.project, t.identifier
  from `pgbouncer.logs.prod` as t
  where t.project = @project
    and case
      when coalesce(@iso_timestamp_start, '') = '' then true
      else t.timestamp > cast(@iso_timestamp_start as timestamp)
    end
    and case
      when coalesce(@iso_timestamp_end, '') = '' then true
      else t.timestamp <= cast(@iso_timestamp_end as timestamp)
    end
),
database_logs as (
  select timestamp, id, event_message, metadata, project, identifier from postgres_logs
),
rest_api_logs as (
  select timestamp, id, event_message, metadata, project, identifier from postgrest_logs
),
pooler_logs as (
  select timestamp, id, event_message, metadata, project, identifier from pgbouncer_logs
)
select id, timestamp, event_message, metadata
from edge_logs
order by timestamp desc
limit 100
