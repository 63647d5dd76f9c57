import { FLOAT64 } from '../../ir/types.ts';
import { aggregateExample, docsFrom, example } from '../common/doc.ts';
import { both, calls, type SignatureFunction } from '../common/function.ts';
import { clamped } from '../common/runtime-errors.ts';

const doc = docsFrom('Mathematical functions');
const NUMBER = { parameters: ['float64'], required: 1, result: FLOAT64 } as const;

/** FLOAT64 in and out: a whole number is still a FLOAT64. */
export const ROUNDING_FUNCTIONS: readonly SignatureFunction[] = [
  {
    ...NUMBER,
    name: 'round',
    doc: doc(
      'ROUND(x FLOAT64[, digits INT64]) -> FLOAT64',
      'The nearest number with so many digits behind the point, none if not given; halves go away from zero. Negative digits round before the point.',
      [
        example('ROUND(2.5)', 3),
        example('ROUND(-2.5)', -3),
        example('ROUND(3.14159, 2)', 3.14),
        example('ROUND(1234, -2)', 1200),
        aggregateExample('[0.25, NULL]', 'SUM(ROUND(x, 1))', 0.3),
        example('ROUND(2.71, 9223372036854775807)', 2.71),
        example('ROUND(2.71, -400)', 0),
        example('ROUND(1e300, 2)', 1e300),
        example('ROUND(1234567.891, 15)', 1234567.891),
        example('ROUND(-123456789012345680, 2)', -123456789012345680),
        example("ROUND(CAST('nan' AS FLOAT64), -1000)", 'NaN'),
        example("ROUND(CAST('-inf' AS FLOAT64), -1)", '-Infinity'),
      ],
    ),
    parameters: ['float64', 'int64'],
    ...both(([x = '', digits]) => (digits === undefined ? `ROUND(${x})` : roundTo(x, digits))),
  },
  upwards('CEIL'),
  upwards('CEILING'),
  {
    ...NUMBER,
    name: 'floor',
    doc: doc('FLOOR(x FLOAT64) -> FLOAT64', 'The greatest whole number that is not greater.', [
      example('FLOOR(1.9)', 1),
      example('FLOOR(-1.1)', -2),
    ]),
    ...both(calls('FLOOR')),
  },
  {
    ...NUMBER,
    name: 'trunc',
    doc: doc('TRUNC(x FLOAT64) -> FLOAT64', 'The number without what is behind the point.', [
      example('TRUNC(1.9)', 1),
      example('TRUNC(-1.9)', -1),
    ]),
    athena: calls('TRUNCATE'),
    duckdb: calls('TRUNC'),
  },
];

/**
 * Where the digit that would be rounded to is beyond what a FLOAT64 holds, the number stays: Trino
 * would take the largest INT64 for it, and DuckDB zero for NaN and infinity.
 */
function roundTo(x: string, digits: string): string {
  const count = clamped(digits, -320, 320);
  return `CASE WHEN ABS(${x}) * POWER(1E1, ${count}) >= 9007199254740992 THEN ${x} ELSE ROUND(${x}, CAST(${count} AS INTEGER)) END`;
}

function upwards(name: string): SignatureFunction {
  return {
    ...NUMBER,
    name: name.toLowerCase(),
    doc: doc(`${name}(x FLOAT64) -> FLOAT64`, 'The least whole number that is not less.', [
      example(`${name}(1.1)`, 2),
      example(`${name}(-1.9)`, -1),
    ]),
    ...both(calls('CEIL')),
  };
}
