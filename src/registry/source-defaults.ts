import type { SourceSettings } from './types.ts';

/** A source that stores its events as they come. */
export const NO_SETTINGS: SourceSettings = {
  transform_copy_fields: null,
  transform_drop_fields: null,
  custom_event_message_keys: null,
  drop_lql_string: null,
  rules: [],
};
