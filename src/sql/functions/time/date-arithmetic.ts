import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import {
  addMonths,
  DAY_US,
  FIXED_UNITS,
  fixedPeriod,
  formatCivil,
  parseDatetime,
} from '../../ir/time.ts';
import { DATE, INT64, type SqlType, typeName } from '../../ir/types.ts';
import { both } from '../common/function.ts';
import { civilFromUs, usFromCivil } from './civil.ts';
import { TOO_LONG_US, timeOf, withinYears } from './years.ts';

const MONTHS: Readonly<Record<string, bigint>> = { MONTH: 1n, QUARTER: 3n, YEAR: 12n };

/**
 * Adds `sign * amount` units to a TIMESTAMP, DATETIME or DATE.
 *
 * @returns the sum, or a sentence saying why there is none.
 */
export function addInterval(base: Expr, amount: Expr, unit: string, sign: bigint): Expr | string {
  const { kind } = base.type;
  if (kind !== 'timestamp' && kind !== 'datetime' && kind !== 'date') {
    return `An interval can be added to a TIMESTAMP, DATETIME or DATE, not to ${typeName(base.type)}`;
  }
  const fixed = unit === 'WEEK' ? 7n * DAY_US : own(FIXED_UNITS, unit);
  if (fixed !== undefined) {
    return kind === 'date'
      ? addDays(base, amount, unit, fixed, sign)
      : addFixed(base, amount, sign * fixed);
  }
  const months = own(MONTHS, unit);
  if (months === undefined) return `${unit} is not a unit of time that can be added`;
  if (kind === 'timestamp') {
    return `A TIMESTAMP has no calendar to add a ${unit} by: use DAY, or DATETIME_ADD`;
  }
  return addCalendar(base, amount, sign * months);
}

function own(units: Readonly<Record<string, bigint>>, unit: string): bigint | undefined {
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}

function addFixed(base: Expr, amount: Expr, factor: bigint): Expr {
  if (isConst(amount) && typeof amount.value === 'bigint') {
    const delta = clamp(amount.value * factor, TOO_LONG_US);
    if (isConst(base) && typeof base.value === 'bigint') {
      return timeOf(base.type, base.value + delta);
    }
    return plus(base, constant(INT64, delta));
  }
  const delta: Expr = {
    op: 'arithmetic',
    type: INT64,
    operator: '*',
    left: amount,
    right: constant(INT64, factor),
  };
  return plus(base, delta);
}

function plus(base: Expr, delta: Expr): Expr {
  return withinYears({
    op: 'arithmetic',
    type: base.type,
    operator: '+',
    left: base,
    right: delta,
  });
}

/** Literals can be of any size, printed INT64s not. */
function clamp(value: bigint, limit: bigint): bigint {
  return value > limit ? limit : value < -limit ? -limit : value;
}

function addDays(
  base: Expr,
  amount: Expr,
  unit: string,
  fixed: bigint,
  sign: bigint,
): Expr | string {
  const days = fixed / DAY_US;
  if (days * DAY_US !== fixed || days === 0n) {
    return `A DATE cannot be moved by ${unit}: use DAY, WEEK, MONTH, QUARTER or YEAR`;
  }
  const moved = addFixed(dateToDatetime(base), amount, sign * fixed);
  return datetimeToDate(moved);
}

function dateToDatetime(date: Expr): Expr {
  const type: SqlType = { kind: 'datetime' };
  if (isConst(date) && typeof date.value === 'string') {
    return constant(type, parseDatetime(date.value) ?? null);
  }
  return { op: 'cast', type, arg: date, safe: false };
}

function datetimeToDate(datetime: Expr): Expr {
  if (isConst(datetime) && typeof datetime.value === 'bigint') {
    return constant(DATE, formatCivil(datetime.value).slice(0, 10));
  }
  return { op: 'cast', type: DATE, arg: datetime, safe: false };
}

function addCalendar(base: Expr, amount: Expr, months: bigint): Expr {
  const from = base.type.kind === 'date' ? dateToDatetime(base) : base;
  const constantMonths =
    isConst(amount) && typeof amount.value === 'bigint'
      ? clamp(amount.value * months, TOO_MANY_MONTHS)
      : undefined;
  if (isConst(from) && typeof from.value === 'bigint' && constantMonths !== undefined) {
    const moved = timeOf(from.type, addMonths(from.value, constantMonths) ?? TOO_LONG_US);
    return base.type.kind === 'date' ? datetimeToDate(moved) : moved;
  }
  const count: Expr =
    constantMonths === undefined
      ? {
          op: 'arithmetic',
          type: INT64,
          operator: '*',
          left: amount,
          right: constant(INT64, months),
        }
      : constant(INT64, constantMonths);
  const moved = withinYears({ op: 'call', type: from.type, fn: ADD_MONTHS, args: [from, count] });
  return base.type.kind === 'date' ? datetimeToDate(moved) : moved;
}

