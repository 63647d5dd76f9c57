import { parseJson, rawNumber, stringifyJson } from '../../platform/json/json.ts';
import type { OutputShape, OutputType } from '../../sql/common/result-schema.ts';
import { civilText } from './datetime-format.ts';

/** Reads one non-null cell of a column. */
export type CellDecoder = (cell: string) => unknown;

const INTEGER = /^[+-]?\d+$/;
/** BigQuery's REST interface spells what JSON numbers cannot say, and so do we. */
const INFINITY = /^[+-]?inf(?:inity)?$/i;

/**
 * Decoder of a column.
 *
 * @throws Error from the decoder when a cell does not hold its type; the message leaves the cell's
 *   contents out.
 */
export function cellDecoder(type: OutputType): CellDecoder {
  switch (type.kind) {
    case 'int64':
    case 'timestamp':
      return decodeInt64;
    case 'float64':
      return decodeFloat64;
    case 'bool':
      return decodeBool;
    case 'datetime':
      return (cell) => civilText(integer(cell));
    case 'string':
    case 'date':
      return (cell) => cell;
    case 'json': {
      const { shape } = type;
      return shape === undefined ? decodeJson : (cell) => applyShape(shape, decodeJson(cell));
    }
  }
}

/** A number where a double holds it exactly, else a raw JSON number with all its digits. */
function decodeInt64(cell: string): unknown {
  const value = integer(cell);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : rawNumber(value.toString());
}

function integer(cell: string): bigint {
  if (!INTEGER.test(cell)) throw malformed('int64');
  return BigInt(cell.replace('+', ''));
}

function decodeFloat64(cell: string): unknown {
  if (INFINITY.test(cell)) return cell.startsWith('-') ? '-Infinity' : 'Infinity';
  if (/^[+-]?nan$/i.test(cell)) return 'NaN';
  const value = Number(cell);
  if (cell.trim() === '' || !Number.isFinite(value)) throw malformed('float64');
  return value;
}

function decodeBool(cell: string): boolean {
  if (cell !== 'true' && cell !== 'false') throw malformed('bool');
  return cell === 'true';
}

/** A ServiceError here would blame the caller for what the engine sent. */
function decodeJson(cell: string): unknown {
  try {
    return parseJson(cell);
  } catch (cause) {
    throw malformed('JSON text', cause);
  }
}

function applyShape(shape: OutputShape, value: unknown): unknown {
  if (value === null) return null;
  if (shape.kind === 'scalar') return applyScalar(shape.type, value);
  if (!Array.isArray(value)) throw malformed(shape.kind);
  if (shape.kind === 'array') return value.map((element) => applyShape(shape.of, element));
  if (value.length !== shape.fields.length) throw malformed('struct');
  return Object.fromEntries(
    shape.fields.map((field, index) => [field.name, applyShape(field.shape, value[index])]),
  );
}

/** Inside JSON a scalar is a JSON value of its own; as text it reads like a cell of its type. */
function applyScalar(type: OutputType, value: unknown): unknown {
  if (type.kind === 'json') return type.shape === undefined ? value : applyShape(type.shape, value);
  return cellDecoder(type)(typeof value === 'string' ? value : stringifyJson(value));
}

function malformed(kind: string, cause?: unknown): Error {
  return new Error(`The engine returned a cell that is not ${kind}.`, { cause });
}
