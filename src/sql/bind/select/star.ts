import type { Expr } from '../../ir/ir.ts';
import { typeName } from '../../ir/types.ts';
import type { AstSelectItem } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { resolvePath } from '../expr/bind-path.ts';
import { jsonField, knownKeys } from '../expr/json.ts';
import { structColumns } from '../from/element-relation.ts';
import type { RelationColumn } from '../from/relation.ts';
import type { ScopeEntry } from '../scope.ts';

type Star = Extract<AstSelectItem, { kind: 'star' }>;

/**
 * The columns that `*` or `x.*` stands for, in the order of FROM. An unnested object gives its fields,
 * as far as events or the layout have shown them.
 *
 * @throws SqlError where there is nothing that `*` could stand for.
 */
export function starColumns(star: Star, ctx: BindContext): readonly RelationColumn[] {
  if (star.of !== undefined) return columnsOf(star.of, star, ctx);
  const columns = ctx.scope.entries.flatMap(entryColumns);
  if (columns.length === 0) {
    throw fail(ctx, star.at, 'sql_syntax', 'SELECT * needs a FROM clause with a table');
  }
  return columns;
}

/** Without those that USING merged, which stand before all others. */
function entryColumns({ name, target, merged }: ScopeEntry): readonly RelationColumn[] {
  const own = (columns: readonly RelationColumn[]): readonly RelationColumn[] =>
    columns.filter(({ label }) => label === undefined || !merged.has(label.toLowerCase()));
  switch (target.kind) {
    case 'relation':
      return own(target.relation.columns());
    case 'merged':
      return [target];
    case 'value':
      return [{ label: name, expr: () => target.expr }];
    case 'json': {
      const fields = fieldsOf(target.json);
      return fields.length > 0 ? own(fields) : [{ label: name, expr: () => target.json }];
    }
  }
}

function columnsOf(
  parts: NonNullable<Star['of']>,
  star: Star,
  ctx: BindContext,
): readonly RelationColumn[] {
  const name = parts.map((part) => part.text).join('.');
  const entry = ctx.scope.entry(name);
  if (entry?.target.kind === 'relation') return entry.target.relation.columns();
  const value = resolvePath({ kind: 'path', at: star.at, parts }, ctx);
  const columns = value.op === 'json' ? fieldsOf(value) : structColumns(value);
  if (columns.length === 0) {
    const message =
      value.op === 'json'
        ? `No field of ${name} is known: name those that ${name}.* is to give`
        : `${name}.* needs a table or a STRUCT, not ${typeName(value.type)}`;
    throw fail(ctx, star.at, 'sql_type', message);
  }
  return columns;
}

function fieldsOf(json: Extract<Expr, { op: 'json' }>): readonly RelationColumn[] {
  return knownKeys(json).map((key) => ({ label: key, expr: () => jsonField(json, key) }));
}
