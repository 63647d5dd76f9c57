import type { SqlTarget } from '../../common/result-schema.ts';
import type { SqlTemplate } from '../../ir/function.ts';
import { BOOL, FLOAT64, INT64 } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, calls, type SignatureFunction } from '../common/function.ts';
import { failure } from '../common/runtime-errors.ts';

const doc = docsFrom('Mathematical functions');

/** A form that fails where BigQuery does; engines have NaN or infinity there. */
function within(outside: SqlTemplate, message: string, form: SqlTemplate): SqlTemplate {
  return (args) =>
    `CASE WHEN ${outside(args)} THEN ${failure(message, 'DOUBLE')} ELSE ${form(args)} END`;
}

const IS_FINITE = { athena: 'IS_FINITE', duckdb: 'ISFINITE' };
const IS_INFINITE = { athena: 'IS_INFINITE', duckdb: 'ISINF' };

/** One form for each engine, which tells FLOAT64s apart by functions of different names. */
const byEngine = (
  form: (engine: SqlTarget) => SqlTemplate,
): Pick<SignatureFunction, SqlTarget> => ({
  athena: form('athena'),
  duckdb: form('duckdb'),
});

const logarithm = (name: string) =>
  both(within(([x]) => `${x} <= 0`, 'The logarithm of what is not positive', calls(name)));

function float(
  name: string,
): Pick<SignatureFunction, 'name' | 'parameters' | 'required' | 'result'> {
  return { name, parameters: ['float64'], required: 1, result: FLOAT64 };
}

/** FLOAT64 results throughout where BigQuery has them, also for INT64 arguments. */
export const MATH_FUNCTIONS: readonly SignatureFunction[] = [
  {
    name: 'abs',
    doc: doc(
      ['ABS(x INT64) -> INT64', 'ABS(x FLOAT64) -> FLOAT64'],
      'The number without its sign.',
      [example('ABS(-5)', 5), example('ABS(2.5)', 2.5), example('ABS(CAST(NULL AS INT64))', null)],
    ),
    parameters: ['number'],
    required: 1,
    result: 'same',
    ...both(calls('ABS')),
  },
  {
    name: 'sign',
    doc: doc(
      ['SIGN(x INT64) -> INT64', 'SIGN(x FLOAT64) -> FLOAT64'],
      '-1, 0 or 1: whether the number is negative, zero or positive.',
      [
        example('SIGN(-3)', -1),
        example('SIGN(0.0)', 0),
        aggregateExample('[2, NULL]', 'SUM(SIGN(x))', 1),
        example("SIGN(CAST('nan' AS FLOAT64))", 'NaN'),
      ],
    ),
    parameters: ['number'],
    required: 1,
    result: 'same',
    athena: calls('SIGN'),
    // DuckDB takes NaN for zero.
    duckdb: ([x]) => `CASE WHEN ISNAN(CAST(${x} AS DOUBLE)) THEN ${x} ELSE SIGN(${x}) END`,
  },
  {
    ...float('sqrt'),
    doc: doc(
      'SQRT(x FLOAT64) -> FLOAT64',
      'The square root. Of a negative number it is an error.',
      [
        example('SQRT(6.25)', 2.5),
        example('SAFE.SQRT(-1)', null),
        example('SQRT(CAST(NULL AS FLOAT64))', null),
      ],
    ),
    ...both(within(([x]) => `${x} < 0`, 'The square root of a negative number', calls('SQRT'))),
  },
  {
    ...float('exp'),
    doc: doc(
      'EXP(x FLOAT64) -> FLOAT64',
      'e to the power of the number. What is too large is an error.',
      [
        example('EXP(0)', 1),
        example('SAFE.EXP(1000)', null),
        example("EXP(CAST('-inf' AS FLOAT64))", 0),
      ],
    ),
    ...byEngine((engine) =>
      within(
        ([x]) => `${IS_FINITE[engine]}(${x}) AND ${IS_INFINITE[engine]}(EXP(${x}))`,
        'The power of e is too large',
        calls('EXP'),
      ),
    ),
  },
  {
    ...float('ln'),
    doc: doc(
      'LN(x FLOAT64) -> FLOAT64',
      'The natural logarithm. Of zero and below it is an error.',
      [example('LN(1)', 0), example('SAFE.LN(0)', null)],
    ),
    ...logarithm('LN'),
  },
  {
    ...float('log'),
    doc: doc(
      'LOG(x FLOAT64[, base FLOAT64]) -> FLOAT64',
      'The logarithm to a base, the natural one without. Zero and below are an error, as is the base 1.',
      [
        example('LOG(8, 2)', 3),
        example('LOG(1)', 0),
        example('SAFE.LOG(-1, 2)', null),
        example('SAFE.LOG(2, 1)', null),
      ],
    ),
    parameters: ['float64', 'float64'],
    ...byEngine((engine) =>
      within(
        ([x, base]) => `${x} <= 0${base === undefined ? '' : ` OR ${base} <= 0 OR ${base} = 1`}`,
        'There is no such logarithm',
        ([x, base]) =>
          base === undefined
            ? `LN(${x})`
            : `CASE WHEN ${IS_INFINITE[engine]}(${base}) THEN CAST('NaN' AS DOUBLE) ELSE LN(${x}) / LN(${base}) END`,
      ),
    ),
  },
  {
    ...float('log10'),
    doc: doc(
      'LOG10(x FLOAT64) -> FLOAT64',
      'The logarithm to base 10. Of zero and below it is an error.',
      [example('LOG10(1000)', 3), example('SAFE.LOG10(0)', null)],
    ),
    ...logarithm('LOG10'),
  },
  power('POW'),
  power('POWER'),
  {
    name: 'mod',
    doc: doc(
      'MOD(x INT64, y INT64) -> INT64',
      'The remainder of a division, with the sign of `x`. Division by zero is an error.',
      [example('MOD(7, 3)', 1), example('MOD(-7, 3)', -1), example('SAFE.MOD(1, 0)', null)],
    ),
    parameters: ['int64', 'int64'],
    required: 2,
    result: INT64,
    athena: ([a, b]) => `(${a} % ${b})`,
    duckdb: ([a = '', b = '']) => notByZero(a, b, `${a} % ${b}`),
  },
  {
    name: 'div',
    doc: doc(
      'DIV(x INT64, y INT64) -> INT64',
      'Integer division, cut towards zero. Division by zero is an error.',
      [
        example('DIV(7, 2)', 3),
        example('DIV(-7, 2)', -3),
        example('SAFE.DIV(1, 0)', null),
        example('DIV(CAST(NULL AS INT64), 0)', null),
      ],
    ),
    parameters: ['int64', 'int64'],
    required: 2,
    result: INT64,
    athena: ([a, b]) => `(${a} / ${b})`,
    // DuckDB's // floors; BigQuery's DIV cuts towards zero, which is the same once it divides evenly.
    duckdb: ([a = '', b = '']) => notByZero(a, b, `(${a} - ${a} % ${b}) // ${b}`),
  },
  {
    name: 'safe_divide',
    doc: doc(
      'SAFE_DIVIDE(x FLOAT64, y FLOAT64) -> FLOAT64',
      'Division as FLOAT64; NULL by zero, and where the result is too large.',
      [
        example('SAFE_DIVIDE(1, 4)', 0.25),
        example('SAFE_DIVIDE(1, 0)', null),
        example('SAFE_DIVIDE(1e300, 1e-300)', null),
        example("SAFE_DIVIDE(CAST('-inf' AS FLOAT64), 2)", '-Infinity'),
      ],
    ),
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    ...byEngine((engine) => ([a, b]) => {
      const overflows = `${IS_INFINITE[engine]}(${a} / ${b}) AND NOT ${IS_INFINITE[engine]}(${a})`;
      return `CASE WHEN ${b} = 0 OR (${overflows}) THEN NULL ELSE ${a} / ${b} END`;
    }),
  },
  {
    name: 'ieee_divide',
    doc: doc(
      'IEEE_DIVIDE(x FLOAT64, y FLOAT64) -> FLOAT64',
      'Division that never fails: by zero it gives infinity, or NaN for 0 / 0.',
      [
        example('IEEE_DIVIDE(3, 4)', 0.75),
        example('IEEE_DIVIDE(-1, 0)', '-Infinity'),
        example('IEEE_DIVIDE(0, 0)', 'NaN'),
      ],
    ),
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    ...both(([a, b]) => `(${a} / ${b})`),
  },
  {
    ...float('is_nan'),
    doc: doc('IS_NAN(x FLOAT64) -> BOOL', 'Whether the number is NaN.', [
      example('IS_NAN(IEEE_DIVIDE(0, 0))', true),
      example('IS_NAN(1)', false),
    ]),
    result: BOOL,
    athena: calls('IS_NAN'),
    duckdb: calls('ISNAN'),
  },
  {
    ...float('is_inf'),
    doc: doc('IS_INF(x FLOAT64) -> BOOL', 'Whether the number is infinite, of either sign.', [
      example('IS_INF(IEEE_DIVIDE(-1, 0))', true),
      example('IS_INF(1)', false),
    ]),
    result: BOOL,
    athena: calls('IS_INFINITE'),
    duckdb: calls('ISINF'),
  },
];

