import { constant, isConst, structField } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { INT64, STRING, typeName } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { operate } from './arithmetic.ts';
import { bindAs, bindUnsettled } from './bind-expr.ts';
import { elementOf, isOneObject, toScalar } from './json.ts';

/** `array[OFFSET(n)]` and its kin, on arrays, on JSON, and on rows (`dates[0]`). */
export function bindSubscript(
  ast: Extract<AstExpr, { kind: 'subscript' }>,
  ctx: BindContext,
): Expr {
  const base = bindUnsettled(ast.base, ctx);
  const written = bindAs(ast.index, INT64, ctx);
  const ordinal = ast.mode === 'ordinal' || ast.mode === 'safe_ordinal';
  const index = ordinal ? operate('-', written, constant(INT64, 1n), ast.at, ctx) : written;
  const safe = ast.mode === 'safe_offset' || ast.mode === 'safe_ordinal';
  if (base.type.kind === 'array') return { op: 'element', type: base.type.of, base, index, safe };
  const position =
    isConst(index) && typeof index.value === 'bigint' ? Number(index.value) : undefined;
  if (base.type.kind === 'struct' && position !== undefined) {
    const field = base.type.fields[position];
    if (field === undefined) {
      throw fail(ctx, ast.at, 'sql_type', `${typeName(base.type)} has no field number ${position}`);
    }
    return toScalar(structField(base, position, field.type));
  }
  if (base.op === 'json') {
    // An object stands for BigQuery's array of one struct, so [0] of it is the object itself.
    if (isOneObject(base) && position === 0) return base;
    const text: Expr = {
      op: 'json_elements',
      type: { kind: 'array', of: STRING },
      text: base.text,
      path: base.path,
    };
    const element: Expr = { op: 'element', type: STRING, base: text, index, safe: true };
    return elementOf(base, element);
  }
  throw fail(ctx, ast.at, 'sql_type', `A subscript needs an array, not ${typeName(base.type)}`);
}
