/** Push requests in protobuf: Loki's `PushRequest` (pkg/push/push.proto), read without generated code. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ServiceError } from '../../../platform/errors.ts';
import { Fields } from '../../../platform/json/fields.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import { MAX_REQUEST_VALUES, mayHoldTooMuch, tooManyValues } from '../otlp/values/value-limits.ts';
import { parseLabels } from './labels.ts';
import { type Entry, PushEvents, type Stream } from './push-events.ts';

/**
 * @param bytes without snappy.
 * @throws ServiceError `invalid_protobuf` (400), `too_many_values`, `too_many_events` (413).
 */
export function eventsOfProtobuf(bytes: Uint8Array): DecodedEvents {
  try {
    return new PushReader(bytes).read();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(
      'invalid_protobuf',
      400,
      'The body is no push request of Loki in protobuf. Send that compressed with snappy, or JSON with ' +
        '"Content-Type: application/json".',
      { cause },
    );
  }
}

/** Tags are `number << 3 | wire type`; all fields that count are messages or texts. */
const FIRST = 0x0a;
const SECOND = 0x12;
const THIRD = 0x1a;
/** Numbers of 16 digits are microseconds, as event times are read, and exact in a double up to the year 2255. */
const MIN_SECONDS = 1_000_000_000;
const MAX_SECONDS = 9_000_000_000;

class PushReader extends BinaryReader {
  readonly #buffer: Buffer;
  readonly #events = new PushEvents();
  /** Of messages within messages, as far as they are counted. */
  #left: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = mayHoldTooMuch(bytes) ? MAX_REQUEST_VALUES : Number.POSITIVE_INFINITY;
  }

  read(): DecodedEvents {
    this.#fields(this.len, (tag, end) => {
      if (tag === FIRST) this.#stream(end);
    });
    return this.#events.decoded;
  }

  /** `StreamAdapter`: 1 the labels as text, 2 the entries. */
  #stream(end: number): void {
    const entries: [start: number, end: number][] = [];
    let labels = '';
    this.#fields(end, (tag, inner) => {
      if (tag === FIRST) labels = this.#text(inner);
      if (tag === SECOND) entries.push([this.pos, inner]);
    });
    const fields = parseLabels(labels);
    if (fields === undefined) {
      for (const _ of entries) this.#events.refuse('the labels of its stream cannot be read');
      return;
    }
    const stream = this.#events.stream(fields);
    for (const [start, inner] of entries) {
      this.pos = start;
      this.#entry(inner, stream);
    }
    this.pos = end;
  }

  /** `EntryAdapter`: 1 the time, 2 the line, 3 structured metadata. */
  #entry(end: number, stream: Stream): void {
    let time: Entry['timestamp'] | null;
    let line = '';
    let structured: Fields | undefined;
    this.#fields(end, (tag, inner) => {
      if (tag === FIRST) time = this.#timestamp(inner);
      if (tag === SECOND) line = this.#text(inner);
      if (tag === THIRD) {
        structured ??= new Fields();
        this.#pair(inner, structured);
      }
    });
    if (time === null) this.#events.refuse('its timestamp is out of range');
    else this.#events.add(stream, { timestamp: time, line, structured });
  }

  /** `google.protobuf.Timestamp`: 1 seconds, 2 nanoseconds, both varints; null out of range. */
  #timestamp(end: number): Entry['timestamp'] | null {
    let seconds = 0;
    let nanos = 0;
    while (this.pos < end) {
      const [number, wireType] = this.tag();
      if (number === 1 && wireType === 0) seconds = Number(this.int64());
      else if (number === 2 && wireType === 0) nanos = this.int32();
      else this.skip(wireType);
    }
    this.#expectEnd(end);
    if (seconds < 0 || seconds > MAX_SECONDS || nanos < 0 || nanos > 999_999_999) return null;
    if (seconds < MIN_SECONDS) return new Date(seconds * 1000 + nanos / 1e6).toISOString();
    return seconds * 1_000_000 + Math.floor(nanos / 1000);
  }

  /** `LabelPairAdapter`: 1 the name, 2 the value. */
  #pair(end: number, fields: Fields): void {
    let name = '';
    let value = '';
    this.#fields(end, (tag, inner) => {
      if (tag === FIRST) name = this.#text(inner);
      if (tag === SECOND) value = this.#text(inner);
    });
    fields[name] = value;
  }

  /** Reads a message up to its end; fields of a length are read by `field`, or passed over where it reads nothing. */
  #fields(end: number, field: (tag: number, end: number) => void): void {
    while (this.pos < end) {
      const [number, wireType] = this.tag();
      if (wireType !== 2) {
        this.skip(wireType);
        continue;
      }
      if (--this.#left < 0) throw tooManyValues();
      const length = this.uint32();
      const inner = this.pos + length;
      if (inner > end) throw new Error('A field is longer than its message.');
      field((number << 3) | wireType, inner);
      this.pos = inner;
    }
    this.#expectEnd(end);
  }

  #expectEnd(end: number): void {
    if (this.pos !== end) throw new Error('A message is longer than it says.');
  }

  /** What is not UTF-8 becomes U+FFFD. */
  #text(end: number): string {
    return this.#buffer.toString('utf8', this.pos, end);
  }
}
