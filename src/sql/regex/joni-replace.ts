import { type CodePoints, includes } from './code-points.ts';
import { canBeEmpty, isZeroWidth, startsWithText } from './properties.ts';
import type { Assertion, RegexNode } from './tree.ts';

/**
 * The pattern that replaces all matches in Athena as RE2 does. They differ in one thing: RE2 never
 * replaces an empty match where another match just ended (`x*` in `xa` gives one match before the
 * `a`), Joni does. Undefined where it is not known how to keep Joni from it.
 */
export function replaceableOnAthena(root: RegexNode): RegexNode | undefined {
  if (!canBeEmpty(root) || isZeroWidth(root) || startsWithText(root)) return root;
  const run = optionalRun(root);
  if (run === undefined) return undefined;
  // Whatever stands in the run was part of a match, so an empty match is wrong right behind it.
  return {
    kind: 'sequence',
    items: [{ kind: 'not_run_end', set: run }, root],
  };
}

/**
 * The characters of a pattern that is one run of them, as many as there are: `x*`, `(\s*)$`, `.*`,
 * `(?m)^.*$`. Undefined for any other pattern, also for one whose anchors could hold inside the run.
 */
function optionalRun(node: RegexNode): CodePoints | undefined {
  if (node.kind === 'group') return optionalRun(node.body);
  const items = node.kind === 'sequence' ? node.items : [node];
  const at = items.findIndex((item) => item.kind !== 'assertion');
  const run = repeatedSet(items[at]);
  const before = items.slice(0, Math.max(at, 0)).map(assertionOf);
  const after = items.slice(at + 1).map(assertionOf);
  const anchored =
    before.every((what) => what === 'line_start') &&
    after.every((what) => what === 'text_end' || what === 'line_end');
  const ofLines = [...before, ...after].some((what) => what !== 'text_end');
  return run === undefined || !anchored || (ofLines && includes(run, NEWLINE)) ? undefined : run;
}

const NEWLINE = 0x0a;

function assertionOf(node: RegexNode): Assertion | undefined {
  return node.kind === 'assertion' ? node.what : undefined;
}

function repeatedSet(node: RegexNode | undefined): CodePoints | undefined {
  if (node?.kind === 'group') return repeatedSet(node.body);
  const repeats = node?.kind === 'repeat' && node.min === 0 && node.greedy && node.max !== 0;
  return repeats && node.body.kind === 'set' ? node.body.set : undefined;
}
