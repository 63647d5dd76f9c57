import { childrenOf } from './children.ts';
import type { Expr, QueryNode } from './tree.ts';

/**
 * Whether an expression has one and the same value in every row, apart from NULL where an outer join
 * found nothing.
 */
export function hasOneValue(expr: Expr): boolean {
  switch (expr.op) {
    case 'const':
      return true;
    case 'column':
      return expr.oneValue === true;
    case 'call':
      // Without arguments nothing tells that it gives the same every time.
      return expr.args.length > 0 && expr.args.every(hasOneValue);
    case 'aggregate':
    case 'any_match':
    case 'exists':
    case 'in_query':
    case 'invalid':
    case 'json':
    case 'scalar_query':
      return false;
    default:
      return childrenOf(expr).every(hasOneValue);
  }
}

/** The same of an output of a query. */
export function outputHasOneValue(query: QueryNode, index: number): boolean {
  const source = query.outputs[index]?.source;
  if (source?.kind === 'inner' && query.body.kind === 'query') {
    return outputHasOneValue(query.body, source.index);
  }
  return source?.kind === 'expr' && hasOneValue(source.expr);
}
