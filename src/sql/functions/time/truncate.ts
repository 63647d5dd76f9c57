import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import {
  CALENDAR_UNITS,
  DAY_US,
  FIXED_UNITS,
  fixedPeriod,
  formatCivil,
  parseDatetime,
  truncate,
} from '../../ir/time.ts';
import { DATE, DATETIME, typeName } from '../../ir/types.ts';
import { civilFromUs, wholeUsFromCivil } from './civil.ts';
import { timeOf, withinYears } from './years.ts';

/**
 * Truncates a TIMESTAMP, DATETIME or DATE to a unit.
 *
 * @returns the truncated value, or a sentence saying why there is none.
 */
export function truncateTo(value: Expr, unit: string): Expr | string {
  const { kind } = value.type;
  if (kind === 'date') {
    if (Object.hasOwn(FIXED_UNITS, unit) && unit !== 'DAY') {
      return `A DATE has no ${unit} to truncate to`;
    }
    const datetime = truncateTo(asDatetime(value), unit);
    return typeof datetime === 'string' ? datetime : asDate(datetime);
  }
  if (kind !== 'timestamp' && kind !== 'datetime') {
    return `Only a TIMESTAMP, DATETIME or DATE can be truncated to ${unit}, not ${typeName(value.type)}`;
  }
  if (isConst(value) && typeof value.value === 'bigint') {
    const truncated = truncate(value.value, unit);
    return truncated === undefined ? unknownUnit(unit) : timeOf(value.type, truncated);
  }
  const fn = truncation(unit);
  if (fn === undefined) return unknownUnit(unit);
  const start: Expr = { op: 'call', type: value.type, fn, args: [value] };
  // The year 1 starts on a Monday.
  return unit.startsWith('WEEK') ? withinYears(start) : start;
}

/** The function that truncates microseconds to a unit; undefined for a unit that BigQuery does not have. */
export function truncation(unit: string): ScalarFunction | undefined {
  const fixed = fixedPeriod(unit);
  if (fixed !== undefined) return toPeriod(fixed.period, fixed.phase);
  return CALENDAR_UNITS.includes(unit) ? TO_CALENDAR[unit] : undefined;
}

export function unknownUnit(unit: string): string {
  return `${unit} is not a unit to truncate to: use SECOND, MINUTE, HOUR, DAY, WEEK, ISOWEEK, MONTH, QUARTER or YEAR`;
}

function toPeriod(period: bigint, phase: bigint): ScalarFunction {
  // The remainder has the sign of the dividend in both engines: adding the period and taking it
  // again makes it floor, also before 1970.
  const form = ([us]: readonly string[]): string =>
    `(${us} - (((${us} + ${phase}) % ${period}) + ${period}) % ${period})`;
  const displacement = { ahead: 0, behind: Number(period - 1n) };
  return { name: 'timestamp_trunc', athena: form, duckdb: form, displacement };
}

const toCalendar = (unit: string, longestDays: number): ScalarFunction => ({
  name: 'timestamp_trunc',
  displacement: { ahead: 0, behind: longestDays * Number(DAY_US) - 1 },
  athena: ([us]) =>
    wholeUsFromCivil.athena(`DATE_TRUNC('${unit}', ${civilFromUs.athena(us ?? '')})`),
  duckdb: ([us]) =>
    wholeUsFromCivil.duckdb(`DATE_TRUNC('${unit}', ${civilFromUs.duckdb(us ?? '')})`),
});

const TO_CALENDAR: Readonly<Record<string, ScalarFunction>> = {
  MONTH: toCalendar('month', 31),
  QUARTER: toCalendar('quarter', 92),
  YEAR: toCalendar('year', 366),
};

function asDatetime(date: Expr): Expr {
  if (isConst(date) && typeof date.value === 'string') {
    return constant(DATETIME, parseDatetime(date.value) ?? null);
  }
  return { op: 'cast', type: DATETIME, arg: date, safe: false };
}

function asDate(datetime: Expr): Expr {
  if (isConst(datetime) && typeof datetime.value === 'bigint') {
    return constant(DATE, formatCivil(datetime.value).slice(0, 10));
  }
  return { op: 'cast', type: DATE, arg: datetime, safe: false };
}
