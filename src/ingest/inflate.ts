/** Content-Encoding of request bodies (Logflare 1.50). */
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { ServiceError } from '../errors.ts';

type Inflate = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** RFC 9110 8.4.1; its `deflate` is the zlib format. */
const ENCODINGS: ReadonlyMap<string, Inflate> = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

/**
 * The body without its Content-Encoding.
 *
 * @throws ServiceError `unsupported_content_encoding` or `malformed_compression` (400),
 *   `body_too_large` (413) past maxBytes of output, which is where inflation stops.
 */
export async function inflateBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const encoding = contentEncoding?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') {
    if (body.length > maxBytes) {
      throw inflatedTooLarge(maxBytes);
    }
    return body;
  }
  const decompress = ENCODINGS.get(encoding);
  if (decompress === undefined) {
    throw new ServiceError(
      'unsupported_content_encoding',
      400,
      'The Content-Encoding is not supported. Send the body with gzip, deflate or no encoding.',
    );
  }
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw inflatedTooLarge(maxBytes);
    }
    throw new ServiceError(
      'malformed_compression',
      400,
      `The body is not valid ${encoding} data, or was cut short.`,
      { cause },
    );
  }
}

/** The answer to more bytes than a request may hold once nothing in it is compressed. */
export function inflatedTooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    413,
    `The decompressed body is larger than ${maxBytes} bytes. Split it into several requests, each a ` +
      'batch of fewer events.',
  );
}
