import { isPlainObject } from '../../json.ts';
import { JsonTextOf, pickMessage } from '../message.ts';
import { sourceHint } from '../source-hint.ts';
import type { DecodedEvents, IngestFormat } from './format.ts';

/**
 * Any JSON: an object or a list of them, each stored whole as the `metadata` of an event. A `batch`
 * is a field like any other here (Logflare 1.50).
 */
export const jsonFormat: IngestFormat = {
  path: '/json',

  decode({ body }): DecodedEvents {
    const events = Array.isArray(body) ? body : [body];
    return { events: events.map(wrap), ...sourceHint(body) };
  },
};

function wrap(event: unknown): unknown {
  if (!isPlainObject(event)) {
    return event;
  }
  return {
    id: event.id,
    timestamp: event.timestamp,
    event_message: pickMessage(event) ?? new JsonTextOf(event),
    metadata: event,
  };
}
