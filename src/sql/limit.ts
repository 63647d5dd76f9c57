import type { QueryNode } from './tree.ts';

/** Caps the rows of a whole query; its own smaller LIMIT stays. */
export function lowerLimit(query: QueryNode, maxRows: number): QueryNode {
  return { ...query, limit: Math.min(query.limit ?? maxRows, maxRows) };
}
