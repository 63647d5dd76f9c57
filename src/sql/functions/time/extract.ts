import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { DAY_US, FIXED_UNITS, floorDivide } from '../../ir/time.ts';
import { DATE, DATETIME, INT64, typeName } from '../../ir/types.ts';
import { civilFromUs } from './civil.ts';

/** Parts that are the remainder of an integer division: unit and how many of them make the next. */
const CLOCK_PARTS: Readonly<Record<string, readonly [unit: string, modulus: bigint]>> = {
  MICROSECOND: ['MICROSECOND', 1_000_000n],
  MILLISECOND: ['MILLISECOND', 1_000n],
  SECOND: ['SECOND', 60n],
  MINUTE: ['MINUTE', 60n],
  HOUR: ['HOUR', 24n],
};

const calendar = (athena: string, duckdb: string): ScalarFunction => ({
  name: 'extract',
  athena: ([us]) => athena.replace('?', () => civilFromUs.athena(us ?? '')),
  duckdb: ([us]) => duckdb.replace('?', () => civilFromUs.duckdb(us ?? '')),
});

const CALENDAR_PARTS: Readonly<Record<string, ScalarFunction>> = {
  // Sunday is 1 in BigQuery, 7 for Trino's ISO day, 0 for DuckDB's.
  DAYOFWEEK: calendar('((DAY_OF_WEEK(?) % 7) + 1)', '(DAYOFWEEK(?) + 1)'),
  DAY: calendar('DAY(?)', 'DAY(?)'),
  DAYOFYEAR: calendar('DAY_OF_YEAR(?)', 'DAYOFYEAR(?)'),
  ISOWEEK: calendar('WEEK(?)', 'WEEKOFYEAR(?)'),
  ISOYEAR: calendar('YEAR_OF_WEEK(?)', 'ISOYEAR(?)'),
  MONTH: calendar('MONTH(?)', 'MONTH(?)'),
  QUARTER: calendar('QUARTER(?)', 'QUARTER(?)'),
  YEAR: calendar('YEAR(?)', 'YEAR(?)'),
};

/** `EXTRACT(part FROM value)` in UTC; a sentence when it is not possible. */
export function extractPart(part: string, value: Expr): Expr | string {
  const { kind } = value.type;
  if (part === 'DATE' && (kind === 'timestamp' || kind === 'datetime')) {
    return { op: 'cast', type: DATE, arg: value, safe: false };
  }
  if (kind === 'date') {
    return extractPart(part, { op: 'cast', type: DATETIME, arg: value, safe: false });
  }
  if (kind !== 'timestamp' && kind !== 'datetime') {
    return `EXTRACT needs a TIMESTAMP, DATETIME or DATE, not ${typeName(value.type)}`;
  }
  const clock = Object.hasOwn(CLOCK_PARTS, part) ? CLOCK_PARTS[part] : undefined;
  if (clock !== undefined) return clockPart(clock, value);
  const fn = Object.hasOwn(CALENDAR_PARTS, part) ? CALENDAR_PARTS[part] : undefined;
  if (fn === undefined) {
    return part === 'EPOCH'
      ? 'EXTRACT does not know the part EPOCH: write UNIX_SECONDS(time)'
      : `EXTRACT does not know the part ${part}`;
  }
  return {
    op: 'cast',
    type: INT64,
    arg: { op: 'call', type: INT64, fn, args: [value] },
    safe: false,
  };
}

const clockFunctions = new Map<string, ScalarFunction>();

function clockPart([unit, modulus]: readonly [string, bigint], value: Expr): Expr {
  const size = FIXED_UNITS[unit] ?? 1n;
  if (isConst(value) && typeof value.value === 'bigint') {
    const inDay = value.value - floorDivide(value.value, DAY_US) * DAY_US;
    return constant(INT64, (inDay / size) % modulus);
  }
  const known = clockFunctions.get(unit);
  const floor = `(((? % ${DAY_US}) + ${DAY_US}) % ${DAY_US})`;
  const fn: ScalarFunction = known ?? {
    name: 'extract',
    athena: ([us]) => `((${floor.replace('?', () => us ?? '')} / ${size}) % ${modulus})`,
    duckdb: ([us]) => `((${floor.replace('?', () => us ?? '')} // ${size}) % ${modulus})`,
  };
  clockFunctions.set(unit, fn);
  return { op: 'call', type: INT64, fn, args: [value] };
}
