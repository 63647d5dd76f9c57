import { isConst, sharing } from '../../ir/expr-builders.ts';
import { containsAggregate, containsSubquery, containsWindow } from '../../ir/expr-walk.ts';
import type { ScalarFunction } from '../../ir/function.ts';
import type { Expr } from '../../ir/ir.ts';
import type { AstCall } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';

/** NULL instead of an error. */
const TRY: ScalarFunction = {
  name: 'safe',
  athena: ([call]) => `TRY(${call})`,
  duckdb: ([call]) => `TRY(${call})`,
};

/**
 * `SAFE.f(..)`, its call bound already. DuckDB's TRY takes no aggregate, no window function and no subquery,
 * so those are evaluated before; BigQuery does not catch the errors of arguments either.
 */
export function safely(call: Expr, ast: AstCall, ctx: BindContext): Expr {
  const attempt = (of: Expr): Expr => ({ op: 'call', type: of.type, fn: TRY, args: [of] });
  if (isConst(call)) return call;
  // The engines evaluate these apart from the row.
  if (!containsAggregate(call) && !containsWindow(call) && !containsSubquery(call)) {
    return attempt(call);
  }
  if (call.op === 'call') return sharing(call.args, (args) => attempt({ ...call, args }), true);
  const message = `SAFE.${ast.name.toUpperCase()} of an aggregate, a window function or a subquery is not supported: compute that in a WITH clause`;
  throw fail(ctx, ast.at, 'sql_unsupported', message);
}
