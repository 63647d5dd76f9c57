/** NDJSON: one JSON value on each line. */
import { ServiceError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';
import { MAX_EVENTS, tooManyEvents } from './max-events.ts';

export interface JsonLine {
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly value: unknown;
}

/** Media types of NDJSON; none of them is registered. */
export const NDJSON = /^application\/(?:(?:x-)?ndjson|jsonl)$/;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const decoder = new TextDecoder();

/**
 * The lines of a body, each parsed on its own, so that a broken one costs nothing but itself. Blank
 * lines do not count, and a carriage return at the end belongs to no line.
 *
 * @throws ServiceError `too_many_events` (413), before there is too much to hold.
 */
export function parseJsonLines(bytes: Uint8Array): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[end - 1] === RETURN ? Math.max(start, end - 1) : end);
    start = end + 1;
    const text = decoder.decode(line);
    if (text.trim() === '') {
      continue;
    }
    if (lines.length === MAX_EVENTS) {
      throw tooManyEvents();
    }
    lines.push({ text, value: jsonOrNothing(line, text) });
  }
  return lines;
}

/** The JSON value of the bytes, or undefined. */
export function jsonOrNothing(bytes: Uint8Array, text?: string): unknown {
  try {
    return parseJsonBytes(bytes, text);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return undefined;
  }
}
