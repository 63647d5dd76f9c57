import { FLOAT64 } from '../types.ts';
import { aggregate, always, plain } from './aggregate.ts';
import { docsFrom, type FunctionExample, of } from './doc.ts';
import type { AggregateForm, AggregateFunction } from './function.ts';

const doc = docsFrom('Statistical aggregate functions');

const RULES = {
  sample:
    'of a sample: divided by the number of values less one, and NULL for fewer than two values',
  population: 'of all values: divided by their number, and NULL for none',
};

function spread(
  name: string,
  engineName: string,
  what: string,
  of: keyof typeof RULES,
  examples: readonly [FunctionExample, ...FunctionExample[]],
): AggregateFunction {
  const rule = `The ${what} ${RULES[of]}. NULLs are left out.`;
  const text = doc(`${name}([DISTINCT] x FLOAT64) -> FLOAT64`, rule, examples);
  return aggregate(name.toLowerCase(), text, ['float64'], always(FLOAT64), plain(engineName));
}

const sampleDeviation = (name: string) =>
  spread(name, 'STDDEV_SAMP', 'standard deviation', 'sample', [
    of('[1, 3, 5, NULL]', `${name}(x)`, 2),
    of('[1]', `${name}(x)`, null),
  ]);
const sampleVariance = (name: string) =>
  spread(name, 'VAR_SAMP', 'variance', 'sample', [
    of('[1, 3, 5]', `${name}(x)`, 4),
    of('[1]', `${name}(x)`, null),
  ]);

function pairs(
  name: string,
  rule: string,
  examples: readonly [FunctionExample, ...FunctionExample[]],
  form: AggregateForm = plain(name),
): AggregateFunction {
  const text = doc(`${name}(x FLOAT64, y FLOAT64) -> FLOAT64`, rule, examples);
  return {
    ...aggregate(name.toLowerCase(), text, ['float64', 'float64'], always(FLOAT64), form),
    distinct: 'refused',
  };
}

/** Engines disagree about one pair, and about values that are all the same: NULL or NaN. */
const correlation: AggregateForm = (parts) => {
  const both = { ...parts, args: [parts.args.join(' + ')] };
  return `CASE WHEN ${plain('COUNT')(both)} > 1 THEN COALESCE(${plain('CORR')(parts)}, CAST('NaN' AS DOUBLE)) END`;
};

export const STATISTICAL_FUNCTIONS: readonly AggregateFunction[] = [
  sampleDeviation('STDDEV'),
  sampleDeviation('STDDEV_SAMP'),
  spread('STDDEV_POP', 'STDDEV_POP', 'standard deviation', 'population', [
    of('[1, 5]', 'STDDEV_POP(x)', 2),
    of('[1]', 'STDDEV_POP(x)', 0),
  ]),
  sampleVariance('VARIANCE'),
  sampleVariance('VAR_SAMP'),
  spread('VAR_POP', 'VAR_POP', 'variance', 'population', [
    of('[1, 5]', 'VAR_POP(x)', 4),
    of('[1]', 'VAR_POP(x)', 0),
  ]),
  pairs(
    'CORR',
    'The Pearson correlation of pairs; NULL for fewer than two, NaN where one side never changes. Pairs with a NULL are left out.',
    [
      of('[1, 2, 3]', 'ROUND(CORR(x, 10 - x), 6)', -1),
      of('[1]', 'CORR(x, x)', null),
      of('[1, 2]', 'CORR(x, 5)', 'NaN'),
    ],
    correlation,
  ),
  pairs('COVAR_POP', 'The covariance of all pairs. Pairs with a NULL are left out.', [
    of('[1, 2, 3, NULL]', 'COVAR_POP(x, 3 * x)', 2),
  ]),
  pairs(
    'COVAR_SAMP',
    'The covariance of a sample of pairs; NULL for fewer than two. Pairs with a NULL are left out.',
    [of('[1, 2, 3]', 'COVAR_SAMP(x, 3 * x)', 3), of('[1]', 'COVAR_SAMP(x, x)', null)],
  ),
];
