import type { CodePoints } from './code-points.ts';

export type Assertion =
  | 'text_start'
  | 'text_end'
  | 'line_start'
  | 'line_end'
  | 'word_boundary'
  | 'no_word_boundary';

/**
 * What a pattern means, with its options, escapes and names resolved: case is folded into the sets,
 * `.` and `^` are what their options make of them, and greediness stands at each repetition.
 */
export type RegexNode =
  /** One character. */
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  /** Holds but where a run of these characters has just ended. RE2 has no such thing: only for Joni. */
  | { readonly kind: 'not_run_end'; readonly set: CodePoints }
  /** A capturing group; groups are numbered in the order in which they open. */
  | { readonly kind: 'group'; readonly body: RegexNode }
  /** `max` is undefined where there is no limit. */
  | {
      readonly kind: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number | undefined;
      readonly greedy: boolean;
    }
  /** Without items, the empty text. */
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[] }
  /** The first that leads to a match wins. */
  | { readonly kind: 'choice'; readonly items: readonly RegexNode[] };

export interface Regex {
  readonly root: RegexNode;
  /** Number of capturing groups. */
  readonly groups: number;
}

/** The patterns that a pattern is made of. */
export function partsOf(node: RegexNode): readonly RegexNode[] {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return [];
    case 'group':
    case 'repeat':
      return [node.body];
    case 'sequence':
    case 'choice':
      return node.items;
  }
}
