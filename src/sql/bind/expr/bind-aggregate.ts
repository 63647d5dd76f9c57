import type { AggregateFunction } from '../../functions/common/function.ts';
import { isConstantPerQuery } from '../../ir/constant-per-query.ts';
import { caseWhen, compare, constant, isConst, TRUE } from '../../ir/expr-builders.ts';
import { containsAggregate } from '../../ir/expr-walk.ts';
import type { AggregateExpr, Expr, OrderItem, WindowSpec } from '../../ir/ir.ts';
import { isNeverNull } from '../../ir/nullability.ts';
import { BOOL, INT64 } from '../../ir/types.ts';
import type { AstCall, AstWindow } from '../../parse/ast.ts';
import { astKey } from '../../parse/ast-key.ts';
import { type BindContext, fail } from '../context.ts';
import { refuseLiteral } from '../select/bind-query.ts';
import { bindArguments, checkCount } from './bind-call.ts';
import { bindAs } from './bind-expr.ts';
import { bindWindow, orderItem } from './bind-window.ts';

/** Binds an aggregate or window function. */
export function bindAggregate(ast: AstCall, fn: AggregateFunction, ctx: BindContext): Expr {
  const call = bindAsWritten(ast, fn, ctx);
  if (fn.name !== 'count') return call;
  if (call.distinct) {
    return call.args.every(isConstantPerQuery) ? atMostOne({ ...call, distinct: false }) : call;
  }
  // Charts count ids: the largest column of all, read for nothing.
  return call.args.every(isNeverNull) ? { ...call, args: [] } : call;
}

/**
 * COUNT(DISTINCT x) of what is the same in every row. Trino 435 counts all rows instead wherever it
 * finds out that x is constant and another aggregate stands beside it.
 */
function atMostOne(count: AggregateExpr): Expr {
  const found = compare('>', count, constant(INT64, 0n));
  const whens = [{ when: found, result: constant(INT64, 1n) }];
  return { op: 'case', type: INT64, whens, otherwise: constant(INT64, 0n) };
}

function bindAsWritten(ast: AstCall, fn: AggregateFunction, ctx: BindContext): AggregateExpr {
  const name = fn.name.toUpperCase();
  checkPlace(ast, fn, ctx);
  checkModifiers(ast, fn, ctx);
  // Aliases of the SELECT list do not reach into an aggregate: there a name is a column.
  const { aliases: _, ...columns } = ctx;
  const inside = { ...columns, noWindows: `the arguments of ${name}` };
  checkCount(ast, ast.star ? 0 : fn.required, fn.parameters.length, ctx);
  const args = bindArguments(ast, fn.parameters, inside);
  if (ast.over === undefined && args.some(containsAggregate)) {
    const message = `Aggregates cannot be nested: compute the inner one of ${name} in a subquery`;
    throw fail(ctx, ast.at, 'sql_type', message);
  }
  const wrong = fn.check?.(args);
  if (wrong !== undefined) throw fail(ctx, ast.at, 'sql_type', `${name}: ${wrong}`);
  const filter = ast.filter === undefined ? undefined : bindAs(ast.filter, BOOL, inside);
  const inWindow = filter !== undefined && ast.over !== undefined;
  return {
    op: 'aggregate',
    type: fn.result(args.map((arg) => arg.type)),
    fn,
    args: inWindow ? only(filter, args) : args,
    distinct: ast.distinct && fn.distinct !== 'alike',
    ignoreNulls: ast.nulls === 'ignore',
    filter: inWindow ? undefined : filter,
    orderBy: bindOrder(ast, args, inside),
    limit:
      ast.limit === undefined
        ? undefined
        : constantCount(bindAs(ast.limit, INT64, inside), ast, ctx),
    over: ast.over === undefined ? undefined : windowOf(ast, ast.over, fn, ctx),
  };
}

/** The window of a call, refused by name where the function cannot look at it. */
function windowOf(
  ast: AstCall,
  window: AstWindow,
  fn: AggregateFunction,
  ctx: BindContext,
): WindowSpec {
  const over = bindWindow(window, ctx);
  const name = fn.name.toUpperCase();
  if (fn.noFrame && over.frame !== undefined) {
    throw fail(ctx, ast.at, 'sql_type', `The window of ${name} can have no ROWS and no RANGE`);
  }
  if (ast.distinct && over.orderBy.length > 0) {
    throw fail(ctx, ast.at, 'sql_type', `The window of ${name}(DISTINCT ..) can have no ORDER BY`);
  }
  return over;
}

