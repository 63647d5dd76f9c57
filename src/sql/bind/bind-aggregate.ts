import { compare, constant, isConst } from '../build.ts';
import type { AggregateFunction } from '../functions/function.ts';
import { isNeverNull } from '../never-null.ts';
import { hasOneValue } from '../one-value.ts';
import type { AstBound, AstCall, AstFrame, AstOrder, AstWindow } from '../parse/ast.ts';
import { astKey } from '../parse/ast-key.ts';
import type { AggregateExpr, Expr, OrderItem, WindowSpec } from '../tree.ts';
import { BOOL, INT64 } from '../types.ts';
import { asKind } from './bind-call.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { refuseLiteral } from './bind-query.ts';
import { type BindContext, fail } from './context.ts';
import { containsAggregate } from './grouping.ts';

/** Binds an aggregate or window function. */
export function bindAggregate(ast: AstCall, fn: AggregateFunction, ctx: BindContext): Expr {
  const call = bindAsWritten(ast, fn, ctx);
  if (fn.name !== 'count') {
    return call;
  }
  if (call.distinct) {
    return call.args.every(hasOneValue) ? atMostOne({ ...call, distinct: false }) : call;
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
  // Aliases of the SELECT list do not reach into an aggregate: there a name is a column.
  const { aliases: _, ...columns } = ctx;
  const inside = { ...columns, noWindows: `the arguments of ${name}` };
  const starAllowed = fn.name === 'count';
  if (ast.star && !starAllowed) {
    throw fail(ctx, ast.at, 'sql_type', `${name}(*) is not possible: name a column`);
  }
  const least = ast.star ? 0 : fn.required;
  if (ast.args.length < least || ast.args.length > fn.parameters.length) {
    const most = fn.parameters.length;
    const expected = least === most ? String(most) : `${fn.required} to ${most}`;
    throw fail(
      ctx,
      ast.at,
      'sql_type',
      `${name} takes ${expected} arguments, not ${ast.args.length}`,
    );
  }
  const args = ast.args.map((arg, i) =>
    asKind(bindExpr(arg, inside), fn.parameters[i] ?? 'any', undefined, arg, inside),
  );
  if (ast.over === undefined && args.some(containsAggregate)) {
    throw fail(
      ctx,
      ast.at,
      'sql_type',
      `Aggregates cannot be nested: compute the inner one of ${name} in a subquery`,
    );
  }
  if (fn.constantArguments && !args.slice(1).every(isConst)) {
    throw fail(ctx, ast.at, 'sql_type', `All arguments of ${name} but the first must be constants`);
  }
  if (ast.distinct && fn.distinctAllowed === false) {
    throw fail(ctx, ast.at, 'sql_unsupported', `${name}(DISTINCT ..) is not supported`);
  }
  if ((ast.orderBy.length > 0 || ast.limit !== undefined) && !fn.orderAllowed) {
    throw fail(ctx, ast.at, 'sql_unsupported', `${name} takes no ORDER BY or LIMIT`);
  }
  return {
    op: 'aggregate',
    type: fn.result(args.map((arg) => arg.type)),
    fn,
    args,
    distinct: ast.distinct,
    ignoreNulls: ast.nulls === 'ignore',
    filter: ast.filter === undefined ? undefined : bindAs(ast.filter, BOOL, inside),
    orderBy: bindOrder(ast, args, inside),
    limit:
      ast.limit === undefined
        ? undefined
        : constantCount(bindAs(ast.limit, INT64, inside), ast, ctx),
    over: ast.over === undefined ? undefined : bindWindow(ast.over, ctx),
  };
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

function orderItem(order: AstOrder, ctx: BindContext): OrderItem {
  const nullsFirst = order.nulls === undefined ? !order.descending : order.nulls === 'first';
  return { expr: bindExpr(order.expr, ctx), descending: order.descending, nullsFirst };
}

function bindWindow(ast: AstWindow, ctx: BindContext): WindowSpec {
  const named = ast.base === undefined ? undefined : ctx.windows?.get(ast.base.toLowerCase());
  if (ast.base !== undefined && named === undefined) {
    throw fail(ctx, ast.at, 'sql_unknown_column', `There is no WINDOW named ${ast.base}`);
  }
  const base = named === undefined ? undefined : bindWindow(named, ctx);
  return {
    partitionBy: [
      ...(base?.partitionBy ?? []),
      ...ast.partitionBy.map((expr) => bindExpr(expr, ctx)),
    ],
    orderBy: [...(base?.orderBy ?? []), ...ast.orderBy.map((order) => orderItem(order, ctx))],
    frame: ast.frame === undefined ? base?.frame : frameText(ast.frame, ast, ctx),
  };
}

function frameText(frame: AstFrame, ast: AstWindow, ctx: BindContext): string {
  const unit = frame.unit.toUpperCase();
  const start = boundText(frame.start, ast, ctx);
  const end = frame.end === undefined ? undefined : boundText(frame.end, ast, ctx);
  return end === undefined ? `${unit} ${start}` : `${unit} BETWEEN ${start} AND ${end}`;
}

function boundText(bound: AstBound, ast: AstWindow, ctx: BindContext): string {
  if (!('value' in bound)) {
    return bound.kind.replace('_', ' ').toUpperCase();
  }
  const count = bindAs(bound.value, INT64, ctx);
  if (!isConst(count) || typeof count.value !== 'bigint' || count.value < 0n) {
    throw fail(ctx, ast.at, 'sql_type', 'A window frame needs whole numbers');
  }
  return `${count.value} ${bound.kind.toUpperCase()}`;
}
