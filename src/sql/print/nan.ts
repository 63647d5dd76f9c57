/**
 * NaN as BigQuery has it: equal to nothing, neither less nor greater than any number, and sorted between
 * NULL and all numbers. To DuckDB it equals itself, and both engines sort it above infinity.
 */

import type { SqlTarget } from '../common/result-schema.ts';
import type { ComparisonOperator, Expr } from '../ir/ir.ts';
import { isNeverNaN } from '../ir/never-nan.ts';

type Compared = Extract<Expr, { op: 'compare' }>;

/**
 * A comparison, printed; its operands are printed already. Trino compares as IEEE 754 has it, and so does
 * DuckDB unless what counts as the greater side is NaN.
 */
export function printComparison(
  target: SqlTarget,
  { comparison, left, right }: Compared,
  a: string,
  b: string,
): string {
  return target === 'duckdb' && greaterMayBeNaN(comparison, left, right)
    ? withoutNaN(comparison, a, b)
    : `(${a} ${comparison === '!=' ? '<>' : comparison} ${b})`;
}

function greaterMayBeNaN(comparison: ComparisonOperator, left: Expr, right: Expr): boolean {
  switch (comparison) {
    case '=':
    case '!=':
      return !isNeverNaN(left) && !isNeverNaN(right);
    case '<':
    case '<=':
      return !isNeverNaN(right);
    case '>':
    case '>=':
      return !isNeverNaN(left);
  }
}

/** `AND`, so that an equality is one to join by; NULL on the other side stays NULL. */
function withoutNaN(comparison: ComparisonOperator, a: string, b: string): string {
  if (comparison === '!=') return `(NOT ${withoutNaN('=', a, b)})`;
  const [greater, other] = comparison === '>' || comparison === '>=' ? [a, b] : [b, a];
  return `(${a} ${comparison} ${b} AND NOT (ISNAN(${greater}) AND ${other} IS NOT NULL))`;
}

/** A key of ORDER BY, printed; with one before it where the key may be NaN. */
export function printOrderKey(
  target: SqlTarget,
  key: string,
  direction: string,
  neverNaN: boolean,
): string {
  const test = target === 'duckdb' ? 'ISNAN' : 'IS_NAN';
  return neverNaN ? `${key}${direction}` : `(NOT ${test}(${key}))${direction}, ${key}${direction}`;
}

/** The rows of a query of one column, printed, without those that are NaN. */
export function withoutNaNs(target: SqlTarget, query: string): string {
  const test = target === 'duckdb' ? 'ISNAN' : 'IS_NAN';
  return `SELECT c0 FROM (${query}) AS numbers(c0) WHERE c0 IS NULL OR NOT ${test}(c0)`;
}
