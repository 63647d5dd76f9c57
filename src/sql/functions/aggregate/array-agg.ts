import type { AggregateParts, AggregateTemplate } from '../../ir/function.ts';
import { arrayOf, STRING } from '../../ir/types.ts';
import { aggregateExample, docsFrom } from '../common/doc.ts';
import { type AggregateFunction, tail } from '../common/function.ts';
import { joinTexts } from '../common/join-texts.ts';
import { aggregate, always, firstType, othersConstant } from './aggregate.ts';

const doc = docsFrom('Aggregate functions');

/** An array of the aggregated values: filtered, ordered, and cut to its limit. */
function collect(parts: AggregateParts, form: 'ARRAY_AGG' | 'LIST', skipNulls: boolean): string {
  const [value] = parts.args;
  const order = parts.orderBy === '' ? '' : ` ${parts.orderBy}`;
  const aggregate = `${form}(${parts.distinct ? 'DISTINCT ' : ''}${value}${order})`;
  if (skipNulls && parts.over !== '') {
    return skippingNulls(aggregate, value ?? '', form, parts.over);
  }
  const list = `${aggregate}${tail(parts, skipNulls ? `${value} IS NOT NULL` : undefined)}`;
  if (parts.limit === undefined) return list;
  if (parts.limit === 0) return `CASE WHEN FALSE THEN ${list} END`;
  return `${form === 'LIST' ? 'LIST_SLICE' : 'SLICE'}(${list}, 1, ${parts.limit})`;
}

/** In a window, where Trino knows no FILTER: an array without its NULLs, or NULL if nothing is left. */
function skippingNulls(
  aggregate: string,
  value: string,
  form: 'ARRAY_AGG' | 'LIST',
  over: string,
): string {
  const list =
    form === 'LIST'
      ? `LIST_FILTER(${aggregate}${over}, LAMBDA item: item IS NOT NULL)`
      : `FILTER(${aggregate}${over}, item -> item IS NOT NULL)`;
  return `CASE WHEN COUNT(${value})${over} > 0 THEN ${list} END`;
}

const separator = (parts: AggregateParts): string => parts.args[1] ?? "','";

const joinAthena: AggregateTemplate = (parts) =>
  `ARRAY_JOIN(${collect(parts, 'ARRAY_AGG', true)}, ${separator(parts)})`;

const joinDuckdb: AggregateTemplate = (parts) =>
  joinTexts(collect(parts, 'LIST', true), separator(parts));

export const COLLECTING_FUNCTIONS: readonly AggregateFunction[] = [
  {
    ...aggregate(
      'string_agg',
      doc(
        'STRING_AGG([DISTINCT] value STRING[, separator STRING] [ORDER BY ..] [LIMIT n]) -> STRING',
        'The texts that are not NULL with the separator, a comma if none is given, between them; NULL where there are none, or none are wanted.',
        [
          aggregateExample("['b', NULL, 'a']", "STRING_AGG(x, '+' ORDER BY x)", 'a+b'),
          aggregateExample("['b', 'a', 'c']", 'STRING_AGG(x ORDER BY x DESC LIMIT 2)', 'c,b'),
          aggregateExample("['b', 'a']", 'STRING_AGG(x LIMIT 0)', null),
          aggregateExample("['a', 'a']", 'STRING_AGG(DISTINCT x)', 'a'),
          aggregateExample("['a']", "STRING_AGG(NULLIF(x, 'a'))", null),
        ],
      ),
      ['string', 'string'],
      always(STRING),
      joinAthena,
      joinDuckdb,
    ),
    required: 1,
    orderAllowed: true,
    check: othersConstant,
  },
  {
    ...aggregate(
      'array_agg',
      doc(
        'ARRAY_AGG([DISTINCT] value T [IGNORE NULLS | RESPECT NULLS] [ORDER BY ..] [LIMIT n]) -> ARRAY<T>',
        'The values as an array, in the order that is asked for; NULL where there are no rows, or none are wanted. IGNORE NULLS leaves out NULLs.',
        [
          aggregateExample('[3, 1, 2]', 'ARRAY_AGG(x ORDER BY x)', [1, 2, 3]),
          aggregateExample('[3, NULL, 2]', 'ARRAY_AGG(x IGNORE NULLS ORDER BY x DESC)', [3, 2]),
          aggregateExample('[3, 1, 2]', 'ARRAY_AGG(x ORDER BY x LIMIT 2)', [1, 2]),
          aggregateExample('[3, 1, 2]', 'ARRAY_AGG(x LIMIT 0)', null),
          aggregateExample('[1, NULL]', 'ARRAY_LENGTH(ARRAY_AGG(x RESPECT NULLS))', 2),
          aggregateExample("REGEXP_EXTRACT_ALL('a', 'b')", 'ARRAY_AGG(x)', null),
        ],
      ),
      ['any'],
      (types) => arrayOf(firstType(types)),
      (parts) => collect(parts, 'ARRAY_AGG', parts.ignoreNulls),
      (parts) => collect(parts, 'LIST', parts.ignoreNulls),
    ),
    orderAllowed: true,
    nulls: ['ignore', 'respect'],
  },
];
