import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { DAY_US, FIXED_UNITS } from '../../ir/time.ts';
import { arrayOf, DATE, INT64, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example, timeExample } from '../common/doc.ts';
import type { CustomBoundFunction, FunctionCall } from '../common/function.ts';
import { elements, endOfRange, MAX_ELEMENTS } from '../common/value-limits.ts';

const doc = docsFrom('Array functions');

/**
 * Whole numbers from a start to an end. Trino refuses a range against its step, where BigQuery's is
 * empty, and makes at most 10,000 elements.
 */
const RANGE: ScalarFunction = {
  name: 'generate_array',
  athena: ([start, end, step]) =>
    `CASE WHEN (${end} - ${start}) * SIGN(${step}) < 0 THEN CAST(ARRAY[] AS ARRAY(BIGINT)) ELSE SEQUENCE(${start}, ${end}, ${step}) END`,
  duckdb: ([start = '', end = '', step = '']) =>
    `GENERATE_SERIES(${start}, ${endOfRange(start, end, step)}, ${step})`,
};

/** A call of RANGE; constants that make it too long are refused at once. */
function range(call: FunctionCall, type: SqlType, args: readonly Expr[]): Expr {
  const [start, end, step] = args.map((arg) =>
    isConst(arg) && typeof arg.value === 'bigint' ? arg.value : undefined,
  );
  const known = start !== undefined && end !== undefined && step !== undefined;
  if (known && (end - start) / step >= BigInt(MAX_ELEMENTS) && !call.safe) {
    throw call.fail(`${call.name.toUpperCase()} makes at most ${MAX_ELEMENTS} elements`);
  }
  return { op: 'call', type, fn: RANGE, args };
}

/** Dates from a start to an end, `step` days or months apart. */
function dateRange(unit: 'DAY' | 'MONTH', step: bigint): ScalarFunction {
  const forwards = step > 0n;
  const duckdbStep = unit === 'DAY' ? 'TO_DAYS' : 'TO_MONTHS';
  return {
    name: 'generate_date_array',
    athena: ([start, end]) =>
      `CASE WHEN ${start} ${forwards ? '>' : '<'} ${end} THEN CAST(ARRAY[] AS ARRAY(DATE)) ELSE SEQUENCE(${start}, ${end}, INTERVAL '${step}' ${unit}) END`,
    // Each from the start: a month behind the 31st must not move those that follow.
    duckdb: ([start, end]) => {
      const steps = `ABS(DATE_DIFF('${unit}', ${start}, ${end})) // ${forwards ? step : -step}`;
      return `LIST_FILTER(LIST_TRANSFORM(RANGE(0, ${elements(steps, steps)} + 1), LAMBDA n: CAST(${start} + ${duckdbStep}(CAST(n * ${step} AS INTEGER)) AS DATE)), LAMBDA d: d ${forwards ? '<=' : '>='} ${end})`;
    },
  };
}

/** `INTERVAL n unit` with a literal n other than zero; without one, one day. */
function literalInterval(call: FunctionCall, index: number): { amount: bigint; unit: string } {
  if (call.count <= index) return { amount: 1n, unit: 'DAY' };
  const { amount, unit } = call.interval(index);
  if (!isConst(amount) || typeof amount.value !== 'bigint' || amount.value === 0n) {
    throw call.fail(
      `The step of ${call.name.toUpperCase()} must be a literal interval other than zero`,
    );
  }
  return { amount: amount.value, unit };
}

const DATE_STEPS: Readonly<Record<string, readonly ['DAY' | 'MONTH', bigint]>> = {
  DAY: ['DAY', 1n],
  WEEK: ['DAY', 7n],
  MONTH: ['MONTH', 1n],
  QUARTER: ['MONTH', 3n],
  YEAR: ['MONTH', 12n],
};

