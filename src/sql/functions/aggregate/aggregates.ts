import type { AggregateParts, AggregateTemplate } from '../../ir/function.ts';
import { arrayOf, BOOL, FLOAT64, INT64, typeName } from '../../ir/types.ts';
import { aggregateExample, docsFrom, type FunctionDoc, windowExample } from '../common/doc.ts';
import { type AggregateFunction, tail } from '../common/function.ts';
import { aggregate, always, firstType, othersConstant, plain } from './aggregate.ts';
import { shares } from './quantile-shares.ts';

const doc = docsFrom('Aggregate functions');
const approximate = docsFrom('Approximate aggregate functions');

const count: AggregateTemplate = (parts) =>
  parts.args.length === 0 ? `COUNT(*)${tail(parts)}` : plain('COUNT')(parts);

/** Trino has no DISTINCT in windows. */
const countDistinct: AggregateTemplate = (parts) =>
  parts.over === ''
    ? plain('COUNT')(parts)
    : `COALESCE(CARDINALITY(FILTER(ARRAY_DISTINCT(${plain('ARRAY_AGG')({ ...parts, distinct: false })}), e -> e IS NOT NULL)), 0)`;

/** An aggregate that DISTINCT changes nothing of. */
const alike = (...of: Parameters<typeof aggregate>): AggregateFunction => ({
  ...aggregate(...of),
  distinct: 'alike',
});

/** NaN if there is one, which no engine says of both the least and the greatest. */
function extreme(name: 'MIN' | 'MAX', text: FunctionDoc): AggregateFunction {
  const form =
    (isNan: string): AggregateTemplate =>
    (parts) => {
      const value = plain(name)(parts);
      const found = plain('BOOL_OR')({ ...parts, args: [`${isNan}(${parts.args[0]})`] });
      return parts.type.kind === 'float64'
        ? `CASE WHEN ${found} THEN CAST('NaN' AS DOUBLE) ELSE ${value} END`
        : value;
    };
  return {
    ...alike(name.toLowerCase(), text, ['ordered'], firstType, form('IS_NAN'), form('ISNAN')),
    check: ([value]) =>
      value?.type.kind === 'array' || value?.type.kind === 'struct'
        ? `${typeName(value.type)} has no order`
        : undefined,
  };
}

/**
 * Releases of Trino differ on a window whose sum is no INT64: 435 fails, 449 starts over at the other
 * end of the range. A decimal sum has room for it, and its cast fails on both.
 */
function windowSafeSum(parts: AggregateParts): string {
  if (parts.over === '' || parts.type.kind !== 'int64') return plain('SUM')(parts);
  const args = parts.args.map((arg) => `CAST(${arg} AS DECIMAL(38, 0))`);
  return `CAST(${plain('SUM')({ ...parts, args })} AS BIGINT)`;
}

