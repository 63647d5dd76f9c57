import { LIST_ELEMENT, type SchemaNode } from '../../lake/schema/schema.ts';
import type { JsonPath } from './ir.ts';

/** What a schema knows at a path. A key may be called as a list's elements are in it. */
export function nodeAt(root: SchemaNode | undefined, path: JsonPath): SchemaNode | undefined {
  let node = root;
  for (const step of path) {
    const child = typeof step === 'number' ? LIST_ELEMENT : step;
    node = step === LIST_ELEMENT ? undefined : node?.children.get(child);
  }
  return node;
}
