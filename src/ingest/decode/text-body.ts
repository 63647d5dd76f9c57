/** Bodies of plain text, which pages and shell scripts send, whatever is in them. */
import { isPlainObject } from '../../platform/json/json.ts';
import { MAX_EVENTS, tooManyEvents } from '../event/max-events.ts';
import { ValueBudget } from '../event/max-values.ts';
import { parseEventJsonIfAny } from './event-json.ts';
import { jsonDocuments } from './json-documents.ts';

const OPEN_BRACE = 0x7b;

/**
 * A text as JSON, if it is an object, or objects in a list, in lines or back to back; else its lines, each
 * the message of an event. Objects between lines of text are events, too; blank lines are nothing.
 *
 * @throws ServiceError `too_many_values`, `too_many_events` (413).
 */
export function parseText(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  const budget = new ValueBudget();
  if (bytes[0] === OPEN_BRACE) {
    budget.check(bytes);
    const whole = parseEventJsonIfAny(bytes);
    if (isPlainObject(whole)) return whole;
  }
  const events: unknown[] = [];
  for (const document of jsonDocuments(bytes, budget)) {
    if (events.length === MAX_EVENTS) throw tooManyEvents();
    events.push('value' in document ? document.value : { message: document.text });
  }
  return events;
}
