/**
 * The landing table `log_events`: every consumer of its layout (sink rows, Glue table, local Parquet
 * files, SQL compiler) reads this file and nothing else.
 */

import { SLOT_COLUMNS } from './slots.ts';

/** Column types by their Athena (Hive) name. */
export type LakeType = 'string' | 'bigint' | 'double' | 'boolean' | 'timestamp';

export interface LakeColumn {
  readonly name: string;
  readonly type: LakeType;
  readonly comment: string;
}

/**
 * A hot path of an event, copied out of its JSON into a column of its own at ingest, so that queries
 * which name the path never read the JSON.
 */
export interface PromotedColumn extends LakeColumn {
  /** The path inside the event after key renaming; the first part is a top-level field. */
  readonly path: readonly string[];
  /**
   * `value` copies a scalar: text columns take any, whole-number columns also whole numbers sent as
   * text; what does not fit leaves the column null.
   * `object` is true where the path holds an object, and null everywhere else: it answers
   * "does UNNEST of this path give a row" without reading the JSON.
   */
  readonly holds: 'value' | 'object';
}

function value(
  name: string,
  path: string,
  type: 'string' | 'bigint' | 'double' | 'boolean' = 'string',
): PromotedColumn {
  return { name, type, path: path.split('.'), holds: 'value', comment: `copy of ${path}` };
}

function object(name: string, path: string): PromotedColumn {
  const comment = `true where ${path} is an object`;
  return { name, type: 'boolean', path: path.split('.'), holds: 'object', comment };
}

/**
 * What every deployment has promoted from its first event on. A field that a later release promotes is
 * absent from rows of earlier ones, and so has to come as those of a configuration do
 * (`promoted-fields.ts`). Order matters only for readability: columns are matched by name everywhere.
 */
export const PROMOTED_COLUMNS: readonly PromotedColumn[] = [
  object('has_metadata', 'metadata'),
  object('has_request', 'metadata.request'),
  object('has_request_headers', 'metadata.request.headers'),
  object('has_request_cf', 'metadata.request.cf'),
  object('has_response', 'metadata.response'),
  object('has_response_headers', 'metadata.response.headers'),
  object('has_parsed', 'metadata.parsed'),
  value('metadata_project', 'metadata.project'),
  value('metadata_project_ref', 'metadata.project_ref'),
  value('level', 'metadata.level'),
  value('status', 'metadata.status'),
  value('path', 'metadata.path'),
  value('msg', 'metadata.msg'),
  value('event_type', 'metadata.event_type'),
  value('function_id', 'metadata.function_id'),
  value('execution_id', 'metadata.execution_id'),
  value('deployment_id', 'metadata.deployment_id'),
  value('execution_time_ms', 'metadata.execution_time_ms', 'bigint'),
  value('request_method', 'metadata.request.method'),
  value('request_path', 'metadata.request.path'),
  value('request_pathname', 'metadata.request.pathname'),
  value('request_search', 'metadata.request.search'),
  value('request_host', 'metadata.request.host'),
  value('request_url', 'metadata.request.url'),
  value('request_country', 'metadata.request.cf.country'),
  value('request_user_agent', 'metadata.request.headers.user_agent'),
  value('response_status_code', 'metadata.response.status_code', 'bigint'),
  value('response_origin_time', 'metadata.response.origin_time', 'bigint'),
  value('response_cache_status', 'metadata.response.headers.cf_cache_status'),
  value('error_severity', 'metadata.parsed.error_severity'),
  value('sql_state_code', 'metadata.parsed.sql_state_code'),
  value('user_name', 'metadata.parsed.user_name'),
];

const column = (name: string, type: LakeType, comment: string): LakeColumn => ({
  name,
  type,
  comment,
});

/**
 * All data columns of `log_events`, partition columns excluded.
 *
 * @param added those of the fields that the deployment itself promotes.
 */
export function landingColumns(added: readonly PromotedColumn[]): readonly LakeColumn[] {
  return [
    column('source_id', 'string', 'UUID of the source'),
    column('id', 'string', "the event's id"),
    column('timestamp', 'timestamp', 'event time, UTC, milliseconds, for people and pruning'),
    column('timestamp_us', 'bigint', 'event time, microseconds since the epoch, exact'),
    column('event_message', 'string', 'the message'),
    column('project', 'string', 'project, else metadata.project, else metadata.project_ref'),
    column('metadata', 'string', 'JSON text, key case and nesting kept'),
    column('body', 'string', 'JSON text of all other top-level fields'),
    ...PROMOTED_COLUMNS,
    ...added,
    ...SLOT_COLUMNS,
    column('ingested_at', 'timestamp', 'arrival at the service, UTC, milliseconds'),
  ];
}

/** Those of a deployment that adds none. */
export const LANDING_COLUMNS = landingColumns([]);

/** Partition columns: the UTC hour in which a file's oldest row arrived. */
export const PARTITION_COLUMNS: readonly {
  readonly name: string;
  readonly type: 'date' | 'int';
}[] = [
  { name: 'dt', type: 'date' },
  { name: 'hour', type: 'int' },
];

/** Name of the landing table, in Glue and locally. */
export const LANDING_TABLE = 'log_events';

/** Events further ahead of the clock than this are refused (Logflare 1.50). Microseconds. */
export const MAX_FUTURE_US = 3_600_000_000;

/** Name of the table of compacted hours, in Glue and locally. */
export const COMPACTED_TABLE = 'log_events_compacted';

/** All columns of `log_events_compacted`: those of the landing table, and where a row came from. */
export function compactedColumns(added: readonly PromotedColumn[]): readonly LakeColumn[] {
  return [
    ...landingColumns(added),
    column(
      'landed_hour',
      'timestamp',
      'hour of the landing table that the row was copied from, UTC',
    ),
    column(
      'content_hash',
      'bigint',
      'hash of source, id, message, metadata and body: with the time, what tells copies',
    ),
  ];
}

/** Those of a deployment that adds none. */
export const COMPACTED_COLUMNS = compactedColumns([]);
