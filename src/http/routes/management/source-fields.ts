import * as z from 'zod';
import { SOURCE_DEFAULTS } from '../../../catalog/source-defaults.ts';
import { MAX_RATE } from '../../../ingest/limits/token-bucket.ts';
import { copyFaults } from '../../../ingest/transforms/copy-fields.ts';
import { messageKeyFaults } from '../../../ingest/transforms/custom-message.ts';
import { dropFaults } from '../../../ingest/transforms/drop-fields.ts';
import {
  descriptionField,
  INVALID,
  nameField,
  textField,
  tokenField,
  withDefault,
} from './fields.ts';
import { lqlFault, MAX_FILTER_LENGTH } from './lql-field.ts';

/** All settings of a source and a hundred rules fit into what DynamoDB takes for one item. */
const MAX_SETTING_LENGTH = 10_000;

/** A setting of a source: nothing but blanks is none. */
function settingField(
  faultsOf: (text: string) => readonly string[],
  maxLength = MAX_SETTING_LENGTH,
) {
  return textField(maxLength).superRefine((text, context) => {
    for (const message of text === null ? [] : faultsOf(text)) {
      context.addIssue({ code: 'custom', message });
    }
  });
}

/** Events per second; null stands for the deployment's default. */
export const rateField = z
  .int(INVALID)
  .gte(0, 'must be greater than or equal to %{number}')
  .lte(MAX_RATE, 'must be less than or equal to %{number}')
  .nullable();

/** Events are deleted by the day, and a century is for ever. */
const retentionField = z
  .int(INVALID)
  .gte(1, 'must be greater than or equal to %{number}')
  .lte(36_500, 'must be less than or equal to %{number}')
  .nullable();

export const newSource = z.object({
  token: tokenField.exactOptional(),
  name: nameField,
  description: descriptionField.exactOptional(),
  transform_copy_fields: settingField(copyFaults).exactOptional(),
  transform_drop_fields: settingField(dropFaults).exactOptional(),
  custom_event_message_keys: settingField(messageKeyFaults).exactOptional(),
  drop_lql_string: settingField((text) => {
    const fault = lqlFault(text);
    return fault === undefined ? [] : [fault];
  }, MAX_FILTER_LENGTH).exactOptional(),
  api_quota: rateField.exactOptional(),
  retention_days: retentionField.exactOptional(),
  keep_rejected_events: withDefault(
    z.boolean(INVALID),
    SOURCE_DEFAULTS.keep_rejected_events,
  ).exactOptional(),
});

export const sourceChange = newSource
  .omit({ token: true })
  .extend({ name: nameField.exactOptional() });
