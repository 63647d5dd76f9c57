import type { SqlTarget } from '../output.ts';
import { ANY, type CodePoints, NOT_NEWLINE, sameCodePoints } from './code-points.ts';
import { WORD } from './named-classes.ts';
import { characterText, classText } from './print-class.ts';
import { isZeroWidth } from './properties.ts';
import type { Assertion, RegexNode } from './tree.ts';

export interface PrintOptions {
  readonly target: SqlTarget;
  /** Whether capturing groups keep what they match. */
  readonly captures: boolean;
}

/**
 * The pattern for an engine: RE2 in DuckDB, Joni with Java's syntax in Athena. Only what means the same
 * in both is used: sets of characters are spelled out, and there are no options but `(?s:.)`.
 */
export function printRegex(node: RegexNode, options: PrintOptions): string {
  switch (node.kind) {
    case 'set':
      return printSet(node.set, options.target);
    case 'assertion':
      return (options.target === 'athena' ? JONI : RE2)[node.what];
    case 'not_run_end': {
      const set = printSet(node.set, 'athena');
      return `(?:(?<!${set})|(?=${set}))`;
    }
    case 'group':
      return `${options.captures ? '(' : '(?:'}${printRegex(node.body, options)})`;
    case 'repeat':
      return printRepeat(node, options);
    case 'sequence':
      return node.items
        .map((item) =>
          item.kind === 'choice' ? enclosed(item, options) : printRegex(item, options),
        )
        .join('');
    case 'choice':
      return node.items.map((item) => printRegex(item, options)).join('|');
  }
}

export function printSet(set: CodePoints, target: SqlTarget): string {
  const [first] = set;
  if (first === undefined) {
    // No text has a surrogate.
    return target === 'athena' ? '(?!)' : String.raw`[^\x00-\x{10FFFF}]`;
  }
  if (set.length === 1 && first[0] === first[1]) {
    return characterText(first[0], target);
  }
  if (sameCodePoints(set, NOT_NEWLINE)) {
    return '.';
  }
  return sameCodePoints(set, ANY) ? '(?s:.)' : classText(set, target);
}

function enclosed(node: RegexNode, options: PrintOptions): string {
  return `(?:${printRegex(node, options)})`;
}

function printRepeat(
  { body, min, max, greedy }: Extract<RegexNode, { kind: 'repeat' }>,
  options: PrintOptions,
): string {
  const atom =
    body.kind === 'set' || (body.kind === 'group' && options.captures)
      ? printRegex(body, options)
      : enclosed(body, options);
  if (max === 1 && min === 1) {
    return atom;
  }
  // To come again at the same place says nothing more, and Joni refuses to repeat it.
  const repeats = isZeroWidth(body)
    ? min === 0 && max !== 0
      ? '?'
      : min === 0
        ? '{0}'
        : ''
    : countText(min, max);
  const lazy = !greedy && repeats !== '' && min !== max ? '?' : '';
  return `${atom}${repeats}${lazy}`;
}

function countText(min: number, max: number | undefined): string {
  if (max === undefined) {
    return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  }
  if (min === max) {
    return `{${min}}`;
  }
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

/** Joni's own `^` misses the end of a text that ends a line, and its `\b` knows all of Unicode. */
const JONI: Readonly<Record<Assertion, string>> = {
  text_start: '\\A',
  text_end: '\\z',
  line_start: '(?:\\A|(?<=\\n))',
  line_end: '(?=\\n|\\z)',
  word_boundary: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  no_word_boundary: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
};