const TOO_MANY_MONTHS = 120_000n;

const ADD_MONTHS: ScalarFunction = {
  name: 'datetime_add',
  athena: ([us, n]) =>
    usFromCivil.athena(`DATE_ADD('month', ${n}, ${civilFromUs.athena(us ?? '')})`),
  duckdb: ([us, n]) =>
    usFromCivil.duckdb(`(${civilFromUs.duckdb(us ?? '')} + TO_MONTHS(CAST(${n} AS INTEGER)))`),
};

/** Whole units between two instants, as BigQuery counts them: TIMESTAMP_DIFF cuts towards zero. */
export function timestampDiff(later: Expr, earlier: Expr, unit: string): Expr | string {
  const fixed = own(FIXED_UNITS, unit);
  if (fixed === undefined) {
    return `TIMESTAMP_DIFF counts in MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR or DAY, not ${unit}`;
  }
  const [a, b] = [microseconds(later), microseconds(earlier)];
  if (isConst(a) && isConst(b) && typeof a.value === 'bigint' && typeof b.value === 'bigint') {
    return constant(INT64, (a.value - b.value) / fixed);
  }
  const gap: Expr = { op: 'arithmetic', type: INT64, operator: '-', left: a, right: b };
  return fixed === 1n
    ? gap
    : { op: 'call', type: INT64, fn: DIVIDE, args: [gap, constant(INT64, fixed)] };
}

/** A TIMESTAMP as the number that it is in both engines. */
function microseconds(time: Expr): Expr {
  return isConst(time)
    ? constant(INT64, time.value)
    : { op: 'call', type: INT64, fn: MICROSECONDS, args: [time] };
}

const MICROSECONDS: ScalarFunction = { name: 'unix_micros', ...both(([us]) => `${us}`) };

/** Integer division towards zero. */
const DIVIDE: ScalarFunction = {
  name: 'div',
  athena: ([a, b]) => `(${a} / ${b})`,
  duckdb: ([a, b]) => `((${a} - ${a} % ${b}) // ${b})`,
};

/** Calendar boundaries crossed: DATE_DIFF and DATETIME_DIFF. */
export function boundariesBetween(later: Expr, earlier: Expr, unit: string): Expr | string {
  const name = { MONTH: 'month', QUARTER: 'quarter', YEAR: 'year' }[unit];
  const fixed = fixedPeriod(unit);
  if (fixed !== undefined) {
    return { op: 'call', type: INT64, fn: periodsBetween(fixed), args: [later, earlier] };
  }
  if (name === undefined) {
    return `${unit} is not supported here: use DAY, WEEK, ISOWEEK, MONTH, QUARTER or YEAR`;
  }
  const start = (civil: string): string => `DATE_TRUNC('${name}', ${civil})`;
  const fn: ScalarFunction = {
    name: 'datetime_diff',
    athena: ([a = '', b = '']) =>
      `DATE_DIFF('${name}', ${start(civilFromUs.athena(b))}, ${start(civilFromUs.athena(a))})`,
    duckdb: ([a = '', b = '']) =>
      `DATE_DIFF('${name}', ${civilFromUs.duckdb(b)}, ${civilFromUs.duckdb(a)})`,
  };
  return { op: 'call', type: INT64, fn, args: [later, earlier] };
}

/** Boundaries of periods of one length, by integers: DuckDB's DATE_DIFF counts weeks from day to day. */
function periodsBetween({ period, phase }: { period: bigint; phase: bigint }): ScalarFunction {
  const start = (us: string): string =>
    `(${us} - (((${us} + ${phase}) % ${period}) + ${period}) % ${period})`;
  return {
    name: 'datetime_diff',
    athena: ([a = '', b = '']) => `((${start(a)} - ${start(b)}) / ${period})`,
    duckdb: ([a = '', b = '']) => `((${start(a)} - ${start(b)}) // ${period})`,
  };
}
