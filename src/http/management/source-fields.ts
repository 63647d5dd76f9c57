import * as z from 'zod';
import { MAX_RATE } from '../../limits/quota.ts';
import type { Source } from '../../registry/types.ts';
import { descriptionField, INVALID, nameField, tokenField, withDefault } from './fields.ts';

/** What a source is when its owner says nothing. */
export const SOURCE_DEFAULTS = {
  description: null,
  api_quota: null,
  keep_rejected_events: false,
} as const satisfies Partial<Source>;

/** Events per second; null stands for the deployment's default. */
export const rateField = z
  .int(INVALID)
  .gte(0, 'must be greater than or equal to %{number}')
  .lte(MAX_RATE, 'must be less than or equal to %{number}')
  .nullable();

export const newSource = z.object({
  token: tokenField.exactOptional(),
  name: nameField,
  description: descriptionField.exactOptional(),
  api_quota: rateField.exactOptional(),
  keep_rejected_events: withDefault(
    z.boolean(INVALID),
    SOURCE_DEFAULTS.keep_rejected_events,
  ).exactOptional(),
});

export const sourceChange = newSource
  .omit({ token: true })
  .extend({ name: nameField.exactOptional() });
