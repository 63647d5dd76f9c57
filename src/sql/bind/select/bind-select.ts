import { conjuncts, isConst, TRUE } from '../../ir/expr-builders.ts';
import { containsAggregate, containsWindow } from '../../ir/expr-walk.ts';
import type { Expr, FromNode, OrderKey, Output, SelectNode } from '../../ir/ir.ts';
import { BOOL } from '../../ir/types.ts';
import type { AstExpr, AstOrder, AstSelect } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAs, bindExpr } from '../expr/bind-expr.ts';
import { ExprSet, exprKey, sameExpr } from '../expr/expr-key.ts';
import { bindFrom } from '../from/bind-from.ts';
import { Scope } from '../scope.ts';
import { orderKey, outputPosition, refuseLiteral } from './bind-query.ts';
import { correlatedColumn } from './correlated.ts';
import { ungrouped } from './grouping.ts';
import { qualified } from './qualify.ts';
import { bindItems } from './select-items.ts';

export interface BoundSelect {
  readonly body: SelectNode;
  readonly outputs: Output[];
  readonly orderBy: readonly OrderKey[];
}

/** Binds a SELECT together with the ORDER BY behind it, which may use its aliases and its FROM. */
export function bindSelect(
  ast: AstSelect,
  orderBy: readonly AstOrder[],
  outer: BindContext,
): BoundSelect {
  const { compile, text, environment } = outer;
  const windows = new Map(ast.windows.map(({ name, window }) => [name.toLowerCase(), window]));
  const ctx: BindContext = { compile, text, environment, scope: new Scope(outer.scope), windows };
  const from = ast.from === undefined ? undefined : bindFrom(ast.from, ctx);
  const where = [...(from?.filters ?? [])];
  if (ast.where !== undefined) {
    const plain = { ...ctx, noAggregates: 'WHERE', noWindows: 'WHERE' };
    const written = conjuncts(bindAs(ast.where, BOOL, plain)).flatMap(withoutIsTrue);
    where.push(...written);
  }
  const outputs = bindItems(ast.items, ast.at, ctx);
  const aliases = aliasesOf(outputs);
  const aliased: BindContext = { ...ctx, aliases };
  const groupBy = bindGroupBy(ast, outputs, aliased);
  const having =
    ast.having === undefined
      ? undefined
      : bindAs(ast.having, BOOL, { ...aliased, noWindows: 'HAVING' });
  const qualify = ast.qualify === undefined ? undefined : bindAs(ast.qualify, BOOL, aliased);
  const keys = orderBy.flatMap((order) => bindOrder(order, outputs, ast.distinct, aliased) ?? []);
  const values = [
    ...outputs.map(itemExpr),
    ...(having === undefined ? [] : [having]),
    ...(qualify === undefined ? [] : [qualify]),
    ...keys.flatMap((key) => ('expr' in key.by ? [key.by.expr] : [])),
  ];
  const aggregated =
    groupBy.length > 0 ||
    ast.groupBy === 'all' ||
    having !== undefined ||
    values.some(containsAggregate);
  if (aggregated) checkGrouping(values, groupBy, from?.node, ast.at, ctx);
  const body: SelectNode = {
    kind: 'select',
    distinct: ast.distinct,
    from: from?.node,
    where,
    groupBy,
    aggregated,
    having,
  };
  const select = { body, outputs, orderBy: keys };
  return qualify === undefined ? select : qualified(select, qualify, ctx);
}

/** WHERE keeps rows whose condition is TRUE, so `x IS TRUE` is x there. */
function withoutIsTrue(condition: Expr): readonly Expr[] {
  const isTrue = condition.op === 'not_distinct' && condition.right === TRUE;
  return isTrue ? conjuncts(condition.left) : [condition];
}

function itemExpr({ expr }: Output): Expr {
  if (expr === undefined) throw new Error('an item of a SELECT list is an expression');
  return expr;
}

function aliasesOf(outputs: readonly Output[]): ReadonlyMap<string, Expr> {
  return new Map(outputs.map((output) => [output.label.toLowerCase(), itemExpr(output)]));
}

function bindGroupBy(ast: AstSelect, outputs: readonly Output[], ctx: BindContext): Expr[] {
  if (ast.groupBy === 'all') {
    const items = outputs.map(itemExpr);
    return items.filter(
      (item) => !containsAggregate(item) && !containsWindow(item) && item.op !== 'const',
    );
  }
  const keys = new Map<string, Expr>();
  for (const key of ast.groupBy) {
    const expr = groupKey(key, outputs, ctx);
    if (containsAggregate(expr) || containsWindow(expr)) {
      const message = 'GROUP BY cannot contain an aggregate or window function';
      throw fail(ctx, key.at, 'sql_type', message);
    }
    keys.set(exprKey(expr), expr);
  }
  return [...keys.values()];
}

/** A bare name is an alias of the SELECT list first, as in BigQuery; then a column. */
function groupKey(key: AstExpr, outputs: readonly Output[], ctx: BindContext): Expr {
  const position = outputPosition(key, outputs, ctx);
  const output = position === undefined ? undefined : outputs[position];
  const plain = { ...ctx, noAggregates: 'GROUP BY', noWindows: 'GROUP BY' };
  if (output === undefined) return bindExpr(key, plain);
  const expr = itemExpr(output);
  if (key.kind !== 'int' && containsAggregate(expr)) {
    const { aliases: _, ...columnsOnly } = plain;
    return bindExpr(key, columnsOnly);
  }
  return expr;
}

function bindOrder(
  order: AstOrder,
  outputs: readonly Output[],
  distinct: boolean,
  ctx: BindContext,
): OrderKey | undefined {
  const position = outputPosition(order.expr, outputs, ctx);
  if (position !== undefined) return orderKey({ output: position }, order);
  refuseLiteral(order, ctx);
  const expr = bindExpr(order.expr, ctx);
  if (isConst(expr)) return undefined;
  const same = outputs.findIndex((output) => sameExpr(itemExpr(output), expr));
  if (same !== -1) return orderKey({ output: same }, order);
  if (distinct) {
    const message = 'ORDER BY of SELECT DISTINCT can only use selected columns';
    throw fail(ctx, order.at, 'sql_type', message);
  }
  return orderKey({ expr }, order);
}

function checkGrouping(
  values: readonly Expr[],
  groupBy: readonly Expr[],
  from: FromNode | undefined,
  at: number,
  ctx: BindContext,
): void {
  const keys = new ExprSet(groupBy);
  for (const value of values) {
    const column = ungrouped(value, keys);
    if (column !== undefined) {
      const message = `The SELECT list uses ${column}, which is neither grouped nor aggregated: add it to GROUP BY or aggregate it`;
      throw fail(ctx, at, 'sql_type', message);
    }
    const outside =
      from === undefined ? undefined : correlatedColumn(value, from, keys, ctx.compile);
    if (outside !== undefined) {
      const message = `A subquery uses ${outside} of the query around it, which groups: group in a CTE, and write the subquery over the columns of that`;
      throw fail(ctx, at, 'sql_unsupported', message);
    }
  }
}
