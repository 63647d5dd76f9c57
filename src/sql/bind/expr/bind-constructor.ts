import type { Expr } from '../../ir/ir.ts';
import { arrayOf, NULL, type SqlType, STRING, typeDepth, typeName } from '../../ir/types.ts';
import type { AstExpr, AstType } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { typeFromAst } from './bind-cast.ts';
import { bindExpr, unify } from './bind-expr.ts';
import { convert } from './comparison.ts';

type Ast<K extends AstExpr['kind']> = Extract<AstExpr, { kind: K }>;

/** `[1, 2]`, `ARRAY<FLOAT64>[1, 2]`. */
export function bindArray(ast: Ast<'array'>, ctx: BindContext): Expr {
  const items = ast.items.map((item) => bindExpr(item, ctx));
  const declared = ast.of === undefined ? undefined : typeFromAst(ast.of, ctx);
  const type = declared ?? (items.length === 0 ? STRING : unify(items, ast.at, ctx));
  return {
    op: 'array',
    type: shallow(arrayOf(type), ast.at, ctx),
    items: items.map((item) => convert(item, type, ast.at, ctx)),
  };
}

/** `STRUCT(1 AS a)`, `STRUCT<a INT64>(1)`, `(1, 2)`. */
export function bindStruct(ast: Ast<'struct'>, ctx: BindContext): Expr {
  const items = ast.fields.map(({ expr }) => bindExpr(expr, ctx));
  if (ast.type !== undefined) return declaredStruct(ast.type, items, ctx);
  const fields = ast.fields.map(({ name, expr }, i) => ({
    name: name?.text ?? (expr.kind === 'path' ? (expr.parts.at(-1)?.text ?? '') : ''),
    type: items[i]?.type ?? NULL,
  }));
  return { op: 'struct', type: shallow({ kind: 'struct', fields }, ast.at, ctx), items };
}

/** BigQuery's own limit. */
const MAX_TYPE_DEPTH = 15;

function shallow(type: SqlType, at: number, ctx: BindContext): SqlType {
  if (typeDepth(type) > MAX_TYPE_DEPTH) {
    const message = `More than ${MAX_TYPE_DEPTH} ARRAYs and STRUCTs within each other`;
    throw fail(ctx, at, 'sql_too_large', message);
  }
  return type;
}

/** `STRUCT<a INT64, b STRING>(1, 'x')`. */
function declaredStruct(ast: AstType, items: readonly Expr[], ctx: BindContext): Expr {
  const type = shallow(typeFromAst(ast, ctx), ast.at, ctx);
  if (type.kind !== 'struct' || type.fields.length !== items.length) {
    const message = `${typeName(type)} needs as many values as fields, not ${items.length}`;
    throw fail(ctx, ast.at, 'sql_type', message);
  }
  const converted = items.map((item, i) =>
    convert(item, type.fields[i]?.type ?? NULL, ast.at, ctx),
  );
  return { op: 'struct', type, items: converted };
}
