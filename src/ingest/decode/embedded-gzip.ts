/** Gzip inside the body of a request, which its Content-Encoding says nothing of. */
import { gunzipSync } from 'node:zlib';
import { ServiceError } from '../../platform/errors.ts';
import { decompressedTooLarge } from './decompress.ts';

/**
 * Broken parts of one request that are tried. Each may inflate to the limit before it shows that it
 * is broken, so this bounds the work that comes to nothing.
 */
const MAX_BROKEN = 16;

const NEWLINE = 0x0a;

/** Inflates the compressed parts of one request, which share one limit. */
export class EmbeddedGzip {
  readonly #maxBytes: number;
  #left: number;
  #broken = 0;

  /** @param maxBytes all parts together, once they are inflated. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  static isGzip(bytes: Uint8Array): boolean {
    return bytes[0] === 0x1f && bytes[1] === 0x8b;
  }

  /**
   * The bytes of all members of gzip data (RFC 1952 2.2); undefined where it is broken or cut short.
   * A newline after the last member is left out: Firehose can be told to append one to every record.
   * Synchronous, because there may be thousands of small parts, and a trip to the thread pool costs
   * more than most of them.
   *
   * @throws ServiceError `body_too_large` (413) past the limit, `malformed_compression` (400) when
   *   too many parts are broken.
   */
  inflate(bytes: Uint8Array): Uint8Array | undefined {
    const isDelimited = bytes.at(-1) === NEWLINE;
    const inflated =
      this.#try(bytes) ?? (isDelimited ? this.#try(bytes.subarray(0, -1)) : undefined);
    if (inflated === undefined && ++this.#broken > MAX_BROKEN) {
      throw new ServiceError(
        'malformed_compression',
        400,
        `More than ${MAX_BROKEN} parts of the body look like gzip data and are not valid.`,
      );
    }
    this.#left -= inflated?.length ?? 0;
    return inflated;
  }

  #try(bytes: Uint8Array): Uint8Array | undefined {
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.max(1, this.#left) });
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
        throw decompressedTooLarge(this.#maxBytes);
      }
      return undefined;
    }
  }
}
