import { isConst } from '../../ir/expr-builders.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { OrderItem, WindowSpec } from '../../ir/ir.ts';
import { FLOAT64, INT64, typeName } from '../../ir/types.ts';
import type { AstBound, AstFrame, AstOrder, AstWindow } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { convert } from './comparison.ts';

/** Binds what stands behind OVER, a named window with it. */
export function bindWindow(ast: AstWindow, ctx: BindContext): WindowSpec {
  const named = ast.base === undefined ? undefined : ctx.windows?.get(ast.base.toLowerCase());
  if (ast.base !== undefined && named === undefined) {
    throw fail(ctx, ast.at, 'sql_unknown_column', `There is no WINDOW named ${ast.base}`);
  }
  const base = named === undefined ? undefined : bindWindow(named, ctx);
  const partitionBy = [
    ...(base?.partitionBy ?? []),
    ...ast.partitionBy.map((expr) => bindExpr(expr, ctx)),
  ];
  const orderBy = [...(base?.orderBy ?? []), ...ast.orderBy.map((order) => orderItem(order, ctx))];
  if (ast.frame === undefined) return { partitionBy, orderBy, frame: base?.frame };
  checkBounds(ast.frame, ast, ctx);
  return {
    partitionBy,
    orderBy: hasDistance(ast.frame) ? [distanceKey(orderBy, ast.frame, ast, ctx)] : orderBy,
    frame: frameText(ast.frame, ast, ctx),
  };
}

/** An ORDER BY of a window or an aggregate: NULLs are the least. */
export function orderItem(order: AstOrder, ctx: BindContext): OrderItem {
  const nullsFirst = order.nulls === undefined ? !order.descending : order.nulls === 'first';
  return { expr: bindExpr(order.expr, ctx), descending: order.descending, nullsFirst };
}

function frameText(frame: AstFrame, ast: AstWindow, ctx: BindContext): string {
  const unit = frame.unit.toUpperCase();
  const start = boundText(frame.start, ast, ctx);
  const end = frame.end === undefined ? undefined : boundText(frame.end, ast, ctx);
  return end === undefined ? `${unit} ${start}` : `${unit} BETWEEN ${start} AND ${end}`;
}

function boundText(bound: AstBound, ast: AstWindow, ctx: BindContext): string {
  return 'value' in bound
    ? `${distance(bound, ast, ctx)} ${bound.kind.toUpperCase()}`
    : bound.kind.replace('_', ' ').toUpperCase();
}

function distance(
  bound: Extract<AstBound, { value: unknown }>,
  ast: AstWindow,
  ctx: BindContext,
): bigint {
  const count = bindAs(bound.value, INT64, ctx);
  if (!isConst(count) || typeof count.value !== 'bigint' || count.value < 0n) {
    throw fail(ctx, ast.at, 'sql_type', 'A window frame needs whole numbers');
  }
  return count.value;
}

const BOUNDS = [
  'unbounded_preceding',
  'preceding',
  'current_row',
  'following',
  'unbounded_following',
] as const;

/** Refuses frames that end before they start; without BETWEEN they end at the current row. */
function checkBounds(frame: AstFrame, ast: AstWindow, ctx: BindContext): void {
  const { start, end = { kind: 'current_row' } as const } = frame;
  const [first, last] = [BOUNDS.indexOf(start.kind), BOUNDS.indexOf(end.kind)];
  if (first > last || first === BOUNDS.length - 1 || last === 0) {
    throw fail(ctx, ast.at, 'sql_type', BACKWARDS);
  }
}

const BACKWARDS = 'The window frame ends before it starts';

/** Whether no row can be in a frame, as in BETWEEN 1 PRECEDING AND 2 PRECEDING. */
function isEmpty({ start, end }: AstFrame, ast: AstWindow, ctx: BindContext): boolean {
  if (start.kind !== end?.kind || !('value' in start) || !('value' in end)) return false;
  const [a, b] = [distance(start, ast, ctx), distance(end, ast, ctx)];
  return start.kind === 'preceding' ? a < b : a > b;
}

/** RANGE with a distance from the value of the current row. */
function hasDistance({ unit, start, end }: AstFrame): boolean {
  return unit === 'range' && ('value' in start || (end !== undefined && 'value' in end));
}

/** The one ORDER BY of such a frame, a number. */
function distanceKey(
  orderBy: readonly OrderItem[],
  frame: AstFrame,
  ast: AstWindow,
  ctx: BindContext,
): OrderItem {
  const [key, second] = orderBy;
  if (key === undefined || second !== undefined) {
    throw fail(ctx, ast.at, 'sql_type', 'RANGE with a distance needs one ORDER BY');
  }
  // DuckDB counts less than none in such a frame.
  if (isEmpty(frame, ast, ctx)) throw fail(ctx, ast.at, 'sql_type', BACKWARDS);
  const { type } = key.expr;
  if (type.kind === 'int64') {
    return { ...key, expr: { op: 'call', type, fn: WIDE, args: [key.expr] } };
  }
  if (type.kind !== 'float64' && type.kind !== 'dynamic') {
    const message = `RANGE with a distance needs an ORDER BY number, not ${typeName(type)}`;
    const hint = type.kind === 'timestamp' ? ': write UNIX_SECONDS(..)' : '';
    throw fail(ctx, ast.at, 'sql_type', `${message}${hint}`);
  }
  return { ...key, expr: convert(key.expr, FLOAT64, ast.at, ctx) };
}

/** Has room for the distance, where INT64 ends. */
const WIDE: ScalarFunction = {
  name: 'wide',
  athena: ([value]) => `CAST(${value} AS DECIMAL(38, 0))`,
  duckdb: ([value]) => `CAST(${value} AS DECIMAL(38, 0))`,
};
