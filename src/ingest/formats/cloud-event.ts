import { ServiceError } from '../../platform/errors.ts';
import type { Fields } from '../../platform/json/fields.ts';
import { isPlainObject } from '../../platform/json/json.ts';
import { mediaTypeOf } from '../decode/body-parsers.ts';
import { sourceHint } from '../decode/body-source.ts';
import { eventsOf, listOf } from '../decode/decode-elements.ts';
import type { DecodedEvents, DecodeInput, IngestFormat } from '../decode/format.ts';
import { parseEventTimestamp } from '../event/parse-timestamp.ts';
import { headerAttributes } from './cloud-event-headers.ts';

/** Structured and batched content mode (CloudEvents 1.0, JSON format 3 and 4). */
const ENVELOPE_TYPES: readonly (string | undefined)[] = [
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
];

/**
 * Characters of attributes that one request may have stored. They come once, in the headers, and are
 * stored with every event of the body.
 */
const MAX_REPEATED_LENGTH = 20 * 1024 * 1024;

/**
 * CloudEvents 1.0: the data is the event, the attributes are its field `cloud_event`, and the `time`
 * among them is its timestamp (Logflare 1.50, which reads binary content mode only).
 */
export const cloudEventFormat: IngestFormat = {
  path: '/cloud-event',

  decode(input): DecodedEvents {
    return ENVELOPE_TYPES.includes(mediaTypeOf(input.headers()['content-type']))
      ? { events: eventsOf(listOf(input.body), openEnvelope) }
      : decodeBinary(input);
  },
};

/** The attributes are in the headers, the data is the body; a list is the data of several events. */
function decodeBinary({ body, headers }: DecodeInput): DecodedEvents {
  const { attributes, length } = headerAttributes(headers());
  const events = listOf(body);
  if (events.length * length > MAX_REPEATED_LENGTH) {
    throw new ServiceError(
      'too_many_events',
      413,
      `The ce- headers would be stored with each of ${events.length} events, which takes more than ` +
        `${MAX_REPEATED_LENGTH} bytes. Split the request into several.`,
    );
  }
  if (attributes === undefined) return { events, ...sourceHint(body) };
  // Events of a list have one CloudEvent's id between them, and equal ids are taken for copies.
  const id = Array.isArray(body) ? undefined : attributes.id;
  const withAttributes = (data: Fields) => eventOf(data, attributes, id);
  return { events: eventsOf(events, withAttributes), ...sourceHint(body) };
}

/** The attributes are beside the `data`. What is no CloudEvent is left as it is. */
function openEnvelope(envelope: Fields): unknown {
  if (envelope.specversion === undefined) return envelope;
  const { data, data_base64, ...attributes } = envelope;
  // Data that is no object, and `data_base64`, are fields as the envelope has them.
  const fields = isPlainObject(data) ? data : { data };
  const all = data_base64 === undefined ? fields : { ...fields, data_base64 };
  return eventOf(all, attributes, attributes.id);
}

/** @param id stands in for the id that the data may have itself. */
function eventOf(data: Fields, attributes: Fields, id: unknown): unknown {
  const isTimed = parseEventTimestamp(attributes.time) !== undefined;
  return {
    ...data,
    id: data.id ?? id,
    timestamp: isTimed ? attributes.time : data.timestamp,
    cloud_event: attributes,
  };
}
