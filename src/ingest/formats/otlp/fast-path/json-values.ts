/** Values of OTLP/JSON as exporters write them; see fast-path.ts. */
import { Fields } from '../../../../platform/json/fields.ts';
import { integer } from '../values/numbers.ts';
import { FAST_LEVELS, NOT_FAST } from './fast-path.ts';

type Json = Readonly<Record<string, unknown>>;

/** An object, which may be walked. */
export function objectOf(json: unknown): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw NOT_FAST;
  return json as Json;
}

export function listOf(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw NOT_FAST;
  return json;
}

/** Text that UTF-8 can say, which protobuf asks for. */
export function textOf(json: unknown): string {
  if (typeof json !== 'string' || !json.isWellFormed()) throw NOT_FAST;
  return json;
}

/** A count, or flags. */
export function uint32Of(json: unknown): number {
  if (typeof json !== 'number' || json >>> 0 !== json) throw NOT_FAST;
  // Zero has no sign in protobuf.
  return json + 0;
}

/** FATAL4 is 24, and the enum is an int32. */
const MAX_SEVERITY = 100;

/** A number of the enum, or one that later versions may add to it. */
export function severityOf(json: unknown): number {
  const number = uint32Of(json);
  if (number > MAX_SEVERITY) throw NOT_FAST;
  return number;
}

/** Nanoseconds since the epoch: 19 digits for the years 2001 to 2262. */
export function nanosOf(json: unknown): bigint {
  if (typeof json !== 'string' || !/^(?:0|[1-9]\d{0,18})$/.test(json)) throw NOT_FAST;
  return BigInt(json);
}

/** An id in lower-case hex. */
export function idOf(json: unknown): string {
  if (typeof json !== 'string' || !/^(?:[\da-f]{16}|[\da-f]{32})?$/.test(json)) throw NOT_FAST;
  return json;
}

/** A list of keys and values as an object; of equal keys the last wins. */
export function attributesOf(json: unknown, levels = FAST_LEVELS): Fields {
  const fields = new Fields();
  for (const item of listOf(json)) {
    const pair = objectOf(item);
    let key = '';
    let value: unknown;
    for (const name in pair) {
      if (name === 'key') {
        key = textOf(pair[name]);
      } else if (name === 'value') {
        value = anyValueOf(pair[name], levels);
      } else {
        throw NOT_FAST;
      }
    }
    fields[key] = value;
  }
  return fields;
}

/** An `AnyValue` as JSON; undefined where nothing is set. */
export function anyValueOf(json: unknown, levels = FAST_LEVELS): unknown {
  const any = objectOf(json);
  let value: unknown;
  let isSet = false;
  for (const name in any) {
    if (isSet) throw NOT_FAST;
    isSet = true;
    value = ofKind(name, any[name], levels);
  }
  return value;
}

function ofKind(kind: string, json: unknown, levels: number): unknown {
  switch (kind) {
    case 'stringValue':
      return textOf(json);
    case 'intValue':
      return integerOf(json);
    case 'doubleValue':
      return Number.isFinite(json) ? json : fail();
    case 'boolValue':
      return typeof json === 'boolean' ? json : fail();
    case 'arrayValue':
      return levels === 0 ? fail() : elementsOf(json, levels - 1);
    case 'kvlistValue':
      return levels === 0 ? fail() : attributesOf(valuesIn(json), levels - 1);
    default:
      return fail();
  }
}

function elementsOf(json: unknown, levels: number): unknown[] {
  return listOf(valuesIn(json)).map((element) => anyValueOf(element, levels) ?? null);
}

/** The list in an `ArrayValue` or a `KeyValueList`. */
function valuesIn(json: unknown): unknown {
  let values: unknown = [];
  const object = objectOf(json);
  for (const name in object) values = name === 'values' ? object[name] : fail();
  return values;
}

/** Up to 18 digits cannot leave the range of 64 bits. */
function integerOf(json: unknown): unknown {
  if (Number.isSafeInteger(json)) return (json as number) + 0;
  if (typeof json !== 'string' || !/^-?\d{1,18}$/.test(json)) throw NOT_FAST;
  return json.length <= 15 ? Number(json) + 0 : integer(BigInt(json));
}

function fail(): never {
  throw NOT_FAST;
}
