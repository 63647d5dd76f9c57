import { conjuncts, logical } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { BOOL } from '../../ir/types.ts';
import type { AstExpr, AstFrom } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAs } from '../expr/bind-expr.ts';
import { Scope, type ScopeEntry } from '../scope.ts';
import { type BoundFrom, bindFrom } from './bind-from.ts';
import { type AstUnnest, bindUnnest } from './bind-unnest.ts';
import { joinUsing } from './using.ts';

type AstJoin = Extract<AstFrom, { kind: 'join' }>;

/**
 * Binds a join. An array of what stands left of it is unnested for each row; anything else on the right
 * sees the names around the query, and none of those on the left.
 */
export function bindJoin(from: AstJoin, ctx: BindContext): BoundFrom {
  // FULL JOIN keeps the rows of both sides: no condition on one of them can wait until after it.
  const sides = from.join === 'full' ? { ...ctx, joinObjects: true as const } : ctx;
  const left = bindFrom(from.left, sides);
  const keepsRight = from.join === 'right' || from.join === 'full';
  const array = keepsRight ? undefined : correlatedArray(from.right, ctx);
  if (array !== undefined) return joinArray(from, left, array, ctx);
  const first = ctx.scope.entries.length;
  const scope = new Scope(ctx.scope.parent);
  const right = bindFrom(from.right, { ...sides, scope });
  ctx.scope.entries.push(...scope.entries);
  return joinTables(from, left, right, first, ctx);
}

function joinArray(from: AstJoin, left: BoundFrom, array: AstUnnest, ctx: BindContext): BoundFrom {
  const first = ctx.scope.entries.length;
  const join = from.join === 'left' ? 'left' : 'cross';
  const unnested = bindUnnest(array, left.node, join, ctx);
  const on = joinCondition(from, first, ctx);
  if (on.length > 0 && join === 'left') {
    const message = 'LEFT JOIN UNNEST takes no condition but ON TRUE';
    throw fail(ctx, from.at, 'sql_unsupported', message);
  }
  return { node: unnested.node, filters: [...left.filters, ...unnested.filters, ...on] };
}

function joinTables(
  from: AstJoin,
  left: BoundFrom,
  right: BoundFrom,
  first: number,
  ctx: BindContext,
): BoundFrom {
  const { join } = from;
  const outer = join !== 'inner' && join !== 'cross';
  const [onLeft, onRight] = [ctx.scope.entries.slice(0, first), ctx.scope.entries.slice(first)];
  const on = joinCondition(from, first, ctx);
  if (!outer && (left.node === undefined || right.node === undefined)) {
    const filters = [...left.filters, ...right.filters, ...on];
    return { node: left.node ?? right.node, filters };
  }
  if (left.node === undefined || right.node === undefined) {
    const message = `${join.toUpperCase()} JOIN needs a table on both sides, not unnested objects alone`;
    throw fail(ctx, from.at, 'sql_unsupported', message);
  }
  if (join === 'left' || join === 'full') markOptional(onRight);
  if (join === 'right' || join === 'full') markOptional(onLeft);
  // Filters of a side whose rows may be missing say which of them match, and nothing of the others.
  const ofMatch = [
    ...(join === 'left' || join === 'full' ? right.filters : []),
    ...(join === 'right' || join === 'full' ? left.filters : []),
  ];
  if (join === 'full' && ofMatch.length > 0) {
    const message =
      'A condition of UNNEST beside FULL JOIN is not supported: write it in a subquery';
    throw fail(ctx, from.at, 'sql_unsupported', message);
  }
  const conditions = [...on, ...ofMatch];
  const filters = [...left.filters, ...right.filters].filter((item) => !ofMatch.includes(item));
  return {
    node: {
      kind: 'join',
      join,
      left: left.node,
      right: right.node,
      on: conditions.length === 0 ? undefined : logical('and', conditions),
    },
    filters,
  };
}

/** Rows of these may be missing in what a join gives. */
function markOptional(entries: readonly ScopeEntry[]): void {
  for (const { target } of entries) {
    if (target.kind === 'relation') target.relation.optional = true;
  }
}

/** What ON or USING asks of two rows, as conditions that must all hold. */
function joinCondition(from: AstJoin, first: number, ctx: BindContext): readonly Expr[] {
  if (from.on !== undefined) {
    const inFrom = { ...ctx, noAggregates: 'FROM', noWindows: 'FROM' };
    return conjuncts(bindAs(from.on, BOOL, inFrom));
  }
  return from.using.length === 0 ? [] : joinUsing(from.using, from.join, first, ctx);
}

/** The right side of a join, when it is an array of what stands left of it. */
function correlatedArray(right: AstFrom, ctx: BindContext): AstUnnest | undefined {
  if (right.kind === 'unnest') return right;
  const [first] = right.kind === 'table' ? right.parts : [];
  if (right.kind !== 'table' || first === undefined || right.parts.length < 2) return undefined;
  // `FROM t, t.items AS item`: BigQuery reads a path that starts with a name of this FROM as UNNEST.
  const correlated = ctx.scope.entry(first.text) !== undefined;
  const expr: AstExpr = { kind: 'path', at: right.at, parts: right.parts };
  return correlated ? { expr, alias: right.alias, offset: right.offset } : undefined;
}
