import { BinaryReader } from '@bufbuild/protobuf/wire';
import { bufferOver } from '../values/ids.ts';
import { integer } from '../values/numbers.ts';
import { NOT_FAST } from './fast-path.ts';
import { StringInternPool } from './string-intern.ts';

/** Keys and most values come again in the next record. */
const texts = new StringInternPool();

/**
 * protobuf's wire format with values as JSON. `end` is always where the message ends that is being
 * read: nothing may pass it.
 *
 * Its methods throw `NOT_FAST`, or what BinaryReader throws at broken bytes.
 */
export class ProtobufReader extends BinaryReader {
  readonly #buffer: Buffer;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#buffer = bufferOver(bytes);
  }

  /** Number and wire type of the next field, in one byte as for all fields up to number 15. */
  tagByte(): number {
    const tag = this.#buffer[this.pos++] ?? 0x80;
    if (tag >= 0x80) throw NOT_FAST;
    return tag;
  }

  /** Where a message within the message ends. */
  endOf(end: number): number {
    const length = this.uint32();
    const inner = this.pos + length;
    if (inner > end) throw NOT_FAST;
    return inner;
  }

  /** Has to hold at the end of each message; fields of a fixed length may have passed it. */
  expectEnd(end: number): void {
    if (this.pos !== end) throw NOT_FAST;
  }

  /** What is not UTF-8 becomes U+FFFD. */
  text(end: number): string {
    const start = this.pos;
    this.pos = end;
    return texts.at(this.#buffer, start, end);
  }

  hex(end: number): string {
    const start = this.pos;
    this.pos = end;
    return start === end ? '' : this.#buffer.toString('hex', start, end);
  }

  base64(end: number): string {
    const start = this.pos;
    this.pos = end;
    return this.#buffer.toString('base64', start, end);
  }

  /** An int64 with all its digits. */
  integer(): unknown {
    const { pos } = this;
    const low = this.#buffer[pos] ?? 0x80;
    if (low < 0x80) {
      this.pos = pos + 1;
      return low;
    }
    const high = this.#buffer[pos + 1] ?? 0x80;
    if (high < 0x80) {
      this.pos = pos + 2;
      return (high << 7) | (low & 0x7f);
    }
    return integer(this.int64() as bigint);
  }
}
