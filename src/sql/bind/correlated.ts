import { childrenOf } from '../children.ts';
import type { Expr, FromNode, QueryNode } from '../tree.ts';
import { exprKey } from './expr-key.ts';
import { columnLabel } from './grouping.ts';

/**
 * A column of a FROM that a subquery of an expression reads, other than as one of the keys that it is
 * grouped by: engines know those inside a subquery only as plain columns.
 */
export function correlatedColumn(
  expr: Expr,
  from: FromNode,
  keys: ReadonlySet<string>,
): string | undefined {
  const relations = new Set(relationsOf(from));
  const inExpr = (e: Expr, inside: boolean): string | undefined => {
    if (inside && keys.has(exprKey(e)) && e.op === 'column') {
      return undefined;
    }
    if (inside && e.op === 'column') {
      return relations.has(e.column.relation) ? columnLabel(e.column) : undefined;
    }
    if (!inside && e.op === 'aggregate' && e.over === undefined) {
      return undefined;
    }
    const own =
      'query' in e ? firstOf(expressionsOf(e.query), (inner) => inExpr(inner, true)) : undefined;
    const children = e.op === 'json' ? [e.document.read(e.path, e.type)] : childrenOf(e);
    return own ?? firstOf(children, (child) => inExpr(child, inside));
  };
  return inExpr(expr, false);
}

function firstOf(exprs: readonly Expr[], find: (expr: Expr) => string | undefined) {
  for (const expr of exprs) {
    const found = find(expr);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function relationsOf(from: FromNode): readonly string[] {
  switch (from.kind) {
    case 'source':
      return [from.source.alias];
    case 'join':
      return [...relationsOf(from.left), ...relationsOf(from.right)];
    default:
      return [from.alias];
  }
}

/** All expressions of a query, those of queries in its FROM among them. */
function expressionsOf(query: QueryNode): readonly Expr[] {
  const { body } = query;
  const outputs = query.outputs.flatMap(({ source }) =>
    source.kind === 'expr' ? [source.expr] : [],
  );
  const orders = query.orderBy.flatMap(({ by }) => ('expr' in by ? [by.expr] : []));
  if (body.kind !== 'select') {
    const inner = body.kind === 'query' ? [body] : [body.left, body.right];
    return [...outputs, ...orders, ...inner.flatMap(expressionsOf)];
  }
  const { where, groupBy, having, from } = body;
  return [
    ...outputs,
    ...orders,
    ...where,
    ...groupBy,
    ...(having === undefined ? [] : [having]),
    ...(from === undefined ? [] : fromExpressions(from)),
  ];
}

function fromExpressions(from: FromNode): readonly Expr[] {
  switch (from.kind) {
    case 'derived':
      return expressionsOf(from.query);
    case 'unnest':
      return [from.array];
    case 'join':
      return [
        ...fromExpressions(from.left),
        ...fromExpressions(from.right),
        ...(from.on === undefined ? [] : [from.on]),
      ];
    default:
      return [];
  }
}
