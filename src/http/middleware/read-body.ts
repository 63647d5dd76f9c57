import type { Context } from 'hono';
import { ServiceError } from '../../platform/errors.ts';

/**
 * Reads the whole body, and not a chunk more than the limit allows.
 *
 * @param maxBytes limit on the bytes as sent, before any decompression.
 * @throws ServiceError `body_too_large` (413), `body_incomplete` (400) when the client went away.
 */
export async function readBody(c: Context, maxBytes: number): Promise<Uint8Array> {
  const declared = declaredLength(c);
  if (declared !== undefined && declared > maxBytes) throw bodyTooLarge(maxBytes);
  const body = await read(c, declared, maxBytes);
  if (body.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  c.set('bytesIn', body.byteLength);
  return body;
}

/** RFC 9112 6.3: Transfer-Encoding overrides Content-Length. */
function declaredLength(c: Context): number | undefined {
  const length = c.req.header('Content-Length');
  if (length === undefined || c.req.header('Transfer-Encoding') !== undefined) return undefined;
  return Number(length);
}

async function read(
  c: Context,
  declared: number | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    // The HTTP parser holds a body to its declared length, and reading it whole costs half of what
    // a web stream does (45 against 100 microseconds for 20 KB, measured over HTTP).
    if (declared !== undefined) return new Uint8Array(await c.req.arrayBuffer());
    return await readStream(c.req.raw.body, maxBytes);
  } catch (cause) {
    // A TypeError means that the body was read before: a fault of ours, not of the connection.
    if (cause instanceof ServiceError || cause instanceof TypeError) throw cause;
    throw new ServiceError(
      'body_incomplete',
      400,
      'The connection was closed before the whole body had arrived. Send the request again.',
      { cause },
    );
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bodyTooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    413,
    `The body is larger than ${maxBytes} bytes, the most that one request may carry. ` +
      "Split the batch over several requests, or lower the sending agent's batch size.",
  );
}
