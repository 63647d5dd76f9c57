/** Which engine a statement is printed for. */
export type SqlTarget = 'athena' | 'duckdb';

/**
 * How a result column is to be read from its text cell:
 * - `int64`, `float64`, `bool`, `string`: as named
 * - `timestamp`: an int64 of microseconds since the epoch, answered as a number
 * - `datetime`: an int64 of microseconds of civil time, answered as `YYYY-MM-DDTHH:MM:SS[.ffffff]`
 * - `date`: `YYYY-MM-DD` text
 * - `json`: JSON text, answered as the value it holds; `shape` says how nested values are encoded
 */
export type OutputType =
  | { readonly kind: 'int64' | 'float64' | 'bool' | 'string' | 'timestamp' | 'datetime' | 'date' }
  | { readonly kind: 'json'; readonly shape?: OutputShape };

/**
 * Encoding of a value inside a `json` column. Engines disagree on how they write structs as JSON, so
 * the compiler prints a struct as a JSON array of its members and the decoder gives the names back.
 */
export type OutputShape =
  | { readonly kind: 'scalar'; readonly type: OutputType }
  | { readonly kind: 'array'; readonly of: OutputShape }
  | {
      readonly kind: 'struct';
      readonly fields: readonly { readonly name: string; readonly shape: OutputShape }[];
    };

/** One column of a compiled query, in order. */
export interface OutputColumn {
  /** The name the client sees, BigQuery's case kept; duplicates are allowed, the last one wins. */
  readonly name: string;
  readonly type: OutputType;
}
