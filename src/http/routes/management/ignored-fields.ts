/**
 * Fields that a body may hold and that change nothing: what answers show and no client sets, so that an
 * answer may be sent back, and fields of Logflare's that mean nothing here, so that its clients need not
 * be told apart.
 */

const SHOWN = ['id', 'token', 'inserted_at', 'updated_at'];

export const IGNORED_OF_SOURCES = [
  ...SHOWN,
  'backends',
  'bigquery_clustering_fields',
  'bigquery_table_ttl',
  'bq_storage_write_api',
  'bq_table_id',
  'default_ingest_backend_enabled?',
  'default_search_lql',
  'disable_tailing',
  'favorite',
  'has_rejected_events',
  'labels',
  'lock_schema',
  'metrics',
  'notifications',
  'notifications_every',
  'public_token',
  'service_name',
  'slack_hook_url',
  'suggested_keys',
  'system_source',
  'transform_key_values',
  'validate_schema',
  'webhook_notification_url',
];

/** A `backend_id` that is not null is refused before. */
export const IGNORED_OF_ENDPOINTS = [
  ...SHOWN,
  'backend_id',
  'enable_dynamic_reservation',
  'parsed',
  'source_mapping',
  'version',
  'warnings',
];

export const IGNORED_OF_RULES = ['id', 'token', 'backend_id'];

export const IGNORED_OF_ACCESS_TOKENS = SHOWN;
