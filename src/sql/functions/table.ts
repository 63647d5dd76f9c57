import { AGGREGATE_FUNCTIONS } from './aggregates.ts';
import { ARRAY_FUNCTIONS } from './arrays.ts';
import { CONDITIONAL_FUNCTIONS } from './conditional.ts';
import { DATE_FUNCTIONS, EPOCH_FUNCTIONS } from './dates.ts';
import type { AggregateFunction, SimpleFunction, SpecialFunction } from './function.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { MATH_FUNCTIONS } from './math.ts';
import { REGEX_FUNCTIONS } from './regex.ts';
import { STRING_FUNCTIONS } from './strings.ts';

/**
 * Every function that a query may call. What is not here does not exist for users, whatever the
 * engines offer.
 */
export const SIMPLE: ReadonlyMap<string, SimpleFunction> = byName([
  ...STRING_FUNCTIONS,
  ...MATH_FUNCTIONS,
  ...EPOCH_FUNCTIONS,
]);

export const SPECIAL: ReadonlyMap<string, SpecialFunction> = byName([
  ...CONDITIONAL_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...JSON_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...ARRAY_FUNCTIONS,
]);

export const AGGREGATES: ReadonlyMap<string, AggregateFunction> = byName(AGGREGATE_FUNCTIONS);

/** Named in their refusal, because Logflare's clients know that text. */
export const RESTRICTED: ReadonlySet<string> = new Set(['session_user', 'external_query']);

export const FUNCTION_NAMES: readonly string[] = [
  ...SIMPLE.keys(),
  ...SPECIAL.keys(),
  ...AGGREGATES.keys(),
];

function byName<T extends { readonly name: string }>(functions: readonly T[]): Map<string, T> {
  return new Map(functions.map((fn) => [fn.name, fn]));
}
