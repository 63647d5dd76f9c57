import { canBeEmpty, isZeroWidth, optionalRun, startsWithText } from './properties.ts';
import type { RegexNode } from './tree.ts';

/**
 * The pattern that replaces all matches in Athena as RE2 does. They differ in one thing: RE2 never
 * replaces an empty match where another match just ended (`x*` in `xa` gives one match before the
 * `a`), Joni does. Undefined where it is not known how to keep Joni from it.
 */
export function replaceableOnAthena(root: RegexNode): RegexNode | undefined {
  if (!canBeEmpty(root) || isZeroWidth(root) || startsWithText(root)) {
    return root;
  }
  const run = optionalRun(root);
  if (run === undefined) {
    return undefined;
  }
  // Whatever stands in the run was part of a match, so an empty match is wrong right behind it.
  return {
    kind: 'sequence',
    items: [{ kind: 'not_run_end', set: run }, root],
  };
}
