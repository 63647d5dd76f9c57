/** Reads the arguments of the regular expression functions, and refuses what cannot be translated. */

import { SqlError } from '../../common/sql-error.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { INT64, type SqlType, STRING } from '../../ir/types.ts';
import { hasUncertainLoop } from '../../regex/ambiguous-loops.ts';
import { hasGroupInEmptyLoop } from '../../regex/groups.ts';
import { parseRegex } from '../../regex/parse.ts';
import { asserts, canBeEmpty } from '../../regex/properties.ts';
import type { Regex, RegexNode } from '../../regex/tree.ts';
import type { FunctionCall } from '../common/function.ts';

export const MATCHES_EMPTY = 'the pattern matches the empty text too';
export const WRITE_PLUS = 'write + for *, or a pattern that matches something';

export function refuse(call: FunctionCall, why: string): SqlError {
  return call.fail(`${call.name.toUpperCase()}: ${why}`);
}

/**
 * The call for its pattern, the second argument; NULL for a pattern that is NULL. What cannot be
 * translated is an error only where the call is used: a parameter may hold anything in a branch that
 * is never taken.
 *
 * @throws SqlError for a pattern that is no constant.
 */
export function withPattern(
  call: FunctionCall,
  type: SqlType,
  translate: (regex: Regex) => Expr,
): Expr {
  const pattern = call.argAs(1, STRING);
  if (!isConst(pattern)) {
    throw refuse(
      call,
      'the pattern must be a constant: it is translated for the engine when the query is compiled, so no column can hold it',
    );
  }
  if (typeof pattern.value !== 'string') return constant(type, null);
  try {
    return translate(regexOf(call, pattern.value));
  } catch (error) {
    if (error instanceof SqlError) {
      return { op: 'invalid', type, error: naming(pattern.parameter, error) };
    }
    throw error;
  }
}

/** A caller sees the parameter, and not the query that uses it for a pattern. */
function naming(parameter: string | undefined, error: SqlError): SqlError {
  return parameter === undefined
    ? error
    : new SqlError(error.code, `The parameter @${parameter}: ${error.message}`);
}

function regexOf(call: FunctionCall, pattern: string): Regex {
  const regex = parseRegex(pattern, (why) => refuse(call, why));
  if (canBeEmpty(regex.root) && asserts(regex.root, ['no_word_boundary'])) {
    throw refuse(
      call,
      `${MATCHES_EMPTY}, and has \\B, which RE2 then finds inside of characters beyond ASCII: match a character next to it`,
    );
  }
  return regex;
}

/** An optional argument that is a count; `least` if it is not given, undefined for NULL. */
export function countOf(call: FunctionCall, index: number, least: 0 | 1): bigint | undefined {
  if (call.count <= index) return BigInt(least);
  const count = call.argAs(index, INT64);
  if (!isConst(count) || (typeof count.value === 'bigint' && count.value < BigInt(least))) {
    throw refuse(call, `argument ${index + 1} must be a constant of ${least} or more`);
  }
  return typeof count.value === 'bigint' ? count.value : undefined;
}

/** The group that is extracted: 0, the whole match, where the pattern has none. */
export function groupOf(call: FunctionCall, { root, groups }: Regex): Expr {
  if (groups > 1) {
    throw refuse(
      call,
      `the pattern has ${groups} groups, and one is the most: write (?:..) for those that are not wanted`,
    );
  }
  checkEnds(call, root);
  checkCaptures(call, root);
  return constant(INT64, BigInt(groups));
}

/** Where a match ends must be the same on all engines, unless it is only asked whether there is one. */
export function checkEnds(call: FunctionCall, root: RegexNode): void {
  if (hasUncertainLoop(root)) {
    throw refuse(
      call,
      'the pattern repeats something that can be empty, so it is not known where a match ends: let what is repeated match something, as in (?:a|b)* for (?:a?|b)*',
    );
  }
}

/** The engines do not agree on what the last round of a repetition is when it can be empty. */
export function checkCaptures(call: FunctionCall, root: RegexNode): void {
  if (hasGroupInEmptyLoop(root)) {
    throw refuse(
      call,
      'the pattern repeats something that has a group and can be empty, so it is not known what the group matched last: write (?:..) for the group, or + for *',
    );
  }
}

/** BigQuery's versions differ in whether the text before a position still counts. */
export function checkPosition(call: FunctionCall, { root }: Regex): void {
  if (asserts(root, ['text_start', 'line_start', 'word_boundary', 'no_word_boundary'])) {
    throw refuse(
      call,
      'a position other than 1 does not go with ^, \\A, \\b or \\B: take SUBSTR of the text instead',
    );
  }
  if (canBeEmpty(root)) {
    throw refuse(
      call,
      `a position other than 1 needs a pattern that matches something: ${WRITE_PLUS}`,
    );
  }
}
