import { canBeEmpty } from './properties.ts';
import { partsOf, type RegexNode } from './tree.ts';

/**
 * Whether something is repeated that can be empty before it has tried all else, as in `(?:a??|b)*`.
 * Engines, and versions of RE2, go on differently after such a round, so that they agree on whether
 * there is a match but not on where it ends.
 */
export function hasUncertainLoop(node: RegexNode): boolean {
  const loops = node.kind === 'repeat' && node.max !== 0 && node.max !== 1;
  return (
    (loops && canBeEmpty(node.body) && !(node.greedy && emptyLast(node.body))) ||
    partsOf(node).some(hasUncertainLoop)
  );
}

/** Whether the empty text, if it can be, is what a pattern tries last. */
function emptyLast(node: RegexNode): boolean {
  if (!canBeEmpty(node)) return true;
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'repeat':
      return node.greedy && emptyLast(node.body);
    case 'group':
    case 'sequence':
      return partsOf(node).every(emptyLast);
    case 'choice':
      return node.items.every((item, i) =>
        i === node.items.length - 1 ? emptyLast(item) : !canBeEmpty(item),
      );
  }
}
