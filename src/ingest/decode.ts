/** From the bytes of a request to its events. */
import { bodyParser } from './body-parsers.ts';
import type { DecodedEvents, IngestFormat, RequestHeaders } from './formats/index.ts';
import { inflateBody } from './inflate.ts';
import { MAX_EVENTS, tooManyEvents } from './max-events.ts';

export type { DecodedEvents } from './formats/index.ts';

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
  const parse = bodyParser(contentType, format.bodyParsers);
  const bytes = await inflateBody(request.body, contentEncoding, maxInflatedBytes);
  const decoded = format.decode({ body: await parse(bytes), headers, maxInflatedBytes });
  if (decoded.events.length > MAX_EVENTS) {
    throw tooManyEvents();
  }
  return decoded;
}
