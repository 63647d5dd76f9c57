import type { Expr, OrderKey, Output, QueryNode } from '../../ir/ir.ts';
import type { BindContext } from '../context.ts';
import { QueryRelation } from '../from/query-relation.ts';
import type { BoundSelect } from './bind-select.ts';

/**
 * `SELECT .. QUALIFY condition`, which Trino does not have: the SELECT with its window functions
 * becomes a derived table that also computes the condition, and a SELECT around it keeps the rows
 * where it holds. DISTINCT and ORDER BY come after QUALIFY, so they move outside.
 */
export function qualified(select: BoundSelect, condition: Expr, ctx: BindContext): BoundSelect {
  const { compile } = ctx;
  const hidden = (expr: Expr): Output => ({
    label: 'qualify',
    name: compile.names.fresh('qualify'),
    type: expr.type,
    node: undefined,
    expr,
  });
  const sorts = select.orderBy.flatMap((key) => ('expr' in key.by ? [hidden(key.by.expr)] : []));
  const items = [...select.outputs, hidden(condition), ...sorts];
  const inner: QueryNode = {
    kind: 'query',
    body: { ...select.body, distinct: false },
    outputs: items,
    orderBy: [],
    limit: undefined,
    offset: undefined,
  };
  const alias = compile.names.fresh('qualified');
  const relation = new QueryRelation(alias, inner);

  const outputs = select.outputs.map((output, index): Output => {
    const name = compile.names.fresh(output.label);
    return { ...output, name, expr: relation.output(index) };
  });
  let sort = select.outputs.length;
  const orderBy = select.orderBy.map((key): OrderKey => {
    if (!('expr' in key.by)) return key;
    sort += 1;
    return { ...key, by: { expr: relation.output(sort) } };
  });
  return {
    body: {
      kind: 'select',
      distinct: select.body.distinct,
      from: { kind: 'derived', alias, query: inner },
      where: [relation.output(select.outputs.length)],
      groupBy: [],
      aggregated: false,
      having: undefined,
    },
    outputs,
    orderBy,
  };
}