export const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = [
  {
    ...aggregate(
      'count',
      doc(
        ['COUNT(*) -> INT64', 'COUNT([DISTINCT] value T) -> INT64'],
        'Number of rows, or of those whose value is not NULL; 0 where there are none.',
        [
          aggregateExample("['a', NULL, 'a']", 'COUNT(*)', 3),
          aggregateExample("['a', NULL, 'a']", 'COUNT(x)', 2),
          aggregateExample("['a', NULL, 'a']", 'COUNT(DISTINCT x)', 1),
          windowExample(
            '[1, 2, 3]',
            'COUNT(DISTINCT DIV(x, 2)) OVER (PARTITION BY x > 5)',
            [2, 2, 2],
          ),
          aggregateExample("REGEXP_EXTRACT_ALL('a', 'b')", 'COUNT(*)', 0),
        ],
      ),
      ['any'],
      always(INT64),
      (parts) => (parts.distinct ? countDistinct(parts) : count(parts)),
      count,
    ),
    required: 1,
    distinct: 'window',
  },
  {
    ...aggregate(
      'countif',
      doc('COUNTIF(condition BOOL) -> INT64', 'Number of rows for which the condition is TRUE.', [
        aggregateExample('[200, 503, NULL, 500]', 'COUNTIF(x >= 500)', 2),
        aggregateExample("REGEXP_EXTRACT_ALL('a', 'b')", "COUNTIF(x = 'a')", 0),
      ]),
      ['bool'],
      always(INT64),
      (parts) => `COUNT_IF(${parts.args[0]})${tail(parts)}`,
      (parts) => `COUNT(*)${tail(parts, parts.args[0])}`,
    ),
    distinct: 'refused',
  },
  aggregate(
    'sum',
    doc(
      ['SUM([DISTINCT] x INT64) -> INT64', 'SUM([DISTINCT] x FLOAT64) -> FLOAT64'],
      'The sum of what is not NULL; NULL where there is nothing. A sum that is no INT64 any more is an error.',
      [
        aggregateExample('[1, 2, NULL]', 'SUM(x)', 3),
        aggregateExample('[0.5, 2]', 'SUM(x)', 2.5),
        aggregateExample('[2, 2, 3]', 'SUM(DISTINCT x)', 5),
        aggregateExample('[1]', 'SUM(NULLIF(x, 1))', null),
      ],
    ),
    ['number'],
    firstType,
    windowSafeSum,
    // DuckDB sums INT64 in 128 bits; where the sum is no INT64, BigQuery and Trino fail.
    (parts) =>
      parts.type.kind === 'int64' ? `CAST(${plain('SUM')(parts)} AS BIGINT)` : plain('SUM')(parts),
  ),
  aggregate(
    'avg',
    doc(
      'AVG([DISTINCT] x FLOAT64) -> FLOAT64',
      'The mean of what is not NULL; NULL where there is nothing.',
      [
        aggregateExample('[1, 2, NULL]', 'AVG(x)', 1.5),
        aggregateExample('[1]', 'AVG(NULLIF(x, 1))', null),
      ],
    ),
    ['number'],
    always(FLOAT64),
    plain('AVG'),
  ),
  extreme(
    'MIN',
    doc(
      'MIN([DISTINCT] value T) -> T',
      'The least value that is not NULL, of any type that has an order; NaN if there is one. Text is compared by code point.',
      [
        aggregateExample('[3, NULL, -1]', 'MIN(x)', -1),
        aggregateExample("['b', 'B', 'a']", 'MIN(x)', 'B'),
        aggregateExample('[1]', 'MIN(NULLIF(x, 1))', null),
        aggregateExample("['1', 'nan', '-inf', NULL]", 'MIN(CAST(x AS FLOAT64))', 'NaN'),
        aggregateExample('[2, 1, 2]', 'MIN(DISTINCT x)', 1),
      ],
    ),
  ),
  extreme(
    'MAX',
    doc('MAX([DISTINCT] value T) -> T', 'The greatest value that is not NULL, by the same order.', [
      aggregateExample('[3, NULL, -1]', 'MAX(x)', 3),
      aggregateExample("['z', 'é']", 'MAX(x)', 'é'),
      aggregateExample("['1', 'nan', 'inf', NULL]", 'MAX(CAST(x AS FLOAT64))', 'NaN'),
    ]),
  ),
  alike(
    'any_value',
    doc('ANY_VALUE([DISTINCT] value T) -> T', 'The value of some row, which one is not said.', [
      aggregateExample("['a', 'a']", 'ANY_VALUE(x)', 'a'),
    ]),
    ['any'],
    firstType,
    plain('ARBITRARY'),
    plain('ANY_VALUE'),
  ),
  alike(
    'approx_count_distinct',
    approximate(
      'APPROX_COUNT_DISTINCT([DISTINCT] value T) -> INT64',
      'About how many different values there are, NULL not counted. Cheaper than COUNT(DISTINCT ..) on many.',
      [aggregateExample("['a', 'b', 'a', NULL]", 'APPROX_COUNT_DISTINCT(x)', 2)],
    ),
    ['any'],
    always(INT64),
    plain('APPROX_DISTINCT'),
    plain('APPROX_COUNT_DISTINCT'),
  ),
  {
    ...aggregate(
      'approx_quantiles',
      approximate(
        'APPROX_QUANTILES(x INT64 or FLOAT64, number INT64 [IGNORE NULLS]) -> ARRAY<T>',
        'About the values that split the rows into a number of equal parts, from the least to the greatest: `[OFFSET(95)]` of 100 is the 95th percentile. The number is 1 to 100,000. NULLs are left out.',
        [
          aggregateExample('[30, 10, NULL, 20]', 'APPROX_QUANTILES(x, 2)', [10, 20, 30]),
          aggregateExample('[5]', 'APPROX_QUANTILES(x, 100)[OFFSET(95)]', 5),
          aggregateExample('[1]', 'APPROX_QUANTILES(NULLIF(x, 1), 2)', null),
        ],
      ),
      ['number', 'int64'],
      (types) => arrayOf(firstType(types)),
      (parts) => `APPROX_PERCENTILE(${parts.args[0]}, ${shares.athena(parts)})${tail(parts)}`,
      (parts) => `QUANTILE_DISC(${parts.args[0]}, ${shares.duckdb(parts)})${tail(parts)}`,
    ),
    distinct: 'refused',
    nulls: ['ignore'],
    check: othersConstant,
  },
  alike(
    'logical_and',
    doc(
      'LOGICAL_AND([DISTINCT] value BOOL) -> BOOL',
      'Whether all values that are not NULL are TRUE; NULL where there are none.',
      [
        aggregateExample('[1, 2, NULL]', 'LOGICAL_AND(x > 0)', true),
        aggregateExample('[1, 2]', 'LOGICAL_AND(x > 1)', false),
      ],
    ),
    ['bool'],
    always(BOOL),
    plain('BOOL_AND'),
  ),
  alike(
    'logical_or',
    doc(
      'LOGICAL_OR([DISTINCT] value BOOL) -> BOOL',
      'Whether any value is TRUE; NULL where none is anything but NULL.',
      [
        aggregateExample('[1, 2, NULL]', 'LOGICAL_OR(x > 1)', true),
        aggregateExample('[1]', 'LOGICAL_OR(NULLIF(x, 1) > 0)', null),
      ],
    ),
    ['bool'],
    always(BOOL),
    plain('BOOL_OR'),
  ),
  bits('BIT_AND', 'BITWISE_AND_AGG', 'all', 4),
  bits('BIT_OR', 'BITWISE_OR_AGG', 'any', 14),
];

function bits(name: string, athena: string, which: string, result: number): AggregateFunction {
  return alike(
    name.toLowerCase(),
    doc(
      `${name}([DISTINCT] x INT64) -> INT64`,
      `The bits that ${which} of the numbers have set. NULLs are left out.`,
      [
        aggregateExample('[6, 12, NULL]', `${name}(x)`, result),
        aggregateExample('[1]', `${name}(NULLIF(x, 1))`, null),
      ],
    ),
    ['int64'],
    always(INT64),
    plain(athena),
    plain(name),
  );
}
