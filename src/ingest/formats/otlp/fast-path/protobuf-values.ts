/** Values of OTLP in protobuf as exporters write them; see fast-path.ts. */
import { Fields } from '../../../../platform/json/fields.ts';
import { double } from '../values/numbers.ts';
import { NOT_FAST } from './fast-path.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

/** Tags, `number << 3 | wire type`. */
const KEY = 0x0a;
const VALUE = 0x12;
const STRING_VALUE = 0x0a;
const BOOL_VALUE = 0x10;
const INT_VALUE = 0x18;
const DOUBLE_VALUE = 0x21;
const ARRAY_VALUE = 0x2a;
const KVLIST_VALUE = 0x32;
const BYTES_VALUE = 0x3a;
const VALUES = 0x0a;

/** Reads a `KeyValue` into the fields; of equal keys the last wins. */
export function readAttribute(
  reader: ProtobufReader,
  end: number,
  fields: Fields,
  levels: number,
): void {
  let key = '';
  let value: unknown;
  let hasValue = false;
  while (reader.pos < end) {
    const tag = reader.tagByte();
    const inner = reader.endOf(end);
    if (tag === KEY) {
      key = reader.text(inner);
    } else if (tag === VALUE && !hasValue) {
      // A second value would have to be merged with the first.
      hasValue = true;
      value = readAnyValue(reader, inner, levels);
    } else {
      throw NOT_FAST;
    }
  }
  reader.expectEnd(end);
  fields[key] = value;
}

/** An `AnyValue` as JSON; undefined where nothing is set. */
export function readAnyValue(reader: ProtobufReader, end: number, levels: number): unknown {
  if (reader.pos === end) return undefined;
  const value = readValue(reader, end, levels);
  // There may be no second value.
  reader.expectEnd(end);
  return value;
}

function readValue(reader: ProtobufReader, end: number, levels: number): unknown {
  switch (reader.tagByte()) {
    case STRING_VALUE:
      return reader.text(reader.endOf(end));
    case BOOL_VALUE:
      return reader.bool();
    case INT_VALUE:
      return reader.integer();
    case DOUBLE_VALUE:
      return double(reader.double());
    case ARRAY_VALUE:
      return readElements(reader, reader.endOf(end), below(levels));
    case KVLIST_VALUE:
      return readMap(reader, reader.endOf(end), below(levels));
    case BYTES_VALUE:
      return reader.base64(reader.endOf(end));
    default:
      throw NOT_FAST;
  }
}

function readElements(reader: ProtobufReader, end: number, levels: number): unknown[] {
  const list: unknown[] = [];
  while (reader.pos < end) list.push(readAnyValue(reader, endOfValue(reader, end), levels) ?? null);
  reader.expectEnd(end);
  return list;
}

function readMap(reader: ProtobufReader, end: number, levels: number): Fields {
  const fields = new Fields();
  while (reader.pos < end) readAttribute(reader, endOfValue(reader, end), fields, levels);
  reader.expectEnd(end);
  return fields;
}

/** Where the next message in an `ArrayValue` or a `KeyValueList` ends. */
function endOfValue(reader: ProtobufReader, end: number): number {
  if (reader.tagByte() !== VALUES) throw NOT_FAST;
  return reader.endOf(end);
}

function below(levels: number): number {
  if (levels === 0) throw NOT_FAST;
  return levels - 1;
}