/** Arrays to join with, so that hours and days without events have rows too. */
export const GENERATE_FUNCTIONS: readonly CustomBoundFunction[] = [
  {
    name: 'generate_array',
    takes: [2, 3],
    doc: doc(
      'GENERATE_ARRAY(start INT64, end INT64[, step INT64]) -> ARRAY<INT64>',
      'Whole numbers from `start` to `end` inclusive, a literal `step` (1) apart; empty if the step leads away from the end. At most 10,000.',
      [
        example('GENERATE_ARRAY(1, 4)', [1, 2, 3, 4]),
        example('GENERATE_ARRAY(10, 0, -4)', [10, 6, 2]),
        example('GENERATE_ARRAY(4, 1)', []),
        aggregateExample('[1, 3]', 'SUM(ARRAY_LENGTH(GENERATE_ARRAY(1, x)))', 4),
        example('GENERATE_ARRAY(1, NULL)', null),
      ],
    ),
    bind: (call) => {
      const step = call.count > 2 ? call.argAs(2, INT64) : constant(INT64, 1n);
      if (!isConst(step) || step.value === null || step.value === 0n) {
        throw call.fail('The step of GENERATE_ARRAY must be a literal other than zero');
      }
      return range(call, arrayOf(INT64), [call.argAs(0, INT64), call.argAs(1, INT64), step]);
    },
  },
  {
    name: 'generate_date_array',
    takes: [2, 3],
    doc: doc(
      'GENERATE_DATE_ARRAY(start DATE, end DATE[, INTERVAL step part]) -> ARRAY<DATE>',
      'Dates from `start` to `end` inclusive, a literal number of DAY (1), WEEK, MONTH, QUARTER or YEAR apart; empty if the step leads away from the end. At most 10,000.',
      [
        example("GENERATE_DATE_ARRAY('2026-02-27', '2026-03-01')", [
          '2026-02-27',
          '2026-02-28',
          '2026-03-01',
        ]),
        example("GENERATE_DATE_ARRAY('2026-01-31', '2026-04-30', INTERVAL 1 MONTH)", [
          '2026-01-31',
          '2026-02-28',
          '2026-03-31',
          '2026-04-30',
        ]),
        example("GENERATE_DATE_ARRAY('2026-01-10', '2025-12-27', INTERVAL -1 WEEK)", [
          '2026-01-10',
          '2026-01-03',
          '2025-12-27',
        ]),
        example("GENERATE_DATE_ARRAY('2026-01-31', '2026-03-01', INTERVAL 1 MONTH)", [
          '2026-01-31',
          '2026-02-28',
        ]),
        example("GENERATE_DATE_ARRAY('2026-01-02', '2026-01-01')", []),
        example("GENERATE_DATE_ARRAY('2026-01-02', NULL)", null),
        aggregateExample(
          "GENERATE_DATE_ARRAY('2026-01-01', '2026-01-03')",
          'SUM(ARRAY_LENGTH(GENERATE_DATE_ARRAY(x, DATE_ADD(x, INTERVAL 1 DAY))))',
          6,
        ),
      ],
    ),
    bind: (call) => {
      const { amount, unit } = literalInterval(call, 2);
      const known = Object.hasOwn(DATE_STEPS, unit) ? DATE_STEPS[unit] : undefined;
      if (known === undefined) {
        throw call.fail('GENERATE_DATE_ARRAY steps by DAY, WEEK, MONTH, QUARTER or YEAR');
      }
      const fn = dateRange(known[0], known[1] * amount);
      const args: Expr[] = [call.argAs(0, DATE), call.argAs(1, DATE)];
      return { op: 'call', type: arrayOf(DATE), fn, args };
    },
  },
  {
    name: 'generate_timestamp_array',
    takes: [3, 3],
    doc: doc(
      'GENERATE_TIMESTAMP_ARRAY(start TIMESTAMP, end TIMESTAMP, INTERVAL step part) -> ARRAY<TIMESTAMP>',
      'Times from `start` to `end` inclusive, a literal number of MICROSECOND to DAY apart; empty if the step leads away from the end. At most 10,000.',
      [
        timeExample(
          "GENERATE_TIMESTAMP_ARRAY('2026-02-03 09:00:00', '2026-02-03 10:00:00', INTERVAL 30 MINUTE)[ORDINAL(3)]",
          '2026-02-03 10:00:00',
        ),
        example(
          "ARRAY_LENGTH(GENERATE_TIMESTAMP_ARRAY('2026-02-03 09:00:00', '2026-02-03 09:59:00', INTERVAL 1 HOUR))",
          1,
        ),
        example(
          "GENERATE_TIMESTAMP_ARRAY('2026-02-03 09:00:00', '2026-02-03 08:00:00', INTERVAL 1 HOUR)",
          [],
        ),
      ],
    ),
    bind: (call) => {
      const { amount, unit } = literalInterval(call, 2);
      const size = Object.hasOwn(FIXED_UNITS, unit) ? FIXED_UNITS[unit] : undefined;
      if (size === undefined || size > DAY_US) {
        throw call.fail(
          'GENERATE_TIMESTAMP_ARRAY steps by MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR or DAY',
        );
      }
      return range(call, arrayOf(TIMESTAMP), [
        call.argAs(0, TIMESTAMP),
        call.argAs(1, TIMESTAMP),
        constant(INT64, amount * size),
      ]);
    },
  },
];
