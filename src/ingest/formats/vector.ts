import { decodeElements } from '../decode/decode-elements.ts';
import type { IngestFormat } from '../decode/format.ts';
import { JsonTextOf, pickMessage } from '../event/message.ts';
import { timestampOf } from '../event/usual-time.ts';

/**
 * Vector's `http` sink: an event or a list of them. All but the message and the timestamp is
 * `metadata`, and its text is the message of an event that has none, as metrics do (Logflare 1.50).
 */
export const vectorFormat: IngestFormat = {
  path: '/vector',
  decode: decodeElements(wrap),
};

function wrap(event: Readonly<Record<string, unknown>>): unknown {
  const { timestamp: _timestamp, message: _message, ...metadata } = event;
  return {
    id: event.id,
    timestamp: timestampOf(event),
    event_message: pickMessage(event) ?? new JsonTextOf(metadata),
    metadata,
  };
}
