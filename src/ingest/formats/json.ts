import { decodeElements } from '../decode/decode-elements.ts';
import type { IngestFormat } from '../decode/format.ts';
import { JsonTextOf, pickMessage } from '../event/message.ts';
import { timestampOf } from '../event/usual-time.ts';

/**
 * Any JSON: an object or a list of them, each stored whole as the `metadata` of an event. A `batch`
 * is a field like any other here (Logflare 1.50).
 */
export const jsonFormat: IngestFormat = {
  path: '/json',
  keepsTexts: true,
  decode: decodeElements(wrap),
};

function wrap(event: Readonly<Record<string, unknown>>): unknown {
  return {
    id: event.id,
    timestamp: timestampOf(event),
    event_message: pickMessage(event) ?? new JsonTextOf(event),
    metadata: event,
  };
}
