import { hasGroup } from './groups.ts';
import { isZeroWidth } from './properties.ts';
import type { RegexNode } from './tree.ts';

const EMPTY: RegexNode = { kind: 'sequence', items: [] };

/**
 * The same pattern without parts that say nothing, and without capturing groups where the call does not read
 * what they match. DuckDB finds no match for some patterns of nothing, such as `(?:)(?:)`, and Joni
 * refuses to repeat an anchor.
 */
export function simplify(node: RegexNode, captures: boolean): RegexNode {
  switch (node.kind) {
    case 'set':
    case 'assertion':
    case 'not_run_end':
      return node;
    case 'group': {
      const body = simplify(node.body, captures);
      return captures ? { kind: 'group', body } : body;
    }
    case 'repeat':
      return repeated(node, simplify(node.body, captures));
    case 'sequence': {
      const items = node.items
        .map((item) => simplify(item, captures))
        .flatMap((item) => (item.kind === 'sequence' ? item.items : [item]));
      const [only] = items;
      return only !== undefined && items.length === 1 ? only : { kind: 'sequence', items };
    }
    case 'choice':
      return { kind: 'choice', items: node.items.map((item) => simplify(item, captures)) };
  }
}

function repeated(node: Extract<RegexNode, { kind: 'repeat' }>, body: RegexNode): RegexNode {
  const { min, max } = node;
  if (isEmpty(body) || (max === 0 && !hasGroup(body))) return EMPTY;
  if (min === 1 && max === 1) return body;
  if (!isZeroWidth(body) || max === 0) return { ...node, body };
  // To come again at the same place says nothing more.
  return min > 0 ? body : { ...node, body, max: 1 };
}

function isEmpty(node: RegexNode): boolean {
  return node.kind === 'sequence' && node.items.length === 0;
}