function power(name: string): SignatureFunction {
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(x FLOAT64, y FLOAT64) -> FLOAT64`,
      '`x` to the power of `y`. A root of a negative number, a negative power of zero, and what is too large are errors.',
      [
        example(`${name}(2, 10)`, 1024),
        example(`${name}(-2, 3)`, -8),
        example(`SAFE.${name}(-8, 0.5)`, null),
        example(`SAFE.${name}(0, -1)`, null),
        example(`SAFE.${name}(10, 400)`, null),
        example(`${name}(1, CAST('nan' AS FLOAT64))`, 1),
        example(`${name}(-1, CAST('inf' AS FLOAT64))`, 1),
        example(`${name}(CAST('-inf' AS FLOAT64), 0.5)`, 'Infinity'),
      ],
    ),
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    ...byEngine((engine) =>
      within(
        ([x, y]) =>
          `${IS_FINITE[engine]}(${x}) AND ${IS_FINITE[engine]}(${y}) AND ((${x} < 0 AND ${y} <> FLOOR(${y})) OR (${x} = 0 AND ${y} < 0) OR ${IS_INFINITE[engine]}(POWER(${x}, ${y})))`,
        'There is no such power',
        // Java has NaN where C, as BigQuery, has 1.
        ([x, y]) =>
          engine === 'duckdb'
            ? `POWER(${x}, ${y})`
            : `CASE WHEN (${x} = 1 AND ${y} IS NOT NULL) OR (${x} = -1 AND IS_INFINITE(${y})) THEN 1E0 ELSE POWER(${x}, ${y}) END`,
      ),
    ),
  };
}

/** DuckDB gives NULL for a division of integers by zero; BigQuery and Trino fail, but not for NULL. */
function notByZero(dividend: string, divisor: string, quotient: string): string {
  return `CASE WHEN ${divisor} = 0 AND ${dividend} IS NOT NULL THEN ${failure('division by zero', 'BIGINT')} ELSE ${quotient} END`;
}
