import type { Expr, Output } from '../../ir/ir.ts';
import type { AstExpr, AstSelectItem } from '../../parse/ast.ts';
import { MAX_ITEMS } from '../../parse/size.ts';
import { type BindContext, fail } from '../context.ts';
import { bindExpr } from '../expr/bind-expr.ts';
import { toScalar } from '../expr/json.ts';
import { starColumns } from './star.ts';
import { restrictedWildcard } from './wildcard.ts';

/** Binds a SELECT list; `*` becomes the columns it stands for. */
export function bindItems(items: readonly AstSelectItem[], at: number, ctx: BindContext): Output[] {
  const outputs: Output[] = [];
  let unnamed = 0;
  const add = (written: string | undefined, expr: Expr): void => {
    const node = expr.op === 'json' ? expr.node : undefined;
    // BigQuery counts the columns without a name, and no others: f0_, f1_, ...
    if (outputs.length >= MAX_ITEMS) {
      throw fail(ctx, at, 'sql_too_large', `More than ${MAX_ITEMS} columns in one SELECT list`);
    }
    const label = written ?? `f${unnamed}_`;
    unnamed += written === undefined ? 1 : 0;
    const name = ctx.compile.names.fresh(label);
    outputs.push({
      label,
      name,
      type: expr.type,
      node,
      expr,
      ...(written === undefined ? { unnamed: true as const } : {}),
    });
  };
  for (const item of items) {
    if (item.kind === 'star') {
      for (const { label, expr } of expandStar(item, ctx)) add(label, expr);
    } else {
      add(item.alias?.text ?? implicitName(item.expr), bindExpr(item.expr, ctx));
    }
  }
  if (outputs.length === 0) throw fail(ctx, at, 'sql_syntax', 'The SELECT list is empty');
  return outputs;
}

/** A column keeps its name; anything computed has none. */
function implicitName(expr: AstExpr): string | undefined {
  switch (expr.kind) {
    case 'path':
      return expr.parts.at(-1)?.text;
    case 'field':
      return expr.name.text;
    default:
      return undefined;
  }
}

/** The columns of `*` without those of EXCEPT, and with what REPLACE puts in their place. */
function expandStar(
  star: Extract<AstSelectItem, { kind: 'star' }>,
  ctx: BindContext,
): { label: string | undefined; expr: Expr }[] {
  const key = (label: string | undefined): string | undefined => label?.toLowerCase();
  const except = new Set(star.except.map((name) => key(name.text)));
  const replaced = new Map(star.replace.map(({ name, expr }) => [key(name.text), expr]));
  const columns = starColumns(star, ctx);
  if (!ctx.environment.rules.wildcards) {
    const labels = columns.flatMap(({ label }) => label ?? []);
    throw restrictedWildcard(star.at, labels, ctx);
  }
  for (const name of [...star.except, ...star.replace.map((item) => item.name)]) {
    if (!columns.some((column) => key(column.label) === key(name.text))) {
      const message = `Column ${name.text} in EXCEPT or REPLACE does not exist`;
      throw fail(ctx, name.at, 'sql_unknown_column', message);
    }
  }
  return columns
    .filter((column) => column.label === undefined || !except.has(key(column.label)))
    .map(({ label, expr }) => {
      const replacement = replaced.get(key(label));
      return {
        label,
        expr: replacement === undefined ? toScalar(expr()) : bindExpr(replacement, ctx),
      };
    });
}
