import { BOOL, FLOAT64, INT64 } from '../types.ts';
import { docsFrom, is, of } from './doc.ts';
import { both, calls, type Form, type SimpleFunction } from './function.ts';
import { failure } from './guards.ts';

const doc = docsFrom('Mathematical functions');

/** A form that fails where BigQuery does; engines have NaN or infinity there. */
function within(
  outside: (args: readonly string[]) => string,
  message: string,
  form: Form,
): Pick<SimpleFunction, 'athena' | 'duckdb'> {
  return both(
    (args) =>
      `CASE WHEN ${outside(args)} THEN ${failure(message, 'DOUBLE')} ELSE ${form(args)} END`,
  );
}

const logarithm = (form: Form) =>
  within(
    (args) => args.map((arg) => `${arg} <= 0`).join(' OR '),
    'The logarithm of what is not positive',
    form,
  );

function float(name: string): Pick<SimpleFunction, 'name' | 'parameters' | 'required' | 'result'> {
  return { name, parameters: ['float64'], required: 1, result: FLOAT64 };
}

/** FLOAT64 results throughout where BigQuery has them, also for INT64 arguments. */
export const MATH_FUNCTIONS: readonly SimpleFunction[] = [
  {
    name: 'abs',
    doc: doc(
      ['ABS(x INT64) -> INT64', 'ABS(x FLOAT64) -> FLOAT64'],
      'The number without its sign.',
      [is('ABS(-5)', 5), is('ABS(2.5)', 2.5), is('ABS(CAST(NULL AS INT64))', null)],
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
      [is('SIGN(-3)', -1), is('SIGN(0.0)', 0), of('[2, NULL]', 'SUM(SIGN(x))', 1)],
    ),
    parameters: ['number'],
    required: 1,
    result: 'same',
    ...both(calls('SIGN')),
  },
  {
    ...float('sqrt'),
    doc: doc(
      'SQRT(x FLOAT64) -> FLOAT64',
      'The square root. Of a negative number it is an error.',
      [is('SQRT(6.25)', 2.5), is('SAFE.SQRT(-1)', null), is('SQRT(CAST(NULL AS FLOAT64))', null)],
    ),
    ...within(([x]) => `${x} < 0`, 'The square root of a negative number', calls('SQRT')),
  },
  {
    ...float('exp'),
    doc: doc('EXP(x FLOAT64) -> FLOAT64', 'e to the power of the number.', [is('EXP(0)', 1)]),
    ...both(calls('EXP')),
  },
  {
    ...float('ln'),
    doc: doc(
      'LN(x FLOAT64) -> FLOAT64',
      'The natural logarithm. Of zero and below it is an error.',
      [is('LN(1)', 0), is('SAFE.LN(0)', null)],
    ),
    ...logarithm(calls('LN')),
  },
  {
    ...float('log'),
    doc: doc(
      'LOG(x FLOAT64[, base FLOAT64]) -> FLOAT64',
      'The logarithm to a base, the natural one without. Zero and below are an error, as is the base 1.',
      [
        is('LOG(8, 2)', 3),
        is('LOG(1)', 0),
        is('SAFE.LOG(-1, 2)', null),
        is('SAFE.LOG(2, 1)', null),
      ],
    ),
    parameters: ['float64', 'float64'],
    ...within(
      ([x, base]) => `${x} <= 0${base === undefined ? '' : ` OR ${base} <= 0 OR ${base} = 1`}`,
      'There is no such logarithm',
      ([x, base]) => (base === undefined ? `LN(${x})` : `(LN(${x}) / LN(${base}))`),
    ),
  },
  {
    ...float('log10'),
    doc: doc(
      'LOG10(x FLOAT64) -> FLOAT64',
      'The logarithm to base 10. Of zero and below it is an error.',
      [is('LOG10(1000)', 3), is('SAFE.LOG10(0)', null)],
    ),
    ...logarithm(calls('LOG10')),
  },
  power('POW'),
  power('POWER'),
  {
    name: 'mod',
    doc: doc(
      'MOD(x INT64, y INT64) -> INT64',
      'The remainder of a division, with the sign of `x`. Division by zero is an error.',
      [is('MOD(7, 3)', 1), is('MOD(-7, 3)', -1), is('SAFE.MOD(1, 0)', null)],
    ),
    parameters: ['int64', 'int64'],
    required: 2,
    result: INT64,
    athena: ([a, b]) => `(${a} % ${b})`,
    duckdb: ([a, b]) => `(${a} % ${notZero(b ?? '')})`,
  },
  {
    name: 'div',
    doc: doc(
      'DIV(x INT64, y INT64) -> INT64',
      'Integer division, cut towards zero. Division by zero is an error.',
      [is('DIV(7, 2)', 3), is('DIV(-7, 2)', -3), is('SAFE.DIV(1, 0)', null)],
    ),
    parameters: ['int64', 'int64'],
    required: 2,
    result: INT64,
    athena: ([a, b]) => `(${a} / ${b})`,
    // DuckDB's // floors; BigQuery's DIV cuts towards zero, which is the same once it divides evenly.
    duckdb: ([a, b]) => `((${a} - ${a} % ${notZero(b ?? '')}) // ${b})`,
  },
  {
    name: 'safe_divide',
    doc: doc('SAFE_DIVIDE(x FLOAT64, y FLOAT64) -> FLOAT64', 'Division as FLOAT64, NULL by zero.', [
      is('SAFE_DIVIDE(1, 4)', 0.25),
      is('SAFE_DIVIDE(1, 0)', null),
    ]),
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    athena: ([a, b]) => `(${a} / NULLIF(${b}, 0E0))`,
    duckdb: ([a, b]) => `CASE WHEN ${b} <> 0 THEN ${a} / ${b} END`,
  },
  {
    name: 'ieee_divide',
    doc: doc(
      'IEEE_DIVIDE(x FLOAT64, y FLOAT64) -> FLOAT64',
      'Division that never fails: by zero it gives infinity, or NaN for 0 / 0.',
      [
        is('IEEE_DIVIDE(3, 4)', 0.75),
        is('IEEE_DIVIDE(-1, 0)', '-Infinity'),
        is('IEEE_DIVIDE(0, 0)', 'NaN'),
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
      is('IS_NAN(IEEE_DIVIDE(0, 0))', true),
      is('IS_NAN(1)', false),
    ]),
    result: BOOL,
    athena: calls('IS_NAN'),
    duckdb: calls('ISNAN'),
  },
  {
    ...float('is_inf'),
    doc: doc('IS_INF(x FLOAT64) -> BOOL', 'Whether the number is infinite, of either sign.', [
      is('IS_INF(IEEE_DIVIDE(-1, 0))', true),
      is('IS_INF(1)', false),
    ]),
    result: BOOL,
    athena: calls('IS_INFINITE'),
    duckdb: calls('ISINF'),
  },
];

function power(name: string): SimpleFunction {
  return {
    name: name.toLowerCase(),
    doc: doc(
      `${name}(x FLOAT64, y FLOAT64) -> FLOAT64`,
      '`x` to the power of `y`. A root of a negative number, and a negative power of zero, are errors.',
      [
        is(`${name}(2, 10)`, 1024),
        is(`${name}(-2, 3)`, -8),
        is(`SAFE.${name}(-8, 0.5)`, null),
        is(`SAFE.${name}(0, -1)`, null),
      ],
    ),
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    ...within(
      ([x, y]) => `(${x} < 0 AND ${y} <> FLOOR(${y})) OR (${x} = 0 AND ${y} < 0)`,
      'There is no such power',
      calls('POWER'),
    ),
  };
}

/** DuckDB gives NULL for a division of integers by zero; BigQuery and Trino fail. */
function notZero(divisor: string): string {
  return `CASE WHEN ${divisor} = 0 THEN ${failure('division by zero', 'BIGINT')} ELSE ${divisor} END`;
}
