/** From the bytes of a request to its events. */

import { MAX_EVENTS, tooManyEvents } from '../event/max-events.ts';
import { bodyParser } from './body-parsers.ts';
import { decompressBody } from './decompress.ts';
import type { DecodedEvents, IngestFormat, RequestHeaders } from './format.ts';

export interface IngestRequest {
  readonly format: IngestFormat;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  /** Bytes of the body after decompression. */
  readonly maxInflatedBytes: number;
}

/**
 * @throws ServiceError 400 for what cannot be read, 413 for too much of it (`body_too_large`,
 *   `too_many_events`), 415 `unsupported_content_type`.
 */
export async function decodeRequest(request: IngestRequest): Promise<DecodedEvents> {
  const { format, headers, contentType, contentEncoding, maxInflatedBytes } = request;
  const parser = bodyParser(contentType, format.bodyParsers);
  const bytes = await decompressBody(request.body, contentEncoding, maxInflatedBytes);
  const body = await parser.parse(bytes);
  const decoded = format.decode({ body, headers, maxInflatedBytes });
  if (decoded.events.length > MAX_EVENTS) throw tooManyEvents();
  const mayBePlain = format.keepsTexts === true && parser.isJson === true;
  return mayBePlain && !hasEscape(bytes) ? { ...decoded, hasPlainTexts: true } : decoded;
}

const BACKSLASH = 0x5c;

/**
 * JSON can write what it escapes only with a backslash. What is not UTF-8 has become U+FFFD, so without
 * one there are no halves of surrogate pairs either.
 */
function hasEscape({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(BACKSLASH);
}
