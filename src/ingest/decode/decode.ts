/** From the bytes of a request to its events. */

import { MAX_EVENTS, tooManyEvents } from '../event/max-events.ts';
import { bodyParser } from './body-parsers.ts';
import { decompressBody } from './decompress.ts';
import type { DecodedEvents, DecodeInput, IngestFormat, RequestHeaders } from './format.ts';

export interface IngestRequest {
  readonly format: IngestFormat;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  /** @default the format's path, without a query */
  readonly address?: DecodeInput['address'];
  /** Bytes of the body after decompression. */
  readonly maxInflatedBytes: number;
}

/**
 * @throws ServiceError 400 for what cannot be read, 413 for too much of it (`body_too_large`,
 *   `too_many_events`), 415 `unsupported_content_type`.
 */
export async function decodeRequest(request: IngestRequest): Promise<DecodedEvents> {
  const { format, headers, contentType, maxInflatedBytes } = request;
  const parser = bodyParser(contentType, format.bodyParsers);
  const contentEncoding =
    format.codings?.(contentType, request.contentEncoding) ?? request.contentEncoding;
  const bytes = await decompressBody(request.body, contentEncoding, maxInflatedBytes);
  const body = await parser.parse(bytes);
  const { address = { path: format.path, query: () => undefined } } = request;
  const decoded = format.decode({ body, headers, address, maxInflatedBytes });
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