/**
 * The arguments, NULL where a condition does not hold: Trino knows no FILTER in windows, and aggregates
 * leave out rows whose first argument is NULL.
 */
function only(filter: Expr, [first = TRUE, ...others]: readonly Expr[]): Expr[] {
  return [caseWhen([{ when: filter, result: first }], undefined, first.type), ...others];
}

/** What is also an argument is the same expression: engines compare the two when DISTINCT is said. */
function bindOrder(ast: AstCall, args: readonly Expr[], ctx: BindContext): OrderItem[] {
  const keys = ast.args.map(astKey);
  return ast.orderBy.flatMap((order) => {
    refuseLiteral(order, ctx);
    const arg = args[keys.indexOf(astKey(order.expr))];
    if (arg === undefined && ast.distinct) {
      const name = ast.name.toUpperCase();
      const message = `${name} with DISTINCT can only be ordered by what it aggregates`;
      throw fail(ctx, ast.at, 'sql_type', message);
    }
    const item = { ...orderItem(order, ctx), ...(arg === undefined ? {} : { expr: arg }) };
    return isConst(item.expr) ? [] : [item];
  });
}

/** Refuses by name what may stand in some calls and has no meaning in this one. */
function checkModifiers(ast: AstCall, fn: AggregateFunction, ctx: BindContext): void {
  const name = fn.name.toUpperCase();
  const refuse = (sentence: string): Error => fail(ctx, ast.at, 'sql_unsupported', sentence);
  if (ast.safe) {
    throw refuse(`SAFE.${name} is not possible: SAFE. goes with functions of single values only`);
  }
  if (ast.star && fn.name !== 'count') throw refuse(`${name}(*) is not possible: name a column`);
  if (ast.distinct && (fn.distinct === 'refused' || ast.star)) {
    throw refuse(`${name}(DISTINCT ..) is not supported`);
  }
  if (ast.nulls !== undefined && !fn.nulls?.includes(ast.nulls)) {
    throw refuse(`${name} takes no ${ast.nulls.toUpperCase()} NULLS`);
  }
  if ((ast.orderBy.length > 0 || ast.limit !== undefined) && !fn.orderAllowed) {
    throw refuse(`${name} takes no ORDER BY or LIMIT between its parentheses`);
  }
  if (ast.filter !== undefined && fn.windowOnly) throw refuse(`${name} takes no FILTER`);
  if (ast.filter !== undefined && ast.over !== undefined && fn.nulls?.includes('respect')) {
    throw refuse(`With OVER, ${name} takes no FILTER`);
  }
  if (ast.over !== undefined && (ast.orderBy.length > 0 || ast.limit !== undefined)) {
    throw refuse(`With OVER, ${name} takes no ORDER BY or LIMIT between its parentheses`);
  }
  if (ast.over !== undefined && ast.distinct && fn.distinct === undefined) {
    throw refuse(`${name}(DISTINCT ..) OVER is not supported`);
  }
}

function checkPlace(ast: AstCall, fn: AggregateFunction, ctx: BindContext): void {
  const name = fn.name.toUpperCase();
  if (fn.windowOnly && ast.over === undefined) {
    throw fail(ctx, ast.at, 'sql_type', `${name} needs OVER (..)`);
  }
  const place = ast.over === undefined ? ctx.noAggregates : ctx.noWindows;
  if (place !== undefined) {
    const hint = place === 'WHERE' ? ': use HAVING or QUALIFY' : '';
    throw fail(ctx, ast.at, 'sql_type', `${name} cannot stand in ${place}${hint}`);
  }
}

function constantCount(limit: Expr, ast: AstCall, ctx: BindContext): number {
  if (!isConst(limit) || typeof limit.value !== 'bigint' || limit.value < 0n) {
    throw fail(ctx, ast.at, 'sql_type', 'LIMIT inside an aggregate needs a whole number');
  }
  return Number(limit.value);
}
