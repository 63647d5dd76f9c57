import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction, SqlTemplate } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { isTime, LAST_US, START_US } from '../../ir/time.ts';
import type { SqlType } from '../../ir/types.ts';
import { failure } from '../common/runtime-errors.ts';

/**
 * A TIMESTAMP or DATETIME that was computed: an error where it is not in the years 1 to 9999, as in
 * BigQuery. The engines' own times go on for a while.
 */
export function withinYears(time: Expr): Expr {
  if (isConst(time)) return typeof time.value === 'bigint' ? timeOf(time.type, time.value) : time;
  return { op: 'call', type: time.type, fn: WITHIN_YEARS, args: [time] };
}

/** The constant, or what fails when it is computed: `SAFE.` is to make NULL of it. */
export function timeOf(type: SqlType, us: bigint): Expr {
  return isTime(us) ? constant(type, us) : { op: 'call', type, fn: OUTSIDE, args: [] };
}

/** Adding as much to any time leaves the years. */
export const TOO_LONG_US = LAST_US - START_US + 1n;

const FAILURE = failure('The time is not in the years 1 to 9999', 'BIGINT');

/** {@link withinYears} of printed microseconds. */
export function insideYears(us: string): string {
  return `CASE WHEN ${us} NOT BETWEEN ${START_US} AND ${LAST_US} THEN ${FAILURE} ELSE ${us} END`;
}

const inside: SqlTemplate = ([us = '']) => insideYears(us);

const WITHIN_YEARS: ScalarFunction = {
  name: 'within_years',
  athena: inside,
  duckdb: inside,
  displacement: { ahead: 0, behind: 0 },
};

const OUTSIDE: ScalarFunction = {
  name: 'outside_years',
  athena: () => FAILURE,
  duckdb: () => FAILURE,
};
