import { childrenOf } from '../children.ts';
import type { Expr } from '../tree.ts';
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

/** A column that stands outside of aggregates and group keys, by its printed name. */
export function ungrouped(expr: Expr, keys: ReadonlySet<string>): string | undefined {
  if (expr.op === 'const' || keys.has(exprKey(expr))) {
    return undefined;
  }
  if (expr.op === 'aggregate' && expr.over === undefined) {
    return undefined;
  }
  if (expr.op === 'column') {
    return expr.column.name.replace(/_\d+$/, '');
  }
  if (expr.op === 'json') {
    return String(expr.path.at(-1) ?? 'a JSON column');
  }
  for (const child of childrenOf(expr)) {
    const found = ungrouped(child, keys);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
