import type { AstExpr, AstSelectItem } from '../parse/ast.ts';
import type { Expr, SelectItem } from '../tree.ts';
import { bindExpr } from './bind-expr.ts';
import { type BindContext, fail } from './context.ts';
import { settle } from './json.ts';
import type { Relation } from './relation.ts';

/** Binds a SELECT list; `*` becomes the columns it stands for. */
export function bindItems(
  items: readonly AstSelectItem[],
  at: number,
  ctx: BindContext,
): SelectItem[] {
  const outputs: SelectItem[] = [];
  const add = (label: string, expr: Expr): void => {
    const node = expr.op === 'json' ? expr.node : undefined;
    const name = ctx.compile.names.fresh(label);
    outputs.push({ label, name, type: expr.type, node, source: { kind: 'expr', expr } });
  };
  for (const item of items) {
    if (item.kind === 'star') {
      for (const { label, expr } of expandStar(item, ctx)) {
        add(label, expr);
      }
    } else {
      // BigQuery numbers unnamed columns by their position among all of them: f0_, f1_, ...
      const label = item.alias?.text ?? implicitName(item.expr) ?? `f${outputs.length}_`;
      add(label, bindExpr(item.expr, ctx));
    }
  }
  if (outputs.length === 0) {
    throw fail(ctx, at, 'sql_syntax', 'The SELECT list is empty');
  }
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

function expandStar(
  star: Extract<AstSelectItem, { kind: 'star' }>,
  ctx: BindContext,
): { label: string; expr: Expr }[] {
  const except = new Set(star.except.map((name) => name.text.toLowerCase()));
  const replaced = new Map(star.replace.map(({ name, expr }) => [name.text.toLowerCase(), expr]));
  const columns = starRelations(star, ctx).flatMap((relation) => relation.columns());
  if (columns.length === 0) {
    throw fail(ctx, star.at, 'sql_syntax', 'SELECT * needs a FROM clause with a table');
  }
  for (const name of star.except) {
    if (!columns.some((column) => column.label.toLowerCase() === name.text.toLowerCase())) {
      throw fail(
        ctx,
        name.at,
        'sql_unknown_column',
        `Column ${name.text} in EXCEPT does not exist`,
      );
    }
  }
  return columns
    .filter((column) => !except.has(column.label.toLowerCase()))
    .map(({ label, expr }) => {
      const replacement = replaced.get(label.toLowerCase());
      return {
        label,
        expr: replacement === undefined ? settle(expr()) : bindExpr(replacement, ctx),
      };
    });
}

function starRelations(
  star: Extract<AstSelectItem, { kind: 'star' }>,
  ctx: BindContext,
): readonly Relation[] {
  if (star.of === undefined) {
    return ctx.scope.entries.flatMap(({ target }) =>
      target.kind === 'relation' ? [target.relation] : [],
    );
  }
  const name = star.of.map((part) => part.text).join('.');
  const entry = ctx.scope.entry(name);
  if (entry?.target.kind !== 'relation') {
    throw fail(
      ctx,
      star.at,
      'sql_unknown_table',
      `${name}.* needs the name or alias of a table in FROM`,
    );
  }
  return [entry.target.relation];
}
