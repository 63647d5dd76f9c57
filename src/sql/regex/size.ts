import type { CodePoints } from './code-points.ts';
import type { PatternReader } from './reader.ts';
import { partsOf, type RegexNode } from './tree.ts';

/** Of a pattern in characters; the longest that people write have some hundreds. */
export const MAX_LENGTH = 4_000;

/** Of groups in groups: far from the end of any stack. RE2 itself stops at 1000. */
export const MAX_DEPTH = 100;

/** Of repetitions in repetitions, multiplied: RE2's own limit. */
const MAX_COPIES = 1_000;

/**
 * Of a pattern's program, all repetitions written out: RE2's own limit, about 87,000 instructions,
 * with what the estimate may be wrong by.
 */
const MAX_PROGRAM = 40_000;

/** Of ranges of characters as they are printed: Athena takes 256 KiB of SQL, and \pL alone is 4. */
const MAX_PRINTED = 15_000;

/** @throws SqlError for a pattern that RE2 would find too large, or nearly so. */
export function checkSize(root: RegexNode, reader: PatternReader): void {
  if (copiesOf(root) > MAX_COPIES) {
    throw reader.failWhole(
      `repeats repetitions: multiplied they are more than RE2's ${MAX_COPIES}, so write * or + for one of them`,
    );
  }
  if (sizeOf(root, true) > MAX_PROGRAM || sizeOf(root, false) > MAX_PRINTED) {
    throw reader.failWhole(
      'is too large once its repetitions and sets are written out: repeat less, or smaller sets of characters',
    );
  }
}

/** The most that counted repetitions in one another multiply to; `*` and `+` count for nothing. */
function copiesOf(node: RegexNode): number {
  const inside = Math.max(1, ...partsOf(node).map(copiesOf));
  return node.kind === 'repeat' ? inside * countOf(node) : inside;
}

/** Ranges and what holds them together, with repetitions written out or not. */
function sizeOf(node: RegexNode, repeated: boolean): number {
  if (node.kind === 'set') return sizeOfSet(node.set);
  const inside = partsOf(node).reduce((sum, part) => sum + sizeOf(part, repeated) + 1, 1);
  return node.kind === 'repeat' && repeated ? inside * countOf(node) : inside;
}

function countOf({ min, max }: Extract<RegexNode, { kind: 'repeat' }>): number {
  return Math.max(max ?? min, 1);
}

/** RE2 matches bytes: ranges that share all but the last byte of UTF-8 share the instructions before. */
function sizeOfSet(set: CodePoints): number {
  return set.length + new Set(set.map(([first]) => first >> 6)).size;
}
