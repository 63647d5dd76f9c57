import type { Source, SourceSettings } from './types.ts';

/** A source that stores its events as they come. */
export const NO_SETTINGS: SourceSettings = {
  transform_copy_fields: null,
  transform_drop_fields: null,
  custom_event_message_keys: null,
  drop_lql_string: null,
  rules: [],
};

/** What a source is when its owner says nothing. */
export const SOURCE_DEFAULTS = {
  description: null,
  api_quota: null,
  retention_days: null,
  keep_rejected_events: false,
  ...NO_SETTINGS,
} as const satisfies Partial<Source>;
