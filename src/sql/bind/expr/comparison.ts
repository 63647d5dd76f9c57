import { coerce, commonType } from '../../ir/coerce.ts';
import { compare } from '../../ir/expr-builders.ts';
import type { ComparisonOperator, Expr } from '../../ir/ir.ts';
import { FLOAT64, type SqlType, STRING, typeName } from '../../ir/types.ts';
import { type BindContext, fail } from '../context.ts';

/** Compares two expressions in their common type. */
export function bindComparison(
  op: ComparisonOperator,
  left: Expr,
  right: Expr,
  at: number,
  ctx: BindContext,
): Expr {
  const type = comparableType([left, right], at, ctx);
  return compare(op, convert(left, type, at, ctx), convert(right, type, at, ctx));
}

/** The type in which values meet in a comparison. */
export function comparableType(exprs: readonly Expr[], at: number, ctx: BindContext): SqlType {
  const type = commonType(exprs);
  if (type === undefined) {
    const names = exprs.map((expr) => typeName(expr.type)).join(' and ');
    const hint = ctx.environment.rules.language === 'sql' ? ': CAST one of them' : '';
    throw fail(ctx, at, 'sql_type', `${names} cannot be compared${hint}`);
  }
  if (type.kind === 'array' || type.kind === 'struct') {
    throw fail(ctx, at, 'sql_type', `${typeName(type)} values cannot be compared`);
  }
  if (type.kind === 'dynamic' || type.kind === 'null') return STRING;
  // A JSON number may have a fraction, whatever the integer it is compared with.
  const json = exprs.some((expr) => expr.type.kind === 'dynamic');
  return json && type.kind === 'int64' ? FLOAT64 : type;
}

export function convert(expr: Expr, type: SqlType, at: number, ctx: BindContext): Expr {
  const converted = coerce(expr, type);
  if (converted === undefined) {
    const value =
      expr.op === 'const' && typeof expr.value === 'string' ? ` '${expr.value.slice(0, 60)}'` : '';
    const hint = ctx.environment.rules.language === 'sql' ? ': use CAST if that is meant' : '';
    const message = `Expected ${typeName(type)}, but this is ${typeName(expr.type)}${value}${hint}`;
    throw fail(ctx, at, 'sql_type', message);
  }
  return converted;
}
