import { isConst } from '../build.ts';
import { extractPart } from '../functions/extract.ts';
import type { AstExpr } from '../parse/ast.ts';
import { isUtc } from '../time.ts';
import type { Expr } from '../tree.ts';
import { STRING } from '../types.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { type BindContext, fail } from './context.ts';

export function bindExtract(ast: Extract<AstExpr, { kind: 'extract' }>, ctx: BindContext): Expr {
  const zone = ast.zone === undefined ? undefined : bindAs(ast.zone, STRING, ctx);
  // Other zones are refused rather than silently read as UTC.
  if (zone !== undefined && !(isConst(zone) && isUtc(zone.value))) {
    throw fail(ctx, ast.at, 'sql_type', "Time zones other than 'UTC' are not supported");
  }
  const result = extractPart(ast.part, bindExpr(ast.expr, ctx));
  if (typeof result === 'string') {
    throw fail(ctx, ast.at, 'sql_type', result);
  }
  return result;
}
