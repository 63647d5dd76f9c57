import { parseTimestamp } from '../../ir/time.ts';

/** What users read about a function: `docs/sql.md` is made of these. */
export interface FunctionDoc {
  /** Such as `SUBSTR(value STRING, position INT64[, length INT64]) -> STRING`. */
  readonly signatures: readonly string[];
  /** BigQuery's meaning, with what it does to NULL and at the edges. */
  readonly rule: string;
  /** The page of BigQuery's documentation that the rule is from. */
  readonly source: string;
  readonly examples: readonly FunctionExample[];
}

/** An expression and the value that it has in BigQuery, as a row of an answer holds it. */
export interface FunctionExample {
  readonly sql: string;
  readonly value: unknown;
  /** The example as the reference shows it. */
  readonly text: string;
}

export interface Documented {
  /** Name in BigQuery, lower case. */
  readonly name: string;
  readonly doc: FunctionDoc;
}

/**
 * Writes the docs of functions that one page of BigQuery's documentation describes.
 *
 * @example
 * const doc = docsFrom('Mathematical functions');
 * doc('ABS(x FLOAT64) -> FLOAT64', 'The absolute value.', [example('ABS(-1)', 1)]);
 */
export function docsFrom(page: string) {
  return (
    signatures: string | readonly string[],
    rule: string,
    examples: readonly [FunctionExample, ...FunctionExample[]],
  ): FunctionDoc => ({
    signatures: typeof signatures === 'string' ? [signatures] : signatures,
    rule,
    source: `BigQuery: ${page}`,
    examples,
  });
}

/** A value as it would be written in a query. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** The value of an expression. */
export function example(sql: string, value: unknown): FunctionExample {
  return { sql, value, text: `${sql} is ${literal(value)}` };
}

/** An expression whose value is a TIMESTAMP: a number of microseconds, shown as the time that it is. */
export function timeExample(sql: string, time: string): FunctionExample {
  const us = parseTimestamp(time);
  if (us === undefined) throw new Error(`${time} is no time`);
  return { sql, value: Number(us), text: `${sql} is ${time}` };
}

/** An aggregate of `x`, or an expression that an engine cannot compute from constants alone. */
export function aggregateExample(values: string, sql: string, value: unknown): FunctionExample {
  return {
    sql: `(SELECT ${sql} FROM UNNEST(${values}) AS x)`,
    value,
    text: `${sql} for x in ${values} is ${literal(value)}`,
  };
}

/** A window function over `x`: its values in the order of `x`. */
export function windowExample(
  values: string,
  sql: string,
  results: readonly unknown[],
): FunctionExample {
  return {
    sql: `(SELECT ARRAY_AGG(y ORDER BY x) FROM (SELECT x, ${sql} AS y FROM UNNEST(${values}) AS x))`,
    value: results,
    text: `${sql} for x in ${values} is ${results.map(literal).join(', ')}`,
  };
}
