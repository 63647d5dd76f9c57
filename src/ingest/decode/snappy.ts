/** Snappy, as the Collector sends it: a block of its own, or the framing format of files and streams. */
import { snappyUncompressor } from 'hysnappy';
import { decompressedTooLarge } from './decompress.ts';

/** The stream identifier: type, length, and what the format calls its chunk of six bytes. */
const STREAM = Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1');

const COMPRESSED = 0x00;
const UNCOMPRESSED = 0x01;
/** Chunks that a reader may pass over: padding, identifiers, and what later versions add. */
const FIRST_SKIPPABLE = 0x80;
/** Type, and length in three bytes. */
const HEADER_BYTES = 4;
/** A masked CRC-32C stands before the data of a chunk. It is not checked: TCP and TLS have done that. */
const CHECKSUM_BYTES = 4;

/**
 * The content of snappy data in either format.
 *
 * @throws ServiceError `body_too_large` (413) past maxBytes of output, before memory is taken; Error for
 *   what is not valid.
 */
export function decompressSnappy(body: Uint8Array, maxBytes: number): Uint8Array {
  const blocks = new Blocks(maxBytes);
  return STREAM.equals(body.subarray(0, STREAM.length))
    ? inflateFrames(body, blocks)
    : blocks.inflate(body);
}

function inflateFrames(body: Uint8Array, blocks: Blocks): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < body.length) {
    const [type = 0, low = 0, middle = 0, high = 0] = body.subarray(at, at + HEADER_BYTES);
    const start = at + HEADER_BYTES;
    const end = start + (low | (middle << 8) | (high << 16));
    if (end > body.length) throw new Error('A chunk is cut short.');
    const data = body.subarray(Math.min(start + CHECKSUM_BYTES, end), end);
    if (type === COMPRESSED) {
      parts.push(blocks.inflate(data));
    } else if (type === UNCOMPRESSED) {
      parts.push(blocks.take(data));
    } else if (type < FIRST_SKIPPABLE) {
      throw new Error('A chunk has a type that may not be passed over.');
    }
    at = end;
  }
  return Buffer.concat(parts);
}

/** The blocks of one body, which share one limit. */
class Blocks {
  readonly #maxBytes: number;
  readonly #uncompress = snappyUncompressor();
  #left: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  inflate(block: Uint8Array): Uint8Array {
    const length = lengthOf(block);
    this.#spend(length);
    return this.#uncompress(block, length);
  }

  take(bytes: Uint8Array): Uint8Array {
    this.#spend(bytes.length);
    return bytes;
  }

  #spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw decompressedTooLarge(this.#maxBytes);
  }
}

/** The length that a block says it has: a varint of up to 32 bits in front of it. */
function lengthOf(block: Uint8Array): number {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = block[index];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  throw new Error('A block does not say its length.');
}
