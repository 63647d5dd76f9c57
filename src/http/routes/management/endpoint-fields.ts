import * as z from 'zod';
import { ENDPOINT_DEFAULTS } from '../../../catalog/endpoint-versions.ts';
import { isUuid } from '../../../platform/uuid.ts';
import {
  BLANK,
  blankOrInvalid,
  descriptionField,
  INVALID,
  nameField,
  TOO_LONG,
  textField,
  tokenField,
  withDefault,
} from './fields.ts';
import { parametersField } from './parameter-fields.ts';

/** Athena takes no longer statement; bytes of UTF-8. */
const MAX_QUERY_BYTES = 262_144;

const MAX_SECONDS = 365 * 86_400;

const seconds = z
  .int(INVALID)
  .gte(0, 'must be greater than or equal to %{number}')
  .lte(MAX_SECONDS, 'must be less than or equal to %{number}');

const flag = (field: 'sandboxable' | 'allow_wildcards' | 'enable_auth' | 'redact_pii') =>
  withDefault(z.boolean(INVALID), ENDPOINT_DEFAULTS[field]);

/**
 * What no URL carries as one part of its path: `.` and `..` are steps, and API Gateway hands paths over
 * decoded, so that a slash (or a backslash, which URLs take for one) divides, and `%41` is an `A`.
 */
const UNCARRIABLE = /^\.\.?$|[/\\]|%[0-9a-f]{2}/i;

/** Calls name an endpoint by token or name in one place, so a name must not look like a token. */
const name = nameField
  .refine((given) => !isUuid(given), INVALID)
  .refine(
    (given) => !UNCARRIABLE.test(given),
    'cannot be part of a URL: it is "." or "..", or has a slash, a backslash or an escape like %2F',
  );

const query = z.string({ error: blankOrInvalid }).superRefine((text, context) => {
  if (text.trim() === '') context.addIssue(BLANK);
  if (!text.isWellFormed()) context.addIssue(INVALID);
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) context.addIssue(TOO_LONG);
});

export const newEndpoint = z.object({
  token: tokenField.exactOptional(),
  name,
  query,
  description: descriptionField.exactOptional(),
  language: withDefault(z.literal('bq_sql', INVALID), 'bq_sql').exactOptional(),
  parameters: withDefault(parametersField, []).exactOptional(),
  sandboxable: flag('sandboxable').exactOptional(),
  allow_wildcards: flag('allow_wildcards').exactOptional(),
  allow_whole_rows: z.boolean(INVALID).nullable().exactOptional(),
  cache_duration_seconds: withDefault(
    seconds,
    ENDPOINT_DEFAULTS.cache_duration_seconds,
  ).exactOptional(),
  proactive_requerying_seconds: withDefault(
    seconds,
    ENDPOINT_DEFAULTS.proactive_requerying_seconds,
  ).exactOptional(),
  max_limit: withDefault(
    z
      .int(INVALID)
      .gt(0, 'must be greater than %{number}')
      .lt(10_001, 'must be less than %{number}'),
    ENDPOINT_DEFAULTS.max_limit,
  ).exactOptional(),
  enable_auth: flag('enable_auth').exactOptional(),
  redact_pii: flag('redact_pii').exactOptional(),
  nested_records: withDefault(
    z.enum(['object', 'array'], INVALID),
    ENDPOINT_DEFAULTS.nested_records,
  ).exactOptional(),
  labels: textField(1_000).exactOptional(),
});

export const endpointChange = newEndpoint.omit({ token: true }).extend({
  name: name.exactOptional(),
  query: query.exactOptional(),
});
