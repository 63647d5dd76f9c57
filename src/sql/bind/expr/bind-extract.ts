import { extractPart } from '../../functions/time/extract.ts';
import { inZone } from '../../functions/time/temporal.ts';
import { toCivil } from '../../functions/time/zone-sql.ts';
import type { Expr } from '../../ir/ir.ts';
import { DATE, INT64, STRING, typeName } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAs, bindExpr } from './bind-expr.ts';

export function bindExtract(ast: Extract<AstExpr, { kind: 'extract' }>, ctx: BindContext): Expr {
  const failHere = (message: string) => fail(ctx, ast.at, 'sql_type', message);
  const part = (value: Expr): Expr => {
    const result = extractPart(ast.part, value);
    if (typeof result === 'string') throw failHere(result);
    return result;
  };
  const value = bindExpr(ast.expr, ctx);
  if (ast.zone === undefined) return part(value);
  if (value.type.kind !== 'timestamp') {
    throw failHere(`EXTRACT takes AT TIME ZONE only with a TIMESTAMP, not ${typeName(value.type)}`);
  }
  const zone = bindAs(ast.zone, STRING, ctx);
  return inZone(zone, ast.part === 'DATE' ? DATE : INT64, failHere, (named) =>
    part(toCivil(value, named)),
  );
}
