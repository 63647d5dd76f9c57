/** Newline-delimited JSON: one value per line. */
import { ServiceError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';
import type { BodyParser } from './formats/format.ts';
import { MAX_EVENTS, tooManyEvents } from './max-events.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** For formats whose sender writes one event per line: the body is the list of them. */
export const ndjsonLines: BodyParser = {
  mediaType: /^application\/(?:x-)?ndjson$/,
  parse: parseLines,
};

/**
 * The values of all lines that are not empty. A line that is no JSON becomes null, so that it is
 * refused by its index while the others are stored; Logflare drops it without a word.
 *
 * @throws ServiceError `too_many_events` (413), before more lines than that are parsed.
 */
function parseLines(bytes: Uint8Array): readonly unknown[] {
  const values: unknown[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline === -1 ? bytes.length : newline + 1;
    const end = newline === -1 ? bytes.length : newline;
    const isEmpty = end === start || (end === start + 1 && bytes[start] === CARRIAGE_RETURN);
    if (!isEmpty) {
      if (values.length === MAX_EVENTS) {
        throw tooManyEvents();
      }
      values.push(parseLine(bytes.subarray(start, end)));
    }
    start = next;
  }
  return values;
}

function parseLine(line: Uint8Array): unknown {
  try {
    return parseJsonBytes(line);
  } catch (error) {
    if (error instanceof ServiceError) {
      return null;
    }
    throw error;
  }
}
