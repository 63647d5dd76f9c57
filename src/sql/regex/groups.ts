/** What can be said of the capturing groups of a pattern without running it. */
import { canBeEmpty } from './properties.ts';
import { partsOf, type RegexNode } from './tree.ts';

/** Whether anything captures. */
export function hasGroup(node: RegexNode): boolean {
  return node.kind === 'group' || partsOf(node).some(hasGroup);
}

/** Whether a capturing group is repeated in something that can be empty, as in `(a*)+`. */
export function hasGroupInEmptyLoop(node: RegexNode): boolean {
  const loops = node.kind === 'repeat' && node.max !== 0 && node.max !== 1;
  return (
    (loops && hasGroup(node.body) && canBeEmpty(node.body)) ||
    partsOf(node).some(hasGroupInEmptyLoop)
  );
}

/** Whether some capturing group may take no part in a match. */
export function hasOptionalGroup(node: RegexNode, optional = false): boolean {
  const inside = optional || node.kind === 'choice' || (node.kind === 'repeat' && node.min === 0);
  return (
    (node.kind === 'group' && optional) ||
    partsOf(node).some((part) => hasOptionalGroup(part, inside))
  );
}
