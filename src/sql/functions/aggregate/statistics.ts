import type { SqlTarget } from '../../common/result-schema.ts';
import type { AggregateTemplate } from '../../ir/function.ts';
import { FLOAT64 } from '../../ir/types.ts';
import { aggregateExample, docsFrom, type FunctionExample } from '../common/doc.ts';
import type { AggregateFunction } from '../common/function.ts';
import { aggregate, always, plain } from './aggregate.ts';

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
  const rule = `The ${what} ${RULES[of]}; NaN if one is NaN or infinite. NULLs are left out.`;
  const text = doc(`${name}([DISTINCT] x FLOAT64) -> FLOAT64`, rule, [
    ...examples,
    nanOf("['1', 'nan']", `${name}(CAST(x AS FLOAT64))`),
    nanOf("['1', 'inf', NULL]", `${name}(CAST(x AS FLOAT64))`),
    forOne(name, of),
  ]);
  return aggregate(
    name.toLowerCase(),
    text,
    ['float64'],
    always(FLOAT64),
    finiteOnly(engineName, of, 'athena'),
    finiteOnly(engineName, of, 'duckdb'),
  );
}

const nanOf = (values: string, sql: string): FunctionExample =>
  aggregateExample(values, sql, 'NaN');
const forOne = (name: string, kind: keyof typeof RULES): FunctionExample =>
  aggregateExample("['inf']", `${name}(CAST(x AS FLOAT64))`, kind === 'sample' ? null : 'NaN');

/**
 * A statistic of numbers that are all finite. BigQuery has NaN where one is not, and DuckDB an error; a
 * sample of one has none, whatever it is.
 */
function finiteOnly(name: string, kind: keyof typeof RULES, engine: SqlTarget): AggregateTemplate {
  const finiteArg = (arg: string): string =>
    `${engine === 'athena' ? 'IS_FINITE' : 'ISFINITE'}(${arg})`;
  return (parts) => {
    const each = (form: (arg: string) => string): string => parts.args.map(form).join(' AND ');
    const present = each((arg) => `${arg} IS NOT NULL`);
    const finite = each(finiteArg);
    const of = (aggregated: string, ...args: readonly string[]): string =>
      plain(aggregated)({ ...parts, args, distinct: parts.distinct && aggregated !== 'BOOL_OR' });
    const odd = of('BOOL_OR', `${present} AND NOT (${finite})`);
    const nan = NAN[kind](of('COUNT', `CASE WHEN ${present} THEN ${parts.args[0]} END`));
    const value = of(name, ...parts.args.map((arg) => `CASE WHEN ${finite} THEN ${arg} END`));
    return `CASE WHEN ${odd} THEN ${nan} ELSE ${value} END`;
  };
}

const NAN = {
  sample: (count: string): string => `CASE WHEN ${count} > 1 THEN CAST('NaN' AS DOUBLE) END`,
  population: (): string => "CAST('NaN' AS DOUBLE)",
};

const sampleDeviation = (name: string) =>
  spread(name, 'STDDEV_SAMP', 'standard deviation', 'sample', [
    aggregateExample('[1, 3, 5, NULL]', `${name}(x)`, 2),
    aggregateExample('[1]', `${name}(x)`, null),
  ]);
const sampleVariance = (name: string) =>
  spread(name, 'VAR_SAMP', 'variance', 'sample', [
    aggregateExample('[1, 3, 5]', `${name}(x)`, 4),
    aggregateExample('[1]', `${name}(x)`, null),
  ]);

function pairs(
  name: string,
  rule: string,
  examples: readonly [FunctionExample, ...FunctionExample[]],
  form: (engine: SqlTarget) => AggregateTemplate,
): AggregateFunction {
  const signature = `${name}(x FLOAT64, y FLOAT64) -> FLOAT64`;
  const text = doc(
    signature,
    `${rule} Pairs with a NULL are left out; NaN if a number is NaN or infinite.`,
    [
      ...examples,
      nanOf("['1', 'nan', '2']", `${name}(CAST(x AS FLOAT64), 1)`),
      nanOf("['1', 'inf', '2']", `${name}(CAST(x AS FLOAT64), CAST(x AS FLOAT64))`),
      aggregateExample(
        "['1', 'inf', '2']",
        `${name}(CAST(x AS FLOAT64), IF(x = 'inf', NULL, 1)) IS NULL`,
        false,
      ),
    ],
  );
  return {
    ...aggregate(
      name.toLowerCase(),
      text,
      ['float64', 'float64'],
      always(FLOAT64),
      form('athena'),
      form('duckdb'),
    ),
    distinct: 'refused',
  };
}

/** Engines disagree about one pair, and about values that are all the same: NULL or NaN. */
const correlation =
  (engine: SqlTarget): AggregateTemplate =>
  (parts) => {
    const both = { ...parts, args: [parts.args.join(' + ')] };
    const value = finiteOnly('CORR', 'population', engine)(parts);
    return `CASE WHEN ${plain('COUNT')(both)} > 1 THEN COALESCE(${value}, CAST('NaN' AS DOUBLE)) END`;
  };

export const STATISTICAL_FUNCTIONS: readonly AggregateFunction[] = [
  sampleDeviation('STDDEV'),
  sampleDeviation('STDDEV_SAMP'),
  spread('STDDEV_POP', 'STDDEV_POP', 'standard deviation', 'population', [
    aggregateExample('[1, 5]', 'STDDEV_POP(x)', 2),
    aggregateExample('[1]', 'STDDEV_POP(x)', 0),
  ]),
  sampleVariance('VARIANCE'),
  sampleVariance('VAR_SAMP'),
  spread('VAR_POP', 'VAR_POP', 'variance', 'population', [
    aggregateExample('[1, 5]', 'VAR_POP(x)', 4),
    aggregateExample('[1]', 'VAR_POP(x)', 0),
  ]),
  pairs(
    'CORR',
    'The Pearson correlation of pairs; NULL for fewer than two, NaN where one side never changes.',
    [
      aggregateExample('[1, 2, 3]', 'ROUND(CORR(x, 10 - x), 6)', -1),
      aggregateExample('[1]', 'CORR(x, x)', null),
      aggregateExample('[1, 2]', 'CORR(x, 5)', 'NaN'),
    ],
    correlation,
  ),
  pairs(
    'COVAR_POP',
    'The covariance of all pairs.',
    [aggregateExample('[1, 2, 3, NULL]', 'COVAR_POP(x, 3 * x)', 2)],
    (engine) => finiteOnly('COVAR_POP', 'population', engine),
  ),
  pairs(
    'COVAR_SAMP',
    'The covariance of a sample of pairs; NULL for fewer than two.',
    [
      aggregateExample('[1, 2, 3]', 'COVAR_SAMP(x, 3 * x)', 3),
      aggregateExample('[1]', 'COVAR_SAMP(x, x)', null),
    ],
    (engine) => finiteOnly('COVAR_SAMP', 'sample', engine),
  ),
];
