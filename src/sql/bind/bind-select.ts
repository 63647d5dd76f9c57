import { conjuncts, isConst, TRUE } from '../build.ts';
import type { AstExpr, AstOrder, AstSelect } from '../parse/ast.ts';
import type { Expr, FromNode, OrderKey, SelectItem, SelectNode } from '../tree.ts';
import { BOOL } from '../types.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { bindFrom } from './bind-from.ts';
import { orderKey, outputPosition, refuseLiteral } from './bind-query.ts';
import { type BindContext, fail } from './context.ts';
import { correlatedColumn } from './correlated.ts';
import { exprKey } from './expr-key.ts';
import { containsAggregate, containsWindow, ungrouped } from './grouping.ts';
import { withJsonGuard } from './json-guard.ts';
import { qualified } from './qualify.ts';
import { Scope } from './scope.ts';
import { bindItems } from './select-items.ts';

export interface BoundSelect {
  readonly body: SelectNode;
  readonly outputs: SelectItem[];
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
    where.push(...written.flatMap(withJsonGuard));
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
  if (aggregated) {
    checkGrouping(values, groupBy, from?.node, ast.at, ctx);
  }
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

export function itemExpr(item: SelectItem): Expr {
  if (item.source.kind !== 'expr') {
    throw new Error('an item of a SELECT list is an expression');
  }
  return item.source.expr;
}

function aliasesOf(outputs: readonly SelectItem[]): ReadonlyMap<string, Expr> {
  return new Map(outputs.map((output) => [output.label.toLowerCase(), itemExpr(output)]));
}

function bindGroupBy(ast: AstSelect, outputs: readonly SelectItem[], ctx: BindContext): Expr[] {
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
      throw fail(
        ctx,
        key.at,
        'sql_type',
        'GROUP BY cannot contain an aggregate or window function',
      );
    }
    keys.set(exprKey(expr), expr);
  }
  return [...keys.values()];
}

/** A bare name is an alias of the SELECT list first, as in BigQuery; then a column. */
function groupKey(key: AstExpr, outputs: readonly SelectItem[], ctx: BindContext): Expr {
  const position = outputPosition(key, outputs, ctx);
  const output = position === undefined ? undefined : outputs[position];
  const plain = { ...ctx, noAggregates: 'GROUP BY', noWindows: 'GROUP BY' };
  if (output === undefined) {
    return bindExpr(key, plain);
  }
  const expr = itemExpr(output);
  if (key.kind !== 'int' && containsAggregate(expr)) {
    const { aliases: _, ...columnsOnly } = plain;
    return bindExpr(key, columnsOnly);
  }
  return expr;
}

function bindOrder(
  order: AstOrder,
  outputs: readonly SelectItem[],
  distinct: boolean,
  ctx: BindContext,
): OrderKey | undefined {
  const position = outputPosition(order.expr, outputs, ctx);
  if (position !== undefined) {
    return orderKey({ output: position }, order);
  }
  refuseLiteral(order, ctx);
  const expr = bindExpr(order.expr, ctx);
  if (isConst(expr)) {
    return undefined;
  }
  const key = exprKey(expr);
  const same = outputs.findIndex((output) => exprKey(itemExpr(output)) === key);
  if (same !== -1) {
    return orderKey({ output: same }, order);
  }
  if (distinct) {
    throw fail(
      ctx,
      order.at,
      'sql_type',
      'ORDER BY of SELECT DISTINCT can only use selected columns',
    );
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
  const keys = new Set(groupBy.map(exprKey));
  for (const value of values) {
    const column = ungrouped(value, keys);
    if (column !== undefined) {
      throw fail(
        ctx,
        at,
        'sql_type',
        `The SELECT list uses ${column}, which is neither grouped nor aggregated: add it to GROUP BY or aggregate it`,
      );
    }
    const outside = from === undefined ? undefined : correlatedColumn(value, from, keys);
    if (outside !== undefined) {
      const message = `A subquery uses ${outside} of the query around it, which groups: group in a CTE, and write the subquery over the columns of that`;
      throw fail(ctx, at, 'sql_unsupported', message);
    }
  }
}
