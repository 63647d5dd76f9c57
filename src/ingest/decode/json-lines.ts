/** NDJSON: one JSON value on each line. */

import { MAX_EVENTS, tooManyEvents } from '../event/max-events.ts';
import { ValueBudget } from '../event/max-values.ts';
import { parseEventJsonIfAny } from './event-json.ts';

export interface JsonLine {
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly value: unknown;
}

/** Media types of NDJSON; none of them is registered. */
export const NDJSON = /^application\/(?:(?:x-)?ndjson|jsonl)$/;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const decoder = new TextDecoder();

/**
 * The lines of a body, each parsed on its own, so that a broken one costs nothing but itself. Blank
 * lines do not count; white space before a line and a carriage return after it belong to no line.
 *
 * @throws ServiceError `too_many_events`, `too_many_values` (413), before there is too much to hold.
 */
export function* jsonLines(bytes: Uint8Array): Generator<JsonLine, void, undefined> {
  const budget = new ValueBudget();
  let count = 0;
  for (let start = skipSpace(bytes, 0); start < bytes.length; ) {
    if (++count > MAX_EVENTS) throw tooManyEvents();
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[end - 1] === RETURN ? end - 1 : end);
    const text = decoder.decode(line);
    budget.spend(line);
    yield { text, value: parseEventJsonIfAny(line, text) };
    start = skipSpace(bytes, end);
  }
}

/** Byte by byte, because a body may hold millions of blank lines. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}
