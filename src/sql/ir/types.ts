/**
 * Types of the compiler. What each is in both engines:
 * - `timestamp`, `datetime`: BIGINT, microseconds since the epoch (of UTC, of civil time). Integers
 *   keep all six digits, compare and subtract alike everywhere, and need no time zone.
 * - `dynamic`: VARCHAR holding JSON text, a value whose type only its use will tell
 * - `interval`: exists only as an argument of date functions
 * - `null`: a NULL that no context has given a type yet
 */
export type SqlType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'array'; readonly of: SqlType }
  | StructType;

export interface StructType {
  readonly kind: 'struct';
  readonly fields: readonly StructField[];
}

export type ScalarKind =
  | 'int64'
  | 'float64'
  | 'bool'
  | 'string'
  | 'timestamp'
  | 'datetime'
  | 'date'
  | 'interval'
  | 'dynamic'
  | 'null';

/** What a text may be read as, where it says a number or a boolean. */
export interface ReadableType {
  readonly kind: 'int64' | 'float64' | 'bool';
}

export interface StructField {
  readonly name: string;
  readonly type: SqlType;
}

const scalar = (kind: ScalarKind): SqlType => ({ kind });

export const INT64 = scalar('int64');
export const FLOAT64 = scalar('float64');
export const BOOL = scalar('bool');
export const STRING = scalar('string');
export const TIMESTAMP = scalar('timestamp');
export const DATETIME = scalar('datetime');
export const DATE = scalar('date');
export const INTERVAL = scalar('interval');
export const DYNAMIC = scalar('dynamic');
export const NULL = scalar('null');

export function arrayOf(of: SqlType): SqlType {
  return { kind: 'array', of };
}

/** How many ARRAYs and STRUCTs a type has within each other. */
export function typeDepth(type: SqlType): number {
  switch (type.kind) {
    case 'array':
      return 1 + typeDepth(type.of);
    case 'struct':
      return 1 + type.fields.reduce((depth, field) => Math.max(depth, typeDepth(field.type)), 0);
    default:
      return 0;
  }
}

export function sameType(a: SqlType, b: SqlType): boolean {
  return typeName(a) === typeName(b);
}

export function isReadable(type: SqlType): type is ReadableType {
  return type.kind === 'int64' || type.kind === 'float64' || type.kind === 'bool';
}

/** BigQuery's spelling, for messages. */
export function typeName(type: SqlType): string {
  switch (type.kind) {
    case 'array':
      return `ARRAY<${typeName(type.of)}>`;
    case 'struct':
      return `STRUCT<${type.fields.map((f) => `${f.name} ${typeName(f.type)}`.trim()).join(', ')}>`;
    case 'dynamic':
      return 'JSON';
    default:
      return type.kind.toUpperCase();
  }
}

const TYPE_NAMES: Readonly<Record<string, SqlType>> = {
  INT64: INT64,
  INT: INT64,
  INTEGER: INT64,
  BIGINT: INT64,
  SMALLINT: INT64,
  TINYINT: INT64,
  BYTEINT: INT64,
  FLOAT64: FLOAT64,
  FLOAT: FLOAT64,
  DOUBLE: FLOAT64,
  NUMERIC: FLOAT64,
  BIGNUMERIC: FLOAT64,
  DECIMAL: FLOAT64,
  BOOL: BOOL,
  BOOLEAN: BOOL,
  STRING: STRING,
  TEXT: STRING,
  VARCHAR: STRING,
  TIMESTAMP: TIMESTAMP,
  TIMESTAMPTZ: TIMESTAMP,
  DATETIME: DATETIME,
  DATE: DATE,
  JSON: DYNAMIC,
};

/** The type of a scalar type name in upper case; PostgreSQL's common names are understood too. */
export function scalarTypeNamed(name: string): SqlType | undefined {
  return Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;
}
