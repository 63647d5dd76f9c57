import { AGGREGATE_FUNCTIONS } from './aggregate/aggregates.ts';
import { COLLECTING_FUNCTIONS } from './aggregate/array-agg.ts';
import { STATISTICAL_FUNCTIONS } from './aggregate/statistics.ts';
import { WINDOW_FUNCTIONS } from './aggregate/windows.ts';
import { ARRAY_FUNCTIONS } from './array/arrays.ts';
import { GENERATE_FUNCTIONS } from './array/generate.ts';
import type { Documented, FunctionExample } from './common/doc.ts';
import type {
  AggregateFunction,
  CustomBoundFunction,
  SignatureFunction,
} from './common/function.ts';
import { CONDITIONAL_FUNCTIONS } from './conditional.ts';
import { JSON_FUNCTIONS } from './json/json.ts';
import { TO_JSON_STRING } from './json/to-json.ts';
import { MATH_FUNCTIONS } from './number/math.ts';
import { ROUNDING_FUNCTIONS } from './number/rounding.ts';
import { CONVERSIONS, OPERATORS } from './operators-doc.ts';
import { REGEX_FUNCTIONS } from './regex/regex.ts';
import { HASH_FUNCTIONS } from './text/hash.ts';
import { STRING_PART_FUNCTIONS } from './text/string-parts.ts';
import { STRING_SEARCH_FUNCTIONS } from './text/string-search.ts';
import { STRING_FUNCTIONS } from './text/strings.ts';
import { ADD_FUNCTIONS } from './time/time-add.ts';
import { CONVERT_FUNCTIONS } from './time/time-convert.ts';
import { CURRENT_FUNCTIONS } from './time/time-current.ts';
import { DIFF_FUNCTIONS } from './time/time-diff.ts';
import { EPOCH_FUNCTIONS } from './time/time-epoch.ts';
import { FORMAT_FUNCTIONS } from './time/time-format.ts';
import { TRUNC_FUNCTIONS } from './time/time-trunc.ts';

interface Group<F extends Documented> {
  readonly title: string;
  readonly functions: readonly F[];
}

const SCALARS: readonly Group<SignatureFunction | CustomBoundFunction>[] = [
  { title: 'Conditions', functions: CONDITIONAL_FUNCTIONS },
  {
    title: 'Text',
    functions: [...STRING_FUNCTIONS, ...STRING_PART_FUNCTIONS, ...STRING_SEARCH_FUNCTIONS],
  },
  { title: 'Regular expressions', functions: REGEX_FUNCTIONS },
  { title: 'Hashes', functions: HASH_FUNCTIONS },
  { title: 'Numbers', functions: [...ROUNDING_FUNCTIONS, ...MATH_FUNCTIONS] },
  {
    title: 'Dates and times',
    functions: [
      ...CURRENT_FUNCTIONS,
      ...TRUNC_FUNCTIONS,
      ...ADD_FUNCTIONS,
      ...DIFF_FUNCTIONS,
      ...CONVERT_FUNCTIONS,
      ...FORMAT_FUNCTIONS,
      ...EPOCH_FUNCTIONS,
    ],
  },
  { title: 'JSON', functions: [...JSON_FUNCTIONS, TO_JSON_STRING] },
  { title: 'Arrays', functions: [...ARRAY_FUNCTIONS, ...GENERATE_FUNCTIONS] },
];

const AGGREGATING: readonly Group<AggregateFunction>[] = [
  {
    title: 'Aggregates',
    functions: [...AGGREGATE_FUNCTIONS, ...COLLECTING_FUNCTIONS, ...STATISTICAL_FUNCTIONS],
  },
  { title: 'Windows', functions: WINDOW_FUNCTIONS },
];

/**
 * Every function that a query may call. What is not here does not exist for users, whatever the
 * engines offer.
 */
export const FUNCTION_GROUPS: readonly Group<Documented>[] = [...SCALARS, ...AGGREGATING];

/** What users read: grammar with a meaning of its own, and then all functions. */
export const REFERENCE_GROUPS: readonly Group<Documented>[] = [
  { title: 'Operators', functions: OPERATORS },
  { title: 'Conversions', functions: CONVERSIONS },
  ...FUNCTION_GROUPS,
];

const scalars = SCALARS.flatMap(({ functions }) => functions);

export const SIMPLE: ReadonlyMap<string, SignatureFunction> = byName(
  scalars.filter((fn): fn is SignatureFunction => !('bind' in fn)),
);

export const SPECIAL: ReadonlyMap<string, CustomBoundFunction> = byName(
  scalars.filter((fn) => 'bind' in fn),
);

export const AGGREGATES: ReadonlyMap<string, AggregateFunction> = byName(
  AGGREGATING.flatMap(({ functions }) => functions),
);

/** Named in their refusal, because Logflare's clients know that text. */
export const RESTRICTED: ReadonlySet<string> = new Set(['session_user', 'external_query']);

export const FUNCTION_NAMES: readonly string[] = [
  ...SIMPLE.keys(),
  ...SPECIAL.keys(),
  ...AGGREGATES.keys(),
];

/** The examples of the reference, each an expression that stands alone. */
export function functionExamples(): readonly (Pick<FunctionExample, 'sql' | 'value'> & {
  readonly name: string;
})[] {
  return REFERENCE_GROUPS.flatMap(({ functions }) =>
    functions.flatMap(({ name, doc }) =>
      doc.examples.map(({ sql, value }) => ({ name, sql, value })),
    ),
  );
}

function byName<T extends { readonly name: string }>(functions: readonly T[]): Map<string, T> {
  return new Map(functions.map((fn) => [fn.name, fn]));
}
