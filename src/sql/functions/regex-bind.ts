/** Binds calls of the regular expression functions: what BigQuery would do decides what is printed. */
import { constant, isConst } from '../build.ts';
import type { SqlError } from '../error.ts';
import { ANY } from '../regex/code-points.ts';
import { parseRegex } from '../regex/parse.ts';
import { printRegex } from '../regex/print.ts';
import {
  asserts,
  canBeEmpty,
  emptyAnywhere,
  hasGroupInEmptyLoop,
  hasOptionalGroup,
  startsWithText,
} from '../regex/properties.ts';
import { replaceableOnAthena } from '../regex/replaceable.ts';
import { parseReplacement, printReplacement } from '../regex/replacement.ts';
import type { Regex, RegexNode } from '../regex/tree.ts';
import type { Expr } from '../tree.ts';
import { arrayOf, BOOL, INT64, type SqlType, STRING } from '../types.ts';
import type { ScalarFunction, SpecialCall } from './function.ts';
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
} from './regex-forms.ts';

export function bindContains(call: SpecialCall): Expr {
  const text = textOf(call, 2, 2);
  const regex = patternOf(call);
  return regex === undefined
    ? constant(BOOL, null)
    : invoke(BOOL, CONTAINS, text, patterns(regex.root, regex.root, false));
}

export function bindExtract(call: SpecialCall): Expr {
  const text = textOf(call, 2, 4);
  const regex = patternOf(call);
  const position = countOf(call, 2, 1);
  const occurrence = countOf(call, 3, 1);
  if (regex === undefined || position === undefined || occurrence === undefined) {
    return constant(STRING, null);
  }
  const group = groupOf(call, regex);
  const printed = patterns(regex.root, regex.root, true);
  const searched = from(call, text, regex, position);
  if (occurrence === 1n) {
    const fn = hasOptionalGroup(regex.root) ? EXTRACT_IF_PART : EXTRACT;
    return invoke(STRING, fn, searched, [...printed, group]);
  }
  if (canBeEmpty(regex.root)) {
    throw refuse(call, `${EMPTY_TOO}, so its occurrences cannot be counted: ${WRITE_PLUS}`);
  }
  return invoke(STRING, EXTRACT_NTH, searched, [...printed, group, constant(INT64, occurrence)]);
}

export function bindExtractAll(call: SpecialCall): Expr {
  const type = arrayOf(STRING);
  const text = textOf(call, 2, 2);
  const regex = patternOf(call);
  if (regex === undefined) {
    return constant(type, null);
  }
  const group = groupOf(call, regex);
  const { root } = regex;
  const anywhere = emptyAnywhere(root) && !startsWithText(root);
  if (canBeEmpty(root) && !anywhere && !startsWithText(root)) {
    throw refuse(
      call,
      `${EMPTY_TOO}, and only at some places, where the engines count its matches differently: ${WRITE_PLUS}`,
    );
  }
  const all = invoke(type, EXTRACT_ALL, text, [...patterns(root, root, true), group]);
  const kept = anywhere ? invoke(type, WITHOUT_LAST, all, [text]) : all;
  return hasOptionalGroup(root) ? invoke(type, EMPTY_FOR_NULL, kept, []) : kept;
}

export function bindReplace(call: SpecialCall): Expr {
  const text = textOf(call, 3, 3);
  const regex = patternOf(call);
  const replacement = call.argAs(2, STRING);
  if (!isConst(replacement)) {
    throw refuse(
      call,
      'the replacement must be a constant: a literal, or an expression of literals and parameters',
    );
  }
  if (regex === undefined || typeof replacement.value !== 'string') {
    return constant(STRING, null);
  }
  const onAthena = replaceableOnAthena(regex.root);
  if (onAthena === undefined) {
    throw refuse(
      call,
      `${EMPTY_TOO}, and it is not known whether right after another match, where it must not be replaced: ${WRITE_PLUS}`,
    );
  }
  const parts = parseReplacement(replacement.value, regex.groups, (why) => refuse(call, why));
  const captures = parts.some((part) => typeof part === 'number' && part > 0);
  if (captures) {
    checkCaptures(call, regex.root);
  }
  return invoke(STRING, REPLACE, text, [
    ...patterns(onAthena, regex.root, captures),
    constant(STRING, printReplacement(parts, 'athena')),
    constant(STRING, printReplacement(parts, 'duckdb')),
  ]);
}

