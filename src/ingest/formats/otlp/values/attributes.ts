/** Attributes and other values of any type as JSON. */
import { Fields } from '../../../../platform/json/fields.ts';
import type { AnyValue, KeyValue } from '../gen/opentelemetry/proto/common/v1/common_pb.ts';
import { bufferOver } from './ids.ts';
import { double, integer } from './numbers.ts';

/** Attributes as protobuf-es reads them, or as the object that they become. */
export type AttributeList = readonly KeyValue[] | Fields;

/** An object with a field for each key. Of equal keys the last wins; one without value is left out. */
export function attributes(list: AttributeList): Fields {
  if (list instanceof Fields) return list;
  const fields = new Fields();
  for (const { key, value } of list) fields[key] = anyValue(value);
  return fields;
}

/**
 * A value as JSON: bytes become base64, lists of keys and values objects. Undefined where nothing is
 * set, and for indexes into a table of strings, which only profiles have.
 */
export function anyValue(any: AnyValue | undefined): unknown {
  switch (any?.value.case) {
    case 'stringValue':
    case 'boolValue':
      return any.value.value;
    case 'intValue':
      return integer(any.value.value);
    case 'doubleValue':
      return double(any.value.value);
    case 'bytesValue':
      return bufferOver(any.value.value).toString('base64');
    case 'arrayValue':
      return any.value.value.values.map((value) => anyValue(value) ?? null);
    case 'kvlistValue':
      return attributes(any.value.value.values);
    default:
      return undefined;
  }
}
