import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { DATE, DATETIME, INT64, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import { docsFrom, example, type FunctionDoc, timeExample } from '../common/doc.ts';
import { type CustomBoundFunction, calls, type FunctionCall } from '../common/function.ts';
import { addInterval } from './date-arithmetic.ts';
import { instantArgument, orThrow, temporal, withZone } from './temporal.ts';
import { truncateTo } from './truncate.ts';
import { truncateInZone } from './truncate-in-zone.ts';

const PARTS =
  'WEEK starts on Sunday, WEEK(MONDAY) and ISOWEEK on Monday; the others are DAY, MONTH, QUARTER and YEAR';

/** Truncates by a part, in UTC or, of a TIMESTAMP, in a time zone. */
function truncated(call: FunctionCall, at: { value: number; part: number }, type: SqlType): Expr {
  if (call.count < 3) {
    return orThrow(call, truncateTo(temporal(call, at.value, type), call.word(at.part)));
  }
  const value = instantArgument(call, at.value);
  return withZone(call, 2, TIMESTAMP, (zone) =>
    orThrow(call, truncateInZone(value, call.word(at.part), zone)),
  );
}

function trunc(name: string, type: SqlType, doc: FunctionDoc): CustomBoundFunction {
  return {
    name,
    takes: [2, 3],
    doc,
    bind: (call) => truncated(call, { value: 0, part: 1 }, type),
  };
}

/** From the first day of a part to the first one of its last month. */
const MONTHS_TO_LAST: Readonly<Record<string, bigint>> = { MONTH: 0n, QUARTER: 2n, YEAR: 11n };

const LAST_OF_MONTH: ScalarFunction = {
  name: 'last_day',
  athena: calls('LAST_DAY_OF_MONTH'),
  duckdb: calls('LAST_DAY'),
};

function lastOfMonth(date: Expr): Expr {
  if (!isConst(date) || typeof date.value !== 'string') {
    return { op: 'call', type: DATE, fn: LAST_OF_MONTH, args: [date] };
  }
  const last = new Date(`${date.value}T00:00:00Z`);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return constant(DATE, last.toISOString().slice(0, 10));
}

export const TRUNC_FUNCTIONS: readonly CustomBoundFunction[] = [
  trunc(
    'timestamp_trunc',
    TIMESTAMP,
    docsFrom('Timestamp functions')(
      'TIMESTAMP_TRUNC(value TIMESTAMP, part[, zone]) -> TIMESTAMP',
      `The start of the part that the time lies in: MICROSECOND to HOUR, or a part of the calendar; in UTC, or in the time zone. ${PARTS}.`,
      [
        timeExample(
          "TIMESTAMP_TRUNC(TIMESTAMP '2026-02-03 10:20:30.5', HOUR)",
          '2026-02-03 10:00:00',
        ),
        timeExample(
          "TIMESTAMP_TRUNC(TIMESTAMP '2026-02-03 16:20:30', DAY, 'Asia/Tokyo')",
          '2026-02-03 15:00:00',
        ),
        timeExample(
          "TIMESTAMP_TRUNC(TIMESTAMP '2026-02-03 10:20:30', WEEK)",
          '2026-02-01 00:00:00',
        ),
        timeExample(
          "TIMESTAMP_TRUNC(TIMESTAMP '1969-12-31 23:59:59', MINUTE)",
          '1969-12-31 23:59:00',
        ),
        timeExample('TIMESTAMP_TRUNC(TIMESTAMP_SECONDS(DIV(-2, 1)), DAY)', '1969-12-31 00:00:00'),
        timeExample(
          'TIMESTAMP_TRUNC(TIMESTAMP_SECONDS(DIV(-2, 1)), QUARTER)',
          '1969-10-01 00:00:00',
        ),
        timeExample(
          "TIMESTAMP_TRUNC(TIMESTAMP_SECONDS(1770114030), HOUR, 'Asia/Kathmandu')",
          '2026-02-03 10:15:00',
        ),
      ],
    ),
  ),
  trunc(
    'datetime_trunc',
    DATETIME,
    docsFrom('Datetime functions')(
      [
        'DATETIME_TRUNC(value DATETIME, part) -> DATETIME',
        'DATETIME_TRUNC(value TIMESTAMP, part[, zone]) -> TIMESTAMP',
      ],
      'As TIMESTAMP_TRUNC, for a DATETIME.',
      [
        example("DATETIME_TRUNC(DATETIME '2026-02-03 10:20:30', MONTH)", '2026-02-01T00:00:00'),
        example("DATETIME_TRUNC(DATETIME '2026-02-01 10:20:30', ISOWEEK)", '2026-01-26T00:00:00'),
        timeExample(
          "DATETIME_TRUNC(TIMESTAMP '2026-02-03 16:20:30', DAY, 'Asia/Tokyo')",
          '2026-02-03 15:00:00',
        ),
      ],
    ),
  ),
  {
    name: 'date_trunc',
    takes: [2, 3],
    doc: docsFrom('Date functions')(
      [
        'DATE_TRUNC(value DATE or DATETIME, part) -> T',
        'DATE_TRUNC(value TIMESTAMP, part[, zone]) -> TIMESTAMP',
        "DATE_TRUNC('part', value T[, zone]) -> T",
      ],
      `The first day of the part that the date lies in; of a time as TIMESTAMP_TRUNC, with a time zone too. ${PARTS}. The last form is PostgreSQL's.`,
      [
        example("DATE_TRUNC(DATE '2026-02-03', MONTH)", '2026-02-01'),
        example("DATE_TRUNC(DATE '2026-02-03', WEEK(MONDAY))", '2026-02-02'),
        example("DATE_TRUNC(DATE '1969-12-31', YEAR)", '1969-01-01'),
        timeExample(
          "DATE_TRUNC(TIMESTAMP '2026-02-03 23:30:00', DAY, 'Europe/Berlin')",
          '2026-02-03 23:00:00',
        ),
        timeExample(
          "DATE_TRUNC(TIMESTAMP_SECONDS(1770161400), MONTH, 'Europe/Berlin')",
          '2026-01-31 23:00:00',
        ),
        timeExample("DATE_TRUNC('hour', TIMESTAMP '2026-02-03 10:20:30')", '2026-02-03 10:00:00'),
        timeExample(
          "DATE_TRUNC('day', TIMESTAMP '2026-02-03 23:30:00', 'Europe/Berlin')",
          '2026-02-03 23:00:00',
        ),
      ],
    ),
    bind: (call) => {
      // PostgreSQL has the part first: date_trunc('day', x).
      const first = call.arg(0);
      return isConst(first) && first.type.kind === 'string'
        ? truncated(call, { value: 1, part: 0 }, TIMESTAMP)
        : truncated(call, { value: 0, part: 1 }, DATE);
    },
  },
  {
    name: 'last_day',
    takes: [1, 2],
    doc: docsFrom('Date functions')(
      'LAST_DAY(value DATE[, part]) -> DATE',
      'The last day of the MONTH that the date lies in, or of its WEEK, ISOWEEK, QUARTER or YEAR.',
      [
        example("LAST_DAY(DATE '2024-02-10')", '2024-02-29'),
        example("LAST_DAY(DATE '2026-02-03', WEEK)", '2026-02-07'),
        example('LAST_DAY(DATE(TIMESTAMP_SECONDS(DIV(-2, 1))), QUARTER)', '1969-12-31'),
        example("LAST_DAY(DATE '9999-12-01')", '9999-12-31'),
        example("LAST_DAY(DATE '0004-01-31', QUARTER)", '0004-03-31'),
        example("LAST_DAY(DATE '0004-02-01')", '0004-02-29'),
        example("LAST_DAY(DATE '9999-12-01', WEEK(WEDNESDAY))", '9999-12-07'),
        example("SAFE.LAST_DAY(DATE '9999-12-28', WEEK)", null),
        example('LAST_DAY(CAST(NULL AS DATE))', null),
      ],
    ),
    bind: (call) => {
      const part = call.count > 1 ? call.word(1) : 'MONTH';
      const date = call.cast(temporal(call, 0, DATE), DATE);
      const moved = (unit: string, count: bigint): Expr =>
        orThrow(call, addInterval(start(part), constant(INT64, count), unit, 1n));
      const start = (unit: string): Expr => orThrow(call, truncateTo(date, unit));
      if (/^(ISO)?WEEK/.test(part)) return moved('DAY', 6n);
      const months = Object.hasOwn(MONTHS_TO_LAST, part) ? MONTHS_TO_LAST[part] : undefined;
      if (months === undefined) {
        throw call.fail('LAST_DAY knows the parts MONTH, WEEK, ISOWEEK, QUARTER and YEAR');
      }
      const inLastMonth = months === 0n ? date : moved('MONTH', months);
      return lastOfMonth(inLastMonth);
    },
  },
];
