/** Push requests in JSON, as `{"streams": [{"stream": {labels}, "values": [[time, line, {metadata}]]}]}`. */
import { ServiceError } from '../../../platform/errors.ts';
import { isPlainObject, scalarText } from '../../../platform/json/json.ts';
import { parseEventJson } from '../../decode/event-json.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { ValueBudget } from '../../event/max-values.ts';
import { timestamp } from '../otlp/values/nanoseconds.ts';
import { PushEvents, type Stream } from './push-events.ts';

/** Times since 2001 have 19 digits. */
const NANOSECONDS = /^(?:[1-9]\d{18}|\d{1,18})$/;

/**
 * @throws ServiceError `invalid_json`, `streams_missing` (400), `too_many_values`, `too_many_events` (413).
 */
export function eventsOfJson(bytes: Uint8Array): DecodedEvents {
  new ValueBudget().spend(bytes);
  const body = parseEventJson(bytes);
  const streams = isPlainObject(body) ? body.streams : undefined;
  if (!Array.isArray(streams)) {
    throw new ServiceError(
      'streams_missing',
      400,
      'The body is no push request of Loki: it has no list "streams".',
    );
  }
  const events = new PushEvents();
  for (const stream of streams) addStream(stream, events);
  return events.decoded;
}

function addStream(given: unknown, events: PushEvents): void {
  const { stream, values } = isPlainObject(given) ? given : {};
  if (!isPlainObject(stream) || !Array.isArray(values)) {
    events.refuse('a stream has an object "stream" and a list "values"');
    return;
  }
  const origin = events.stream(stream);
  for (const value of values) addEntry(value, origin, events);
}

function addEntry(value: unknown, stream: Stream, events: PushEvents): void {
  const [time, line, structured] = Array.isArray(value) ? value : [];
  const nanos = scalarText(time) ?? '';
  if (!NANOSECONDS.test(nanos) || typeof line !== 'string') {
    events.refuse('an entry is ["<nanoseconds since the epoch>", "<line>"], both as text');
    return;
  }
  events.add(stream, {
    timestamp: nanos.length === 19 ? Number(nanos.slice(0, -3)) : timestamp(BigInt(nanos)),
    line,
    structured: isPlainObject(structured) ? structured : undefined,
  });
}
