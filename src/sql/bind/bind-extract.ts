import { isConst } from '../build.ts';
import { extractPart } from '../functions/extract.ts';
import type { AstExpr } from '../parse/ast.ts';
import type { Expr } from '../tree.ts';
import { STRING } from '../types.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { type BindContext, fail } from './context.ts';

export function bindExtract(ast: Extract<AstExpr, { kind: 'extract' }>, ctx: BindContext): Expr {
  if (ast.zone !== undefined) {
    requireUtc(bindAs(ast.zone, STRING, ctx), ast.at, ctx);
  }
  const result = extractPart(ast.part, bindExpr(ast.expr, ctx));
  if (typeof result === 'string') {
    throw fail(ctx, ast.at, 'sql_type', result);
  }
  return result;
}

/** Civil time is computed in UTC; other zones are refused rather than silently read as UTC. */
export function requireUtc(zone: Expr, at: number, ctx: BindContext): void {
  const utc =
    isConst(zone) &&
    typeof zone.value === 'string' &&
    /^(utc|etc\/utc|gmt|\+00(:00)?)$/i.test(zone.value);
  if (!utc) {
    throw fail(ctx, at, 'sql_unsupported', "Time zones other than 'UTC' are not supported");
  }
}
