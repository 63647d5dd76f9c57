import { childrenOf } from '../children.ts';
import type { Column, Expr } from '../tree.ts';
import { exprKey } from './expr-key.ts';

export function containsAggregate(expr: Expr): boolean {
  if (expr.op === 'aggregate' && expr.over === undefined) {
    return true;
  }
  return childrenOf(expr).some(containsAggregate);
}

export function containsWindow(expr: Expr): boolean {
  return (
    (expr.op === 'aggregate' && expr.over !== undefined) || childrenOf(expr).some(containsWindow)
  );
}

/** What a printed column was made of, for messages. */
export function columnLabel({ name, label }: Column): string {
  return label ?? name.replace(/_\d+$/, '');
}

/** A column that stands outside of aggregates and group keys, by its printed name. */
export function ungrouped(
  expr: Expr,
  keys: ReadonlySet<string>,
  elements: ReadonlySet<string> = new Set(),
): string | undefined {
  if (expr.op === 'const' || keys.has(exprKey(expr))) {
    return undefined;
  }
  if (expr.op === 'aggregate' && expr.over === undefined) {
    return undefined;
  }
  if (expr.op === 'column') {
    return elements.has(expr.column.relation) ? undefined : columnLabel(expr.column);
  }
  if (expr.op === 'json') {
    return String(expr.path.at(-1) ?? 'a JSON column');
  }
  // The element that a condition is tried on is no column of any row.
  const inside = expr.op === 'any_match' ? new Set([...elements, expr.element.relation]) : elements;
  for (const child of childrenOf(expr)) {
    const found = ungrouped(child, keys, inside);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
