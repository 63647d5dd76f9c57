import * as z from 'zod';
import { copyFaults } from '../../ingest/settings/copy.ts';
import { messageKeyFaults } from '../../ingest/settings/custom-message.ts';
import { dropFaults } from '../../ingest/settings/drop.ts';
import { descriptionField, nameField, textField, tokenField } from './fields.ts';
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
});

export const sourceChange = newSource
  .omit({ token: true })
  .extend({ name: nameField.exactOptional() });
