/** Binds calls of the regular expression functions: what BigQuery would do decides what is printed. */
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import { arrayOf, BOOL, INT64, type SqlType, STRING } from '../../ir/types.ts';
import { ANY } from '../../regex/code-points.ts';
import { hasOptionalGroup } from '../../regex/groups.ts';
import { replaceableOnAthena } from '../../regex/joni-replace.ts';
import { printRegex } from '../../regex/print.ts';
import { canBeEmpty, emptyAnywhere, startsWithText } from '../../regex/properties.ts';
import { parseReplacement, printReplacement } from '../../regex/replacement.ts';
import type { Regex, RegexNode } from '../../regex/tree.ts';
import type { FunctionCall } from '../common/function.ts';
import {
  checkCaptures,
  checkEnds,
  checkPosition,
  countOf,
  groupOf,
  MATCHES_EMPTY,
  refuse,
  WRITE_PLUS,
  withPattern,
} from './arguments.ts';
import {
  CONTAINS,
  EMPTY_FOR_NULL,
  EXTRACT,
  EXTRACT_ALL,
  EXTRACT_IF_PART,
  EXTRACT_NTH,
  FROM_POSITION,
  POSITION_AFTER,
  REPLACE,
  WITHOUT_LAST,
} from './templates.ts';

export function bindRegexpContains(call: FunctionCall): Expr {
  const text = call.argAs(0, STRING);
  return withPattern(call, BOOL, ({ root }) =>
    invoke(BOOL, CONTAINS, text, printed(root, root, false)),
  );
}

export function bindRegexpExtract(call: FunctionCall): Expr {
  const text = call.argAs(0, STRING);
  const position = countOf(call, 2, 1);
  const occurrence = countOf(call, 3, 1);
  if (position === undefined || occurrence === undefined) return constant(STRING, null);
  return withPattern(call, STRING, (regex) => {
    const { root } = regex;
    const args = [...printed(root, root, true), groupOf(call, regex)];
    const searched = from(call, text, regex, position);
    if (occurrence === 1n) {
      return invoke(STRING, hasOptionalGroup(root) ? EXTRACT_IF_PART : EXTRACT, searched, args);
    }
    if (canBeEmpty(root)) {
      throw refuse(call, `${MATCHES_EMPTY}, so its occurrences cannot be counted: ${WRITE_PLUS}`);
    }
    return invoke(STRING, EXTRACT_NTH, searched, [...args, constant(INT64, occurrence)]);
  });
}

export function bindRegexpExtractAll(call: FunctionCall): Expr {
  const type = arrayOf(STRING);
  const text = call.argAs(0, STRING);
  return withPattern(call, type, (regex) => {
    const { root } = regex;
    const once = startsWithText(root);
    const anywhere = emptyAnywhere(root);
    if (canBeEmpty(root) && !anywhere && !once) {
      throw refuse(
        call,
        `${MATCHES_EMPTY}, and only at some places, where the engines count its matches differently: ${WRITE_PLUS}`,
      );
    }
    const all = invoke(type, EXTRACT_ALL, text, [
      ...printed(root, root, true),
      groupOf(call, regex),
    ]);
    const kept = anywhere && !once ? invoke(type, WITHOUT_LAST, all, []) : all;
    return hasOptionalGroup(root) ? invoke(type, EMPTY_FOR_NULL, kept, []) : kept;
  });
}

export function bindRegexpReplace(call: FunctionCall): Expr {
  const text = call.argAs(0, STRING);
  const replacement = call.argAs(2, STRING);
  if (!isConst(replacement)) {
    throw refuse(
      call,
      'the replacement must be a constant: a literal, or an expression of literals and parameters',
    );
  }
  const { value } = replacement;
  if (typeof value !== 'string') return constant(STRING, null);
  return withPattern(call, STRING, ({ root, groups }) => {
    checkEnds(call, root);
    const onAthena = replaceableOnAthena(root);
    if (onAthena === undefined) {
      throw refuse(
        call,
        `${MATCHES_EMPTY}, and it is not known whether right after another match, where it must not be replaced: ${WRITE_PLUS}`,
      );
    }
    const parts = parseReplacement(value, groups, (why) => refuse(call, why));
    const captures = parts.some((part) => typeof part === 'number' && part > 0);
    if (captures) checkCaptures(call, root);
    return invoke(STRING, REPLACE, text, [
      ...printed(onAthena, root, captures),
      constant(STRING, printReplacement(parts, 'athena')),
      constant(STRING, printReplacement(parts, 'duckdb')),
    ]);
  });
}

export function bindRegexpInstr(call: FunctionCall): Expr {
  const text = call.argAs(0, STRING);
  const position = countOf(call, 2, 1);
  const occurrence = countOf(call, 3, 1);
  const end = countOf(call, 4, 0);
  if (position === undefined || occurrence === undefined || end === undefined) {
    return constant(INT64, null);
  }
  if (occurrence !== 1n || end > 1n) {
    throw refuse(
      call,
      'the occurrence can only be 1 here, and the end 0 (where the match starts) or 1 (behind it)',
    );
  }
  return withPattern(call, INT64, (regex) => {
    if (regex.groups > 0) {
      throw refuse(call, 'the position of a group is not supported: write (?:..) for (..)');
    }
    if (canBeEmpty(regex.root)) throw refuse(call, `${MATCHES_EMPTY}: ${WRITE_PLUS}`);
    checkEnds(call, regex.root);
    const root = untilMatch(regex.root, end === 1n);
    return invoke(INT64, POSITION_AFTER, from(call, text, regex, position), [
      ...printed(root, root, true),
      constant(INT64, position),
    ]);
  });
}

/** Captures all from the start of the text to the first match, with the match or without it. */
function untilMatch(match: RegexNode, inclusive: boolean): RegexNode {
  const sequence = (...items: readonly RegexNode[]): RegexNode => ({ kind: 'sequence', items });
  const before: RegexNode = {
    kind: 'repeat',
    body: { kind: 'set', set: ANY },
    min: 0,
    max: undefined,
    greedy: false,
  };
  const start: RegexNode = { kind: 'assertion', what: 'text_start' };
  return inclusive
    ? sequence(start, { kind: 'group', body: sequence(before, match) })
    : sequence(start, { kind: 'group', body: before }, match);
}

function invoke(type: SqlType, fn: ScalarFunction, first: Expr, rest: readonly Expr[]): Expr {
  return { op: 'call', type, fn, args: [first, ...rest] };
}

/** The pattern for each engine, as `regex-forms.ts` takes them. */
function printed(athena: RegexNode, duckdb: RegexNode, captures: boolean): readonly Expr[] {
  return [
    constant(STRING, printRegex(athena, 'athena', captures)),
    constant(STRING, printRegex(duckdb, 'duckdb', captures)),
  ];
}

/** The text from a position on. */
function from(call: FunctionCall, text: Expr, regex: Regex, position: bigint): Expr {
  if (position === 1n) return text;
  checkPosition(call, regex);
  // No text is as long, and no engine takes more.
  const within = position < 2n ** 31n ? position : 2n ** 31n - 1n;
  return invoke(STRING, FROM_POSITION, text, [constant(INT64, within)]);
}
