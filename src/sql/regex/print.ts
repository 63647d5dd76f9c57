import type { SqlTarget } from '../common/result-schema.ts';
import { ANY, type CodePoints, NOT_NEWLINE, sameCodePoints } from './code-points.ts';
import { WORD } from './named-classes.ts';
import { characterText, classText } from './print-class.ts';
import { simplify } from './simplify.ts';
import type { Assertion, RegexNode } from './tree.ts';

/**
 * The pattern for an engine: RE2 in DuckDB, Joni with Java's syntax in Athena. Only what means the same
 * in both is used: sets of characters are spelled out, and there are no options but `(?s:.)`.
 * `captures` says whether the call reads what the groups match.
 */
export function printRegex(root: RegexNode, target: SqlTarget, captures: boolean): string {
  return print(simplify(root, captures), target);
}

function print(node: RegexNode, target: SqlTarget): string {
  switch (node.kind) {
    case 'set':
      return printSet(node.set, target);
    case 'assertion':
      return (target === 'athena' ? JONI : RE2)[node.what];
    case 'not_run_end': {
      const set = classText(node.set, 'athena');
      return `(?:(?<!${set})|(?=${set}))`;
    }
    case 'group':
      return `(${print(node.body, target)})`;
    case 'repeat':
      return printRepeat(node, target);
    case 'sequence':
      return node.items.map((item, i) => printItem(item, i, node.items.length, target)).join('');
    case 'choice':
      return node.items.map((item) => print(item, target)).join('|');
  }
}

/**
 * DuckDB turns simple patterns into LIKE, and forgets anchors inside of them (`a\Ab`, `\z\z`); a
 * repetition keeps it from that.
 */
function printItem(node: RegexNode, i: number, count: number, target: SqlTarget): string {
  const what = node.kind === 'assertion' ? node.what : undefined;
  const forgotten = (what === 'text_start' && i > 0) || (what === 'text_end' && i < count - 1);
  if (forgotten && target === 'duckdb') return `${RE2[what]}{1}`;
  return node.kind === 'choice' ? enclosed(node, target) : print(node, target);
}

function printSet(set: CodePoints, target: SqlTarget): string {
  const [first] = set;
  if (first === undefined) {
    // Of surrogates, which no text has.
    return target === 'athena' ? '[^\\x00-\u{10FFFF}]' : String.raw`[^\x00-\x{10FFFF}]`;
  }
  if (set.length === 1 && first[0] === first[1]) return characterText(first[0], target);
  if (sameCodePoints(set, NOT_NEWLINE)) return '.';
  return sameCodePoints(set, ANY) ? '(?s:.)' : classText(set, target);
}

function enclosed(node: RegexNode, target: SqlTarget): string {
  return `(?:${print(node, target)})`;
}

function printRepeat(
  { body, min, max, greedy }: Extract<RegexNode, { kind: 'repeat' }>,
  target: SqlTarget,
): string {
  const isAtom = body.kind === 'set' || body.kind === 'group';
  const atom = isAtom ? print(body, target) : enclosed(body, target);
  return `${atom}${countText(min, max)}${greedy || min === max ? '' : '?'}`;
}

function countText(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === max) return `{${min}}`;
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`;
}

const RE2: Readonly<Record<Assertion, string>> = {
  text_start: '\\A',
  text_end: '\\z',
  line_start: '(?m:^)',
  line_end: '(?m:$)',
  word_boundary: '\\b',
  no_word_boundary: '\\B',
};

const word = classText(WORD, 'athena');

/**
 * Joni's own `^` misses the end of a text that ends a line, its `\b` knows all of Unicode, and with
 * `\z` it starts so few bytes before the end that it may miss the empty match after `é`.
 */
const JONI: Readonly<Record<Assertion, string>> = {
  text_start: '\\A',
  text_end: '(?!(?s:.))',
  line_start: '(?:\\A|(?<=\\n))',
  line_end: '(?!.)',
  word_boundary: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  no_word_boundary: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
};
