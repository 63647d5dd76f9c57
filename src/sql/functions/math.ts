import { FLOAT64, INT64 } from '../types.ts';
import type { Form, ParameterKind, SimpleFunction } from './function.ts';

function both(
  name: string,
  parameters: readonly ParameterKind[],
  result: SimpleFunction['result'],
  form: Form,
  required = parameters.length,
): SimpleFunction {
  return { name, parameters, required, result, athena: form, duckdb: form };
}

const call =
  (name: string): Form =>
  (args) =>
    `${name}(${args.join(', ')})`;

/** FLOAT64 results throughout where BigQuery has them, also for INT64 arguments. */
export const MATH_FUNCTIONS: readonly SimpleFunction[] = [
  both('abs', ['number'], 'same', call('ABS')),
  both('sign', ['number'], 'same', call('SIGN')),
  both('ceil', ['float64'], FLOAT64, call('CEIL')),
  both('ceiling', ['float64'], FLOAT64, call('CEIL')),
  both('floor', ['float64'], FLOAT64, call('FLOOR')),
  both('sqrt', ['float64'], FLOAT64, call('SQRT')),
  both('exp', ['float64'], FLOAT64, call('EXP')),
  both('ln', ['float64'], FLOAT64, call('LN')),
  both('log10', ['float64'], FLOAT64, call('LOG10')),
  both('pow', ['float64', 'float64'], FLOAT64, call('POWER')),
  both('power', ['float64', 'float64'], FLOAT64, call('POWER')),
  {
    ...both('mod', ['int64', 'int64'], INT64, ([a, b]) => `(${a} % ${b})`),
    duckdb: ([a, b]) => `(${a} % ${notZero(b ?? '')})`,
  },
  {
    name: 'div',
    parameters: ['int64', 'int64'],
    required: 2,
    result: INT64,
    athena: ([a, b]) => `(${a} / ${b})`,
    // DuckDB's // floors; BigQuery's DIV cuts towards zero, which is the same once it divides evenly.
    duckdb: ([a, b]) => `((${a} - ${a} % ${notZero(b ?? '')}) // ${b})`,
  },
  {
    name: 'safe_divide',
    parameters: ['float64', 'float64'],
    required: 2,
    result: FLOAT64,
    athena: ([a, b]) => `(${a} / NULLIF(${b}, 0E0))`,
    duckdb: ([a, b]) => `(${a} / NULLIF(${b}, 0::DOUBLE))`,
  },
  both('ieee_divide', ['float64', 'float64'], FLOAT64, ([a, b]) => `(${a} / ${b})`),
  round('round'),
  { ...both('trunc', ['float64'], FLOAT64, call('TRUNC')), athena: ([x]) => `TRUNCATE(${x})` },
];

/** DuckDB gives NULL for a division of integers by zero; BigQuery and Trino fail. */
function notZero(divisor: string): string {
  return `CASE WHEN ${divisor} = 0 THEN ERROR('division by zero') ELSE ${divisor} END`;
}

/** ROUND of FLOAT64; halves go away from zero in BigQuery and in both engines. */
function round(name: string): SimpleFunction {
  return {
    name,
    parameters: ['float64', 'int64'],
    required: 1,
    result: FLOAT64,
    athena: ([x, digits]) =>
      digits === undefined ? `ROUND(${x})` : `ROUND(${x}, CAST(${digits} AS INTEGER))`,
    duckdb: ([x, digits]) =>
      digits === undefined ? `ROUND(${x})` : `ROUND(${x}, CAST(${digits} AS INTEGER))`,
  };
}
