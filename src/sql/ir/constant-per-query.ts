import { childrenOf, outputExprs } from './expr-walk.ts';
import type { Expr, QueryNode } from './ir.ts';

/**
 * Whether an expression has one and the same value in every row, apart from NULL where an outer join
 * found nothing.
 */
export function isConstantPerQuery(expr: Expr): boolean {
  switch (expr.op) {
    case 'const':
      return true;
    case 'column':
      return expr.oneValue === true;
    case 'call':
      // Without arguments nothing tells that it gives the same every time.
      return expr.args.length > 0 && expr.args.every(isConstantPerQuery);
    case 'aggregate':
    case 'any_match':
    case 'exists':
    case 'in_query':
    case 'invalid':
    case 'scalar_query':
      return false;
    default:
      return childrenOf(expr).every(isConstantPerQuery);
  }
}

/** The same of an output of a query. */
export function outputIsConstantPerQuery(query: QueryNode, index: number): boolean {
  const exprs = outputExprs(query, index);
  return exprs.length === 1 && exprs.every(isConstantPerQuery);
}
