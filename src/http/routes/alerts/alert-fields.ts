import * as z from 'zod';
import { isTimezone, MAX_CRON_LENGTH } from '../../../alerts/check/schedule.ts';
import { NO_DATA_MEANINGS, OPERATORS } from '../../../alerts/model/alert.ts';
import { type Reach, urlFault } from '../../../alerts/notify/target-url.ts';
import { ALERT_DEFAULTS } from '../../../alerts/saved-alerts.ts';
import {
  BLANK,
  blankOrInvalid,
  descriptionField,
  INVALID,
  nameField,
  TOO_LONG,
  TOO_MANY,
  textField,
  withDefault,
} from '../management/fields.ts';

/** As of endpoints; an item of DynamoDB holds it with all else. */
const MAX_QUERY_BYTES = 65_536;
const MAX_PARAMETERS = 100;
const MAX_PARAMETER_LENGTH = 1_000;
const MAX_TARGETS = 10;
const DAY_MINUTES = 1_440;

const whole = (least: number, most: number) =>
  z
    .int(INVALID)
    .gte(least, 'must be greater than or equal to %{number}')
    .lte(most, 'must be less than or equal to %{number}');

const query = z.string({ error: blankOrInvalid }).superRefine((text, context) => {
  if (text.trim() === '') context.addIssue(BLANK);
  if (!text.isWellFormed()) context.addIssue(INVALID);
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) context.addIssue(TOO_LONG);
});

const parameters = z
  .record(
    z.string().max(128, TOO_LONG),
    z.union([z.string().max(MAX_PARAMETER_LENGTH), z.number(), z.boolean()], INVALID),
    INVALID,
  )
  .refine((given) => Object.keys(given).length <= MAX_PARAMETERS, TOO_MANY);

const reference = z.string(INVALID).max(255, TOO_LONG).nullable();

const threshold = { operator: z.enum(OPERATORS, INVALID), threshold: z.number(INVALID) };

const condition = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('any_rows') }),
    z.strictObject({ type: z.literal('row_count'), ...threshold }),
    z.strictObject({
      type: z.literal('column'),
      column: z.string(INVALID).min(1, BLANK).max(300, TOO_LONG),
      rows: z.enum(['first', 'any'], INVALID).default('first'),
      ...threshold,
    }),
  ],
  INVALID,
);

/** A secret may be in an answer that is sent back; it is the service's to give. */
const targetOf = (url: z.ZodType<string>) =>
  z.discriminatedUnion(
    'type',
    [
      z.object({ id: z.uuid(INVALID).exactOptional(), type: z.literal('webhook'), url }),
      z.object({ id: z.uuid(INVALID).exactOptional(), type: z.literal('slack'), url }),
      z.object({ id: z.uuid(INVALID).exactOptional(), type: z.literal('sns') }),
    ],
    INVALID,
  );

/** Fields of an alert in a body. */
export function alertFields(reach: Reach) {
  const url = z.string({ error: blankOrInvalid }).superRefine((text, context) => {
    const message = urlFault(text, reach);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
  const created = z.object({
    name: nameField,
    description: descriptionField.exactOptional(),
    labels: textField(1_000).exactOptional(),
    enabled: withDefault(z.boolean(INVALID), ALERT_DEFAULTS.enabled).exactOptional(),
    query: query.nullable().exactOptional(),
    language: withDefault(z.enum(['bq_sql', 'lql'], INVALID), 'bq_sql').exactOptional(),
    parameters: withDefault(parameters, {}).exactOptional(),
    source: reference.exactOptional(),
    window_minutes: withDefault(
      whole(1, 7 * DAY_MINUTES),
      ALERT_DEFAULTS.window_minutes,
    ).exactOptional(),
    endpoint: reference.exactOptional(),
    cron: z.string(INVALID).max(MAX_CRON_LENGTH, TOO_LONG).nullable().exactOptional(),
    timezone: withDefault(
      z
        .string(INVALID)
        .max(100, TOO_LONG)
        .refine(isTimezone, 'is no time zone such as Europe/Paris'),
      ALERT_DEFAULTS.timezone,
    ).exactOptional(),
    every_minutes: whole(1, 7 * DAY_MINUTES)
      .nullable()
      .exactOptional(),
    condition: withDefault(condition, ALERT_DEFAULTS.condition).exactOptional(),
    for_checks: withDefault(whole(1, 100), ALERT_DEFAULTS.for_checks).exactOptional(),
    no_data: withDefault(z.enum(NO_DATA_MEANINGS, INVALID), ALERT_DEFAULTS.no_data).exactOptional(),
    repeat_minutes: whole(1, 30 * DAY_MINUTES)
      .nullable()
      .exactOptional(),
    targets: withDefault(
      z.array(targetOf(url), INVALID).max(MAX_TARGETS, TOO_MANY),
      [],
    ).exactOptional(),
    // Logflare's, which knows one of each.
    webhook_notification_url: url.nullable().exactOptional(),
    slack_hook_url: url.nullable().exactOptional(),
  });
  return { created, changed: created.extend({ name: nameField.exactOptional() }) };
}

export type AlertBody = z.output<ReturnType<typeof alertFields>['changed']>;

/** Fields that a body may hold and that change nothing: what answers show, and Logflare's backends. */
export const IGNORED_OF_ALERTS = [
  'id',
  'token',
  'inserted_at',
  'updated_at',
  'version',
  'source_mapping',
  'muted_until',
  'state',
  'warnings',
  'backends',
  'backend_ids',
];

/** How long a mute may last; `until` or `minutes`, and null ends it. */
export const muteFields = z.object({
  until: z.iso.datetime({ offset: true, error: INVALID }).nullable().exactOptional(),
  minutes: whole(1, 365 * DAY_MINUTES).exactOptional(),
});
