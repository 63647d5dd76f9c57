/** What can be said of the capturing groups of a pattern without running it. */
import { canBeEmpty } from './properties.ts';
import type { RegexNode } from './tree.ts';

/** Whether anything captures. */
export function hasGroup(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return true;
    case 'repeat':
      return hasGroup(node.body);
    case 'sequence':
    case 'choice':
      return node.items.some(hasGroup);
  }
}

/** Whether a capturing group is repeated in something that can be empty, as in `(a*)+`. */
export function hasGroupInEmptyLoop(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return hasGroupInEmptyLoop(node.body);
    case 'repeat': {
      const loops = (node.max ?? 2) > 1;
      return (
        (loops && hasGroup(node.body) && canBeEmpty(node.body)) || hasGroupInEmptyLoop(node.body)
      );
    }
    case 'sequence':
    case 'choice':
      return node.items.some(hasGroupInEmptyLoop);
  }
}

/** Whether some capturing group may take no part in a match. */
export function hasOptionalGroup(node: RegexNode, optional = false): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return false;
    case 'group':
      return optional || hasOptionalGroup(node.body, optional);
    case 'repeat':
      return hasOptionalGroup(node.body, optional || node.min === 0);
    case 'sequence':
      return node.items.some((item) => hasOptionalGroup(item, optional));
    case 'choice':
      return node.items.some((item) => hasOptionalGroup(item, true));
  }
}
