import { FLOAT64 } from '../types.ts';
import { docsFrom, is, of } from './doc.ts';
import { both, calls, type SimpleFunction } from './function.ts';

const doc = docsFrom('Mathematical functions');
const NUMBER = { parameters: ['float64'], required: 1, result: FLOAT64 } as const;

/** FLOAT64 in and out: a whole number is still a FLOAT64. */
export const ROUNDING_FUNCTIONS: readonly SimpleFunction[] = [
  {
    ...NUMBER,
    name: 'round',
    doc: doc(
      'ROUND(x FLOAT64[, digits INT64]) -> FLOAT64',
      'The nearest number with so many digits behind the point, none if not given; halves go away from zero. Negative digits round before the point.',
      [
        is('ROUND(2.5)', 3),
        is('ROUND(-2.5)', -3),
        is('ROUND(3.14159, 2)', 3.14),
        is('ROUND(1234, -2)', 1200),
        of('[0.25, NULL]', 'SUM(ROUND(x, 1))', 0.3),
      ],
    ),
    parameters: ['float64', 'int64'],
    ...both(([x, digits]) =>
      digits === undefined ? `ROUND(${x})` : `ROUND(${x}, CAST(${digits} AS INTEGER))`,
    ),
  },
  upwards('CEIL'),
  upwards('CEILING'),
  {
    ...NUMBER,
    name: 'floor',
    doc: doc('FLOOR(x FLOAT64) -> FLOAT64', 'The greatest whole number that is not greater.', [
      is('FLOOR(1.9)', 1),
      is('FLOOR(-1.1)', -2),
    ]),
    ...both(calls('FLOOR')),
  },
  {
    ...NUMBER,
    name: 'trunc',
    doc: doc('TRUNC(x FLOAT64) -> FLOAT64', 'The number without what is behind the point.', [
      is('TRUNC(1.9)', 1),
      is('TRUNC(-1.9)', -1),
    ]),
    athena: calls('TRUNCATE'),
    duckdb: calls('TRUNC'),
  },
];

function upwards(name: string): SimpleFunction {
  return {
    ...NUMBER,
    name: name.toLowerCase(),
    doc: doc(`${name}(x FLOAT64) -> FLOAT64`, 'The least whole number that is not less.', [
      is(`${name}(1.1)`, 2),
      is(`${name}(-1.9)`, -1),
    ]),
    ...both(calls('CEIL')),
  };
}
