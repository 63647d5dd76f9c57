/** Content-Encoding of request bodies (RFC 9110 8.4; Logflare 1.50 reads gzip and deflate). */
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { ServiceError } from '../../platform/errors.ts';
import { decompressZstd } from './zstd.ts';

/** @throws whatever is wrong; with the code `ERR_BUFFER_TOO_LARGE` past maxBytes of output. */
type Inflate = (body: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

const viaGzip = bounded(promisify<Uint8Array, ZlibOptions, Buffer>(gunzip));
const viaZlib = bounded(promisify<Uint8Array, ZlibOptions, Buffer>(inflate));
const viaRaw = bounded(promisify<Uint8Array, ZlibOptions, Buffer>(inflateRaw));

/**
 * RFC 9110 means the zlib format by `deflate`, and some clients send the bare one. The Collector has
 * names of its own: `zlib`, `snappy` and `x-snappy-framed`.
 */
const CODINGS: ReadonlyMap<string, Inflate> = new Map([
  ['gzip', viaGzip],
  ['x-gzip', viaGzip],
  ['deflate', viaEitherDeflate],
  ['zlib', viaEitherDeflate],
  ['zstd', decompressZstd],
  ['snappy', viaSnappy],
  ['x-snappy-framed', viaSnappy],
]);

const READABLE = [...CODINGS.keys()].join(', ');

/** Codings that one body may have; each may inflate to the limit. */
const MAX_CODINGS = 3;

/**
 * The body without its Content-Encoding, which may name several codings in the order in which they were
 * applied.
 *
 * @throws ServiceError `unsupported_content_encoding` (415), `malformed_compression` (400),
 *   `body_too_large` (413) past maxBytes of output, which is where inflation stops.
 */
export async function decompressBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  let bytes = body;
  for (const coding of codingsOf(contentEncoding)) {
    bytes = await inflateOne(bytes, coding, maxBytes);
  }
  if (bytes.length > maxBytes) throw decompressedTooLarge(maxBytes);
  return bytes;
}

/** The codings of a header, the one that was applied last first. */
function codingsOf(contentEncoding = ''): readonly string[] {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = codings.find((coding) => !CODINGS.has(coding));
  if (unknown !== undefined) {
    throw unsupportedEncoding(`The Content-Encoding ${JSON.stringify(unknown)} is not supported.`);
  }
  if (codings.length > MAX_CODINGS) {
    throw unsupportedEncoding(`The Content-Encoding has more than ${MAX_CODINGS} codings.`);
  }
  return codings.reverse();
}

async function inflateOne(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const decompress = CODINGS.get(coding) as Inflate;
  try {
    return await decompress(body, maxBytes);
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw decompressedTooLarge(maxBytes);
    }
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(
      'malformed_compression',
      400,
      `The body is not valid ${coding} data, or was cut short.`,
      { cause },
    );
  }
}

function bounded(decompress: (body: Uint8Array, options: ZlibOptions) => Promise<Buffer>): Inflate {
  return (body, maxOutputLength) => decompress(body, { maxOutputLength });
}

const DEFLATE_METHOD = 8;

/** RFC 1950 2.2: the method in the low four bits, and both bytes as a number are a multiple of 31. */
function viaEitherDeflate(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const [method = 0, flags = 0] = body;
  const isZlib = (method & 0x0f) === DEFLATE_METHOD && ((method << 8) | flags) % 31 === 0;
  return (isZlib ? viaZlib : viaRaw)(body, maxBytes);
}

/** Loaded when it is first needed: few senders use it. */
async function viaSnappy(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const { decompressSnappy } = await import('./snappy.ts');
  return decompressSnappy(body, maxBytes);
}

function unsupportedEncoding(problem: string): ServiceError {
  return new ServiceError(
    'unsupported_content_encoding',
    415,
    `${problem} Send the body with one of these, or without any: ${READABLE}.`,
  );
}

/** The answer to more bytes than a request may hold once nothing in it is compressed. */
export function decompressedTooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    413,
    `The decompressed body is larger than ${maxBytes} bytes. Split it into several requests, each a ` +
      'batch of fewer events.',
  );
}
