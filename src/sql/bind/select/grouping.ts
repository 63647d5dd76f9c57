import { childrenOf } from '../../ir/expr-walk.ts';
import type { Column, Expr } from '../../ir/ir.ts';
import type { ExprSet } from '../expr/expr-key.ts';

/** What a printed column was made of, for messages. */
export function columnLabel({ name, label }: Column): string {
  return label ?? name.replace(/_\d+$/, '');
}

/** A column that stands outside of aggregates and group keys, by its printed name. */
export function ungrouped(
  expr: Expr,
  keys: ExprSet,
  elements: ReadonlySet<string> = new Set(),
): string | undefined {
  if (expr.op === 'const' || keys.has(expr)) return undefined;
  if (expr.op === 'aggregate' && expr.over === undefined) return undefined;
  if (expr.op === 'column') {
    return elements.has(expr.column.relation) ? undefined : columnLabel(expr.column);
  }
  // The element that a condition is tried on is no column of any row.
  const inside = expr.op === 'any_match' ? new Set([...elements, expr.element.relation]) : elements;
  for (const child of childrenOf(expr)) {
    const found = ungrouped(child, keys, inside);
    if (found !== undefined) {
      // What is read of JSON is called by its field.
      return 'path' in expr ? String(expr.path.at(-1) ?? found) : found;
    }
  }
  return undefined;
}
