import type { Expr, QueryNode } from './tree.ts';

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
  const source = query.outputs[index]?.source;
  switch (source?.kind) {
    case 'expr':
      return isNeverNull(source.expr);
    case 'inner':
      return query.body.kind === 'query' && outputIsNeverNull(query.body, source.index);
    case 'arms':
      return (
        query.body.kind === 'set' &&
        outputIsNeverNull(query.body.left, source.left) &&
        outputIsNeverNull(query.body.right, source.right)
      );
    default:
      return false;
  }
}
