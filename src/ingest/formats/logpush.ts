/** Cloudflare Logpush: gzipped NDJSON, one line for each request that the edge saw. */
import { isPlainObject } from '../../platform/json/json.ts';
import type { BodyParser } from '../decode/format.ts';
import { type JsonLine, jsonLines, NDJSON } from '../decode/json-lines.ts';
import { timestampOf } from '../event/usual-time.ts';

/** NDJSON whose lines are Logpush's, as Logflare reads it (Logflare 1.50). */
export const logpushParser: BodyParser = { mediaType: NDJSON, parse: parseLogpush };

/**
 * Each line is the `metadata` and, as it was sent, the message of an event. What is not an object
 * stays text, to be refused by its index.
 *
 * @returns the events, or an empty object for an empty body.
 */
export function parseLogpush(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : Array.from(jsonLines(bytes), eventOf);
}

function eventOf({ text, value }: JsonLine): unknown {
  return isPlainObject(value)
    ? { id: value.id, timestamp: timeOf(value), event_message: text, metadata: value }
    : text;
}

/**
 * HTTP requests have `EdgeStartTimestamp`; the other data sets of Logpush name their time as follows.
 * What other programs send as NDJSON has its time where events have it.
 */
function timeOf(line: Readonly<Record<string, unknown>>): unknown {
  return (
    line.EdgeStartTimestamp ??
    line.EventTimestampMs ??
    line.Datetime ??
    line.Timestamp ??
    line.When ??
    timestampOf(line)
  );
}
