import type { RejectionRecord } from '../../../ingest/rejections/rejection-log.ts';
import { parseJsonIfAny } from '../../../platform/json/json.ts';

/** Refusals in one answer. */
export const MAX_SHOWN_REJECTIONS = 100;

/**
 * A refusal as the API shows it: a whole event as `event`, else the beginning of its JSON text as
 * `event_text` with the length of all of it as `event_bytes`.
 *
 * @param withEvent false leaves events out that were kept while the source asked for it.
 */
export function renderRejection(record: RejectionRecord, withEvent: boolean): object {
  const { sample, ...shown } = record;
  if (sample === undefined || !withEvent) return shown;
  // What was cut off does not parse, and neither does what nests too deep.
  const event = parseJsonIfAny(sample.text);
  return event === undefined
    ? { ...shown, event_text: sample.text, event_bytes: sample.bytes }
    : { ...shown, event };
}
