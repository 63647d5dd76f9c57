import type { CodePoints } from './code-points.ts';
import type { PatternReader } from './reader.ts';
import type { RegexNode } from './tree.ts';

/** Of a pattern in characters; the longest that people write have some hundreds. */
export const MAX_LENGTH = 4_000;

/** Of groups in groups: far from the end of any stack. RE2 itself stops at 1000. */
export const MAX_DEPTH = 100;

/** Of repetitions in repetitions, multiplied: RE2's own limit. */
const MAX_COPIES = 1_000;

/**
 * Of a pattern's program, counted in ranges of characters with all repetitions written out. RE2's own
 * limit is about 87,000 instructions, and a range of characters beyond ASCII takes up to four.
 */
const MAX_PROGRAM = 15_000;

/** @throws SqlError for a pattern that RE2 would find too large, or nearly so. */
export function checkSize(root: RegexNode, reader: PatternReader): void {
  if (copiesOf(root) > MAX_COPIES) {
    throw reader.failWhole(
      `repeats repetitions: multiplied they are more than RE2's ${MAX_COPIES}, so write * or + for one of them`,
    );
  }
  if (programOf(root) > MAX_PROGRAM) {
    throw reader.failWhole(
      'is too large once its repetitions are written out: repeat less, or smaller sets of characters',
    );
  }
}

/** The most that counted repetitions in one another multiply to; `*` and `+` count for nothing. */
function copiesOf(node: RegexNode): number {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return 1;
    case 'group':
      return copiesOf(node.body);
    case 'repeat':
      return copiesOf(node.body) * Math.max(node.max ?? node.min, 1);
    case 'sequence':
    case 'choice':
      return Math.max(1, ...node.items.map(copiesOf));
  }
}

function programOf(node: RegexNode): number {
  switch (node.kind) {
    case 'set':
      return rangesOf(node.set);
    case 'assertion':
    case 'not_run_end':
      return 1;
    case 'group':
      return programOf(node.body) + 2;
    case 'repeat':
      return (programOf(node.body) + 1) * Math.max(node.max ?? node.min, 1);
    case 'sequence':
    case 'choice':
      return node.items.reduce((sum, item) => sum + programOf(item) + 1, 1);
  }
}

function rangesOf(set: CodePoints): number {
  return set.length + 1;
}
