import { JsonTextOf } from '../event/message.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { TimeOf } from '../event/usual-time.ts';
import type { EventSample } from './rejection-log.ts';

/** Bytes of an event that are kept. */
export const MAX_SAMPLE_BYTES = 10_000;

/**
 * The JSON text of an event as its format read it, cut off where it is too long; undefined where there
 * is none: the format refused the event itself, or it nests too deep to be written.
 */
export function eventSample(event: unknown): EventSample | undefined {
  if (event instanceof EventRejected) return undefined;
  const text = jsonText(event);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= MAX_SAMPLE_BYTES) return { text, bytes: bytes.byteLength };
  // As a stream, so that the decoder leaves out a character that is cut in two.
  const begin = new TextDecoder().decode(bytes.subarray(0, MAX_SAMPLE_BYTES), { stream: true });
  return { text: begin, bytes: bytes.byteLength };
}

function jsonText(event: unknown): string | undefined {
  try {
    return JSON.stringify(event, (_key, value) => {
      if (value instanceof TimeOf) return value.fields.timestamp;
      return value instanceof JsonTextOf ? undefined : value;
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
