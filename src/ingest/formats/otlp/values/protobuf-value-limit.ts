import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { MAX_REQUEST_VALUES, mayHoldTooMuch, tooManyValues } from './value-limits.ts';

/**
 * Counts what a body would become before anything is made of it. Short bodies cannot hold too much
 * and cost nothing.
 *
 * @throws ServiceError `too_many_values` (413); Error for what is not well-formed or nests deeper
 *   than `maxDepth` messages.
 */
export function checkProtobufValues(type: DescMessage, bytes: Uint8Array, maxDepth: number): void {
  if (mayHoldTooMuch(bytes)) new PartCounter(bytes).count(type, bytes.length, maxDepth);
}

class PartCounter {
  readonly #reader: BinaryReader;
  #parts = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes);
  }

  count(type: DescMessage, end: number, levels: number): void {
    if (levels === 0) throw new Error('too many levels');
    const reader = this.#reader;
    const fields = fieldsOf(type);
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = fields.get(number);
      if (field === undefined) {
        reader.skip(wireType, number, levels);
      } else if (field.message !== undefined) {
        this.#add(1);
        const length = reader.uint32();
        this.count(field.message, reader.pos + length, levels - 1);
      } else {
        this.#skip(field, wireType);
      }
    }
  }

  /** The library ignores wire types: what it reads otherwise than it was skipped is not counted. */
  #skip(field: DescField, wireType: WireType): void {
    const expected = wireTypeOf(field.scalar);
    const isPacked = field.fieldKind === 'list' && wireType === WireType.LengthDelimited;
    if (wireType !== expected && !isPacked) throw new Error(`unexpected wire type of ${field}`);
    const { length } = this.#reader.skip(wireType, field.number);
    if (field.fieldKind === 'list') {
      this.#add(isPacked ? Math.ceil(length / bytesInList(expected)) : 1);
    }
  }

  #add(parts: number): void {
    this.#parts += parts;
    if (this.#parts > MAX_REQUEST_VALUES) throw tooManyValues();
  }
}

const fieldsByType = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(type: DescMessage): ReadonlyMap<number, DescField> {
  let fields = fieldsByType.get(type);
  if (fields === undefined) {
    fields = new Map(type.fields.map((field) => [field.number, field]));
    fieldsByType.set(type, fields);
  }
  return fields;
}

/** @param scalar undefined for an enum. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** The fewest bytes that an element of a packed list takes; a text comes alone. */
function bytesInList(wireType: WireType): number {
  switch (wireType) {
    case WireType.Bit64:
      return 8;
    case WireType.Bit32:
      return 4;
    case WireType.LengthDelimited:
      return Number.POSITIVE_INFINITY;
    default:
      return 1;
  }
}
