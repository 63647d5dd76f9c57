import type { SqlError } from '../error.ts';
import type { AstExpr, AstSelectItem } from '../parse/ast.ts';
import type { Expr, SelectItem } from '../tree.ts';
import { bindExpr } from './bind-expr.ts';
import { type BindContext, fail } from './context.ts';
import { settle } from './json.ts';
import { type StarColumn, starColumns } from './star.ts';

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
        add(label ?? `f${outputs.length}_`, expr);
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
    throw restricted(star.at, columns, ctx);
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
        expr: replacement === undefined ? settle(expr()) : bindExpr(replacement, ctx),
      };
    });
}

const SHOWN_COLUMNS = 8;

/** Begins as Logflare's refusal does, which clients look for. */
function restricted(at: number, columns: readonly StarColumn[], ctx: BindContext): SqlError {
  const labels = columns.flatMap(({ label }) => label ?? []);
  const more = labels.length > SHOWN_COLUMNS ? ', ...' : '';
  const message = `restricted wildcard (*) in a result column: this endpoint wants columns by name, here ${labels.slice(0, SHOWN_COLUMNS).join(', ')}${more}`;
  return fail(ctx, at, 'sql_wildcard', message);
}
