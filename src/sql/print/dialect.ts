import { quoteText } from '../../platform/sql-text.ts';
import type { SqlTarget } from '../common/result-schema.ts';
import type { JsonPath } from '../ir/ir.ts';
import type { SqlType } from '../ir/types.ts';

/** A JSON text, or one that is none, printed. */
export interface JsonText {
  readonly text: string;
  /** Whether it is read from the lake, which never fails. */
  readonly isStored: boolean;
}

/** What the engines spell differently, outside of functions. */
export interface Dialect {
  readonly target: SqlTarget;
  typeName(type: SqlType): string;
  /** A scalar inside a JSON text as VARCHAR; NULL where an object, a list or nothing is. */
  jsonScalar(json: JsonText, path: JsonPath): string;
  /** Whatever lies at a path, as JSON text. */
  jsonText(json: JsonText, path: JsonPath): string;
  jsonIsObject(json: JsonText, path: JsonPath): string;
  /** Array of JSON texts: the elements of a list, or the one object. */
  jsonElements(json: JsonText, path: JsonPath): string;
  /** A scalar as JSON text. */
  toJson(value: string, type: SqlType): string;
  /**
   * An array as JSON text.
   *
   * @param element JSON text of an element `e`, printed; undefined where the engine's own is right.
   */
  arrayToJson(array: string, element: string | undefined): string;
  array(items: readonly string[], type: SqlType): string;
  /** Zero-based element; out of range it is NULL when safe, else an error. */
  element(array: string, index: string, safe: boolean): string;
  /** The array of what `body` makes of each element, which it knows as `variable`. */
  mapArray(array: string, variable: string, body: string): string;
  /** Whether a condition on `variable` is TRUE for any element. */
  anyMatch(array: string, variable: string, condition: string): string;
  /** Membership with the NULLs of IN. `computed` says whether an item is more than a constant or a column. */
  inList(value: string, items: readonly string[], computed: boolean): string;
  unnest(array: string, alias: string, column: string, offset: string | undefined): string;
  cast(value: string, from: SqlType, to: SqlType, safe: boolean): string;
  partitionLowerBound(date: string, hour: number): string;
}

/** What a value that is no array is in both engines; JSON and STRUCTs travel as JSON text. */
export function scalarTypeName(type: SqlType): string {
  switch (type.kind) {
    case 'int64':
    case 'timestamp':
    case 'datetime':
      return 'BIGINT';
    case 'float64':
      return 'DOUBLE';
    case 'bool':
      return 'BOOLEAN';
    case 'date':
      return 'DATE';
    default:
      return 'VARCHAR';
  }
}

const SAFE_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A path into JSON as a text literal. Trino's JSONPath knows keys in dots and in quoted brackets. DuckDB's
 * own knows no empty key, so it gets a JSON Pointer (RFC 6901), in which a number is a position of a list or
 * a key of an object, as it is to Trino and BigQuery.
 */
export function jsonPathLiteral(path: JsonPath, style: 'athena' | 'duckdb'): string {
  if (style === 'duckdb') {
    const pointer = path.map(
      (step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
    return path.length === 0 ? "'$'" : quoteText(pointer.join(''));
  }
  const steps = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    const escaped = key.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    return SAFE_KEY.test(key) ? `.${key}` : `["${escaped}"]`;
  });
  return quoteText(`$${steps.join('')}`);
}
