import { isPlainObject } from '../../json.ts';
import { JsonTextOf, pickMessage } from '../message.ts';
import { sourceHint } from '../source-hint.ts';
import type { DecodedEvents, IngestFormat } from './format.ts';

/**
 * Vector's `http` sink: an event or a list of them. All but the message and the timestamp is
 * `metadata`, and its text is the message of an event that has none, as metrics do (Logflare 1.50).
 */
export const vectorFormat: IngestFormat = {
  path: '/vector',

  decode({ body }): DecodedEvents {
    const events = Array.isArray(body) ? body : [body];
    return { events: events.map(wrap), ...sourceHint(body) };
  },
};

function wrap(event: unknown): unknown {
  if (!isPlainObject(event)) {
    return event;
  }
  const { timestamp, message: _message, ...metadata } = event;
  return {
    id: event.id,
    timestamp,
    event_message: pickMessage(event) ?? new JsonTextOf(metadata),
    project: event.project,
    metadata,
  };
}
