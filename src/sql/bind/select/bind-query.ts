import { isConst } from '../../ir/expr-builders.ts';
import type { OrderKey, Output, QueryNode } from '../../ir/ir.ts';
import { INT64 } from '../../ir/types.ts';
import type { AstExpr, AstOrder, AstQuery } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAs } from '../expr/bind-expr.ts';
import { bindSelect } from './bind-select.ts';
import { bindSet } from './bind-set.ts';

/**
 * Binds a query. The scope of the context is the one around it: names that its own FROM does not have
 * are looked up there.
 */
export function bindQuery(ast: AstQuery, outer: BindContext): QueryNode {
  return outer.compile.size.nested(() => bindLevel(ast, outer));
}

function bindLevel(ast: AstQuery, outer: BindContext): QueryNode {
  if (ast.recursive) {
    throw fail(outer, ast.at, 'sql_unsupported', 'WITH RECURSIVE is not supported');
  }
  const ctx = { ...outer, environment: outer.environment.withCtes(ast.ctes, outer.text) };
  const limit = rowCount(ast.limit, 'LIMIT', ctx);
  const offset = rowCount(ast.offset, 'OFFSET', ctx);
  if (ast.body.kind === 'select') {
    const { body, outputs, orderBy } = bindSelect(ast.body, ast.orderBy, ctx);
    return node(body, outputs, orderBy, limit, offset);
  }
  if (ast.body.kind === 'set') {
    const { body, outputs } = bindSet(ast.body, ctx);
    return node(body, outputs, orderByOutputs(ast.orderBy, outputs, ctx), limit, offset);
  }
  const inner = bindQuery(ast.body, ctx);
  const outputs = inner.outputs.map((output): Output => ({ ...output, expr: undefined }));
  return node(inner, outputs, orderByOutputs(ast.orderBy, outputs, ctx), limit, offset);
}

function node(
  body: QueryNode['body'],
  outputs: readonly Output[],
  orderBy: readonly OrderKey[],
  limit: number | undefined,
  offset: number | undefined,
): QueryNode {
  return { kind: 'query', body, outputs, orderBy, limit, offset };
}

function rowCount(ast: AstExpr | undefined, what: string, ctx: BindContext): number | undefined {
  if (ast === undefined) return undefined;
  const count = bindAs(ast, INT64, { ...ctx, noAggregates: what, noWindows: what });
  if (!isConst(count) || typeof count.value !== 'bigint' || count.value < 0n) {
    throw fail(ctx, ast.at, 'sql_type', `${what} needs a whole number that is not negative`);
  }
  return Number(count.value > 1_000_000_000n ? 1_000_000_000n : count.value);
}

/** ORDER BY behind a set operation or parentheses: output names and positions only. */
function orderByOutputs(
  orderBy: readonly AstOrder[],
  outputs: readonly Output[],
  ctx: BindContext,
): OrderKey[] {
  return orderBy.flatMap((order) => {
    const output = outputPosition(order.expr, outputs, ctx);
    if (output === undefined) refuseLiteral(order, ctx);
    if (order.expr.kind === 'param') return [];
    if (output === undefined) {
      const message = 'ORDER BY behind a set operation can only name one of its columns';
      throw fail(ctx, order.at, 'sql_unsupported', message);
    }
    return orderKey({ output }, order);
  });
}

/** A parameter or computed constant sorts nothing and does no harm; a literal is a mistake. */
export function refuseLiteral(order: AstOrder, ctx: BindContext): void {
  if (['string', 'bool', 'null', 'float', 'typed_literal'].includes(order.expr.kind)) {
    const message = 'ORDER BY cannot be a literal: name a column, or its number';
    throw fail(ctx, order.at, 'sql_type', message);
  }
}

/** The output that an ORDER BY or GROUP BY names by position or, unless an alias hides it, by name. */
export function outputPosition(
  expr: AstExpr,
  outputs: readonly Output[],
  ctx: BindContext,
): number | undefined {
  if (expr.kind === 'int') {
    const position = Number(expr.value);
    if (position < 1 || position > outputs.length) {
      const message = `There is no column number ${expr.value} in the SELECT list`;
      throw fail(ctx, expr.at, 'sql_type', message);
    }
    return position - 1;
  }
  const [name] = expr.kind === 'path' && expr.parts.length === 1 ? expr.parts : [];
  if (name === undefined) return undefined;
  const lower = name.text.toLowerCase();
  const index = outputs.findLastIndex((output) => output.label.toLowerCase() === lower);
  return index === -1 ? undefined : index;
}

/** BigQuery's NULLs come first ascending and last descending; engines differ, so it is always said. */
export function orderKey(by: OrderKey['by'], order: AstOrder): OrderKey {
  const nullsFirst = order.nulls === undefined ? !order.descending : order.nulls === 'first';
  return { by, descending: order.descending, nullsFirst };
}
