/** Ids of traces and spans as lower-case hex, which is how everybody prints them. */
import { ServiceError } from '../../../../platform/errors.ts';

/** The text of an id as a message holds it; empty for none. */
export type IdText = (id: Uint8Array) => string;

/** In protobuf an id is its bytes. */
export const idOfBytes: IdText = (id) => bufferOver(id).toString('hex');

const HEX = /^[\da-f]*$/i;

/**
 * OTLP/JSON writes ids in hex, where protobuf's own JSON has bytes in base64 (OTLP 1.11, JSON
 * Protobuf Encoding), and the library knows of the latter only: the hex text is the base64 of the
 * bytes that it gives. Every three of them stand for four digits.
 *
 * @throws ServiceError `invalid_otlp` (400) for an id that is not hex.
 */
export const idOfJson: IdText = (id) => {
  const text = bufferOver(id).toString('base64');
  if (id.length % 3 !== 0 || !HEX.test(text)) {
    throw new ServiceError(
      'invalid_otlp',
      400,
      'An id of a trace or span is not hexadecimal text. OTLP/JSON has 32 digits for a traceId and 16 ' +
        'for a spanId, and no base64.',
    );
  }
  return text.toLowerCase();
};

/** The same memory, so that nothing is copied. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
