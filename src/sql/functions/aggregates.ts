import { arrayOf, BOOL, FLOAT64, INT64, NULL, type SqlType, STRING } from '../types.ts';
import {
  type AggregateForm,
  type AggregateFunction,
  type AggregateParts,
  type ParameterKind,
  tail,
} from './function.ts';

const first = (types: readonly SqlType[]): SqlType => types[0] ?? NULL;
const always = (type: SqlType) => (): SqlType => type;

function simple(engineName: string): AggregateForm {
  return (parts) =>
    `${engineName}(${parts.distinct ? 'DISTINCT ' : ''}${parts.args.join(', ')})${tail(parts)}`;
}

function aggregate(
  name: string,
  parameters: readonly ParameterKind[],
  result: AggregateFunction['result'],
  athena: AggregateForm,
  duckdb: AggregateForm = athena,
): AggregateFunction {
  return { name, parameters, required: parameters.length, result, athena, duckdb };
}

/** An array of the aggregated values: filtered, ordered, and cut to its limit. */
function collect(parts: AggregateParts, form: 'ARRAY_AGG' | 'LIST', skipNulls: boolean): string {
  const [value] = parts.args;
  const order = parts.orderBy === '' ? '' : ` ${parts.orderBy}`;
  const condition = skipNulls ? `${value} IS NOT NULL` : undefined;
  return `${form}(${parts.distinct ? 'DISTINCT ' : ''}${value}${order})${tail(parts, condition)}`;
}

const arrayAgg: AggregateForm = (parts) => {
  const list = collect(parts, 'ARRAY_AGG', parts.ignoreNulls);
  return parts.limit === undefined ? list : `SLICE(${list}, 1, ${parts.limit})`;
};

const listAgg: AggregateForm = (parts) => {
  const list = collect(parts, 'LIST', parts.ignoreNulls);
  return parts.limit === undefined ? list : `LIST_SLICE(${list}, 1, ${parts.limit})`;
};

/** STRING_AGG skips NULLs and is NULL when nothing is left. */
const joinAthena: AggregateForm = (parts) => {
  const list = collect(parts, 'ARRAY_AGG', true);
  const cut = parts.limit === undefined ? list : `SLICE(${list}, 1, ${parts.limit})`;
  return `ARRAY_JOIN(${cut}, ${parts.args[1] ?? "','"})`;
};

const joinDuckdb: AggregateForm = (parts) => {
  const list = collect(parts, 'LIST', true);
  const cut = parts.limit === undefined ? list : `LIST_SLICE(${list}, 1, ${parts.limit})`;
  return `ARRAY_TO_STRING(${cut}, ${parts.args[1] ?? "','"})`;
};

/** APPROX_QUANTILES(x, n): n + 1 values, from the minimum to the maximum. */
function quantiles(parts: AggregateParts, open: string, close: string): string {
  const count = Number(/\d+/.exec(parts.args[1] ?? '')?.[0] ?? 1);
  const points = Array.from({ length: count + 1 }, (_, i) => `${i / count}E0`);
  return `${open}${parts.args[0]}, ${close.replace('?', points.join(', '))})${tail(parts)}`;
}

const WINDOW_ONLY = { windowOnly: true, distinctAllowed: false } as const;

function ranking(name: string): AggregateFunction {
  return { ...aggregate(name, [], always(INT64), simple(name.toUpperCase())), ...WINDOW_ONLY };
}

/** Functions of one row of the window; IGNORE NULLS stands behind the call in both engines. */
function navigation(
  name: string,
  parameters: readonly ParameterKind[],
  required: number,
): AggregateFunction {
  const engine = name.toUpperCase();
  const athena: AggregateForm = (parts) =>
    `${engine}(${parts.args.join(', ')})${parts.ignoreNulls ? ' IGNORE NULLS' : ''}${parts.over}`;
  const duckdb: AggregateForm = (parts) =>
    `${engine}(${parts.args.join(', ')}${parts.ignoreNulls ? ' IGNORE NULLS' : ''})${parts.over}`;
  return { name, parameters, required, result: first, athena, duckdb, ...WINDOW_ONLY };
}

export const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = [
  {
    ...aggregate('count', ['any'], always(INT64), (parts) =>
      parts.args.length === 0 ? `COUNT(*)${tail(parts)}` : simple('COUNT')(parts),
    ),
    required: 1,
  },
  aggregate(
    'countif',
    ['bool'],
    always(INT64),
    (parts) => `COUNT_IF(${parts.args[0]})${tail(parts)}`,
    (parts) => `COUNT(*)${tail(parts, parts.args[0])}`,
  ),
  // DuckDB sums BIGINT as HUGEINT; BigQuery and Trino stay in 64 bits.
  aggregate('sum', ['number'], first, simple('SUM'), (parts) => simple('SUM')(parts)),
  aggregate('avg', ['number'], always(FLOAT64), simple('AVG')),
  aggregate('min', ['ordered'], first, simple('MIN')),
  aggregate('max', ['ordered'], first, simple('MAX')),
  aggregate('any_value', ['any'], first, simple('ARBITRARY'), simple('ANY_VALUE')),
  aggregate(
    'approx_count_distinct',
    ['any'],
    always(INT64),
    simple('APPROX_DISTINCT'),
    simple('APPROX_COUNT_DISTINCT'),
  ),
  {
    ...aggregate(
      'approx_quantiles',
      ['number', 'int64'],
      (types) => arrayOf(first(types)),
      (parts) => quantiles(parts, 'APPROX_PERCENTILE(', 'ARRAY[?]'),
      (parts) => quantiles(parts, 'QUANTILE_DISC(', '[?]'),
    ),
    constantArguments: true,
    distinctAllowed: false,
  },
  {
    ...aggregate('string_agg', ['string', 'string'], always(STRING), joinAthena, joinDuckdb),
    required: 1,
    orderAllowed: true,
    constantArguments: true,
  },
  {
    ...aggregate('array_agg', ['any'], (types) => arrayOf(first(types)), arrayAgg, listAgg),
    orderAllowed: true,
  },
  aggregate('logical_and', ['bool'], always(BOOL), simple('BOOL_AND')),
  aggregate('logical_or', ['bool'], always(BOOL), simple('BOOL_OR')),
  aggregate('stddev', ['float64'], always(FLOAT64), simple('STDDEV_SAMP')),
  aggregate('variance', ['float64'], always(FLOAT64), simple('VAR_SAMP')),
  ranking('row_number'),
  ranking('rank'),
  ranking('dense_rank'),
  navigation('lag', ['any', 'int64', 'any'], 1),
  navigation('lead', ['any', 'int64', 'any'], 1),
  navigation('first_value', ['any'], 1),
  navigation('last_value', ['any'], 1),
];