export function bindInstr(call: SpecialCall): Expr {
  const text = textOf(call, 2, 5);
  const regex = patternOf(call);
  const position = countOf(call, 2, 1);
  const occurrence = countOf(call, 3, 1);
  const after = countOf(call, 4, 0);
  if (
    regex === undefined ||
    position === undefined ||
    occurrence === undefined ||
    after === undefined
  ) {
    return constant(INT64, null);
  }
  if (occurrence !== 1n || after > 1n) {
    throw refuse(
      call,
      'the occurrence can only be 1 here, and what is returned 0 (the start) or 1 (the end)',
    );
  }
  if (regex.groups > 0) {
    throw refuse(call, 'the position of a group is not supported: write (?:..) for (..)');
  }
  if (canBeEmpty(regex.root)) {
    throw refuse(call, `${EMPTY_TOO}: ${WRITE_PLUS}`);
  }
  const before: RegexNode = {
    kind: 'repeat',
    body: { kind: 'set', set: ANY },
    min: 0,
    max: undefined,
    greedy: false,
  };
  const measured = after === 1n ? sequence(before, regex.root) : before;
  const rest = after === 1n ? [] : [regex.root];
  const root = sequence(
    { kind: 'assertion', what: 'text_start' },
    { kind: 'group', body: measured },
    ...rest,
  );
  return invoke(INT64, POSITION_AFTER, from(call, text, regex, position), [
    ...patterns(root, root, true),
    constant(INT64, position),
  ]);
}

const EMPTY_TOO = 'the pattern matches the empty text too';
const WRITE_PLUS = 'write + for *, or a pattern that matches something';

function sequence(...items: readonly RegexNode[]): RegexNode {
  return { kind: 'sequence', items };
}

function invoke(type: SqlType, fn: ScalarFunction, first: Expr, rest: readonly Expr[]): Expr {
  return { op: 'call', type, fn, args: [first, ...rest] };
}

/** The pattern for each engine, as `regex-forms.ts` takes them. */
function patterns(athena: RegexNode, duckdb: RegexNode, captures: boolean): readonly Expr[] {
  return [
    constant(STRING, printRegex(athena, 'athena', captures)),
    constant(STRING, printRegex(duckdb, 'duckdb', captures)),
  ];
}

function refuse(call: SpecialCall, why: string): SqlError {
  return call.fail(`${call.name.toUpperCase()}: ${why}`);
}

/** Checks the number of arguments, and binds the first. */
function textOf(call: SpecialCall, least: number, most: number): Expr {
  if (call.count < least || call.count > most) {
    const expected = least === most ? `${least}` : `${least} to ${most}`;
    throw call.fail(`${call.name.toUpperCase()} takes ${expected} arguments, not ${call.count}`);
  }
  return call.argAs(0, STRING);
}

/** The second argument; undefined for NULL. */
function patternOf(call: SpecialCall): Regex | undefined {
  const pattern = call.argAs(1, STRING);
  if (!isConst(pattern)) {
    throw refuse(
      call,
      'the pattern must be a constant: it is translated for the engine when the query is compiled, so no column can hold it',
    );
  }
  if (typeof pattern.value !== 'string') {
    return undefined;
  }
  const regex = parseRegex(pattern.value, (why) => refuse(call, why));
  if (canBeEmpty(regex.root) && asserts(regex.root, ['no_word_boundary'])) {
    throw refuse(
      call,
      `${EMPTY_TOO}, and has \\B, which RE2 then finds inside of characters beyond ASCII: match a character next to it`,
    );
  }
  return regex;
}

/** An optional argument that is a count; undefined for NULL. */
function countOf(call: SpecialCall, index: number, least: 0 | 1): bigint | undefined {
  if (call.count <= index) {
    return BigInt(least);
  }
  const count = call.argAs(index, INT64);
  if (!isConst(count) || (typeof count.value === 'bigint' && count.value < BigInt(least))) {
    throw refuse(call, `argument ${index + 1} must be a constant of ${least} or more`);
  }
  return typeof count.value === 'bigint' ? count.value : undefined;
}

function groupOf(call: SpecialCall, { root, groups }: Regex): Expr {
  if (groups > 1) {
    throw refuse(
      call,
      `the pattern has ${groups} groups, and one is the most: write (?:..) for those that are not wanted`,
    );
  }
  checkCaptures(call, root);
  return constant(INT64, BigInt(groups));
}

/** The engines do not agree on what the last round of a repetition is when it can be empty. */
function checkCaptures(call: SpecialCall, root: RegexNode): void {
  if (hasGroupInEmptyLoop(root)) {
    throw refuse(
      call,
      'the pattern repeats something that has a group and can be empty, so it is not known what the group matched last: write (?:..) for the group, or + for *',
    );
  }
}

/** The text from a position on. BigQuery's versions differ in whether what is before still counts. */
function from(call: SpecialCall, text: Expr, { root }: Regex, position: bigint): Expr {
  if (position === 1n) {
    return text;
  }
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
  return invoke(STRING, FROM_POSITION, text, [constant(INT64, position)]);
}
