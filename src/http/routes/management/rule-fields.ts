import * as z from 'zod';
import { BLANK, blankOrInvalid, INVALID, TOO_LONG } from './fields.ts';
import { lqlFault, MAX_FILTER_LENGTH } from './lql-field.ts';

const lql = z.string({ error: blankOrInvalid }).superRefine((text, context) => {
  if (text.trim() === '') context.addIssue(BLANK);
  else if (text.length > MAX_FILTER_LENGTH) context.addIssue(TOO_LONG);
  else if (!text.isWellFormed()) context.addIssue(INVALID);
  else {
    const fault = lqlFault(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  }
});

/** The token of a source; whether it exists is for the registry to say. */
const sourceToken = z.string({ error: blankOrInvalid }).toLowerCase();

export const newRule = z.object({ source_id: sourceToken, lql_string: lql, sink: sourceToken });

export const ruleChange = z.object({
  source_id: sourceToken.exactOptional(),
  lql_string: lql.exactOptional(),
  sink: sourceToken.exactOptional(),
});
