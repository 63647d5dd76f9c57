import { outputExprs } from './expr-walk.ts';
import type { Expr, QueryNode } from './ir.ts';

/** Whether no row can have NULL in an expression: a constant, or a column that every event has. */
export function isNeverNull(expr: Expr): boolean {
  switch (expr.op) {
    case 'const':
      return expr.value !== null;
    case 'column':
      return expr.neverNull === true;
    default:
      return false;
  }
}

/** The same of an output of a query. */
export function outputIsNeverNull(query: QueryNode, index: number): boolean {
  return outputExprs(query, index).every(isNeverNull);
}
