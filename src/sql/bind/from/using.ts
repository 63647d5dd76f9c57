import { commonType } from '../../ir/coerce.ts';
import { coalesce } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import type { JoinKind, Name } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { entryColumn, entryField } from '../expr/bind-path.ts';
import { bindComparison, convert } from '../expr/comparison.ts';
import { toScalar } from '../expr/json.ts';
import type { ScopeEntry } from '../scope.ts';

/** A column of one side of a join: read anew at each use, for an outer join changes what is known of it. */
interface SideColumn {
  readonly entry: ScopeEntry;
  readonly expr: () => Expr;
}

/**
 * `JOIN .. USING (a, b)`: the conditions, and in the scope one column in place of the two of each name. It
 * is what FULL JOIN finds on either side, the right side's for RIGHT JOIN, and else the left side's.
 *
 * @param first Index of the first entry of the right side in the scope.
 * @throws SqlError `sql_unknown_column` where a side has no such column, or more than one.
 */
export function joinUsing(
  names: readonly Name[],
  join: JoinKind,
  first: number,
  ctx: BindContext,
): readonly Expr[] {
  const { scope } = ctx;
  const [left, right] = [scope.entries.slice(0, first), scope.entries.slice(first)];
  const columns = distinct(names).map((name) => ({
    name,
    left: sideColumn(left, name, 'left', ctx),
    right: sideColumn(right, name, 'right', ctx),
  }));
  const conditions = columns.map(({ name, left: l, right: r }) =>
    bindComparison('=', toScalar(l.expr()), toScalar(r.expr()), name.at, ctx),
  );
  for (const { name, left: l, right: r } of columns) {
    for (const { entry } of [l, r]) scope.hide(entry, name.text);
  }
  scope.entries.unshift(
    ...columns.map(({ name, left: l, right: r }): ScopeEntry => {
      const expr =
        join === 'full'
          ? () => eitherOf(l.expr(), r.expr(), name, ctx)
          : (join === 'right' ? r : l).expr;
      return {
        name: undefined,
        target: { kind: 'merged', label: name.text, expr },
        merged: new Set(),
      };
    }),
  );
  return conditions;
}

function reread(target: ScopeEntry['target'], name: string): Expr {
  const expr =
    target.kind === 'merged'
      ? target.expr()
      : target.kind === 'relation'
        ? (target.relation.find(name) ?? target.relation.inferColumn?.(name))
        : undefined;
  if (expr === undefined) throw new Error(`the column ${name} was found before`);
  return expr;
}

function distinct(names: readonly Name[]): Name[] {
  return [...new Map(names.map((name) => [name.text.toLowerCase(), name])).values()];
}

function eitherOf(left: Expr, right: Expr, name: Name, ctx: BindContext): Expr {
  const sides = [toScalar(left), toScalar(right)];
  const type = commonType(sides) ?? toScalar(left).type;
  return coalesce(
    sides.map((side) => convert(side, type, name.at, ctx)),
    type,
  );
}

function sideColumn(
  entries: readonly ScopeEntry[],
  name: Name,
  side: string,
  ctx: BindContext,
): SideColumn {
  const known = entries.flatMap((entry) => knownColumn(entry, name.text) ?? []);
  const fields = entries.toReversed().flatMap((entry) => jsonColumn(entry, name.text) ?? []);
  const found = known[0] ?? fields[0] ?? assumedColumn(entries, name.text);
  if (known.length > 1) {
    const message = `Column ${name.text} of USING is ambiguous on the ${side} side of the join: write ON`;
    throw fail(ctx, name.at, 'sql_unknown_column', message);
  }
  if (found === undefined) {
    const message = `Both sides of the join need a column ${name.text}: the ${side} side has none`;
    throw fail(ctx, name.at, 'sql_unknown_column', message);
  }
  return found;
}

/** Also an element of an array that has the name, or its offset. */
function knownColumn(entry: ScopeEntry, name: string): SideColumn | undefined {
  const { target } = entry;
  if (target.kind === 'value') {
    const named = entry.name?.toLowerCase() === name.toLowerCase();
    return named ? { entry, expr: () => target.expr } : undefined;
  }
  return entryColumn(entry, name) === undefined
    ? undefined
    : { entry, expr: () => reread(target, name) };
}

function jsonColumn(entry: ScopeEntry, name: string): SideColumn | undefined {
  const field = entryField(entry, name);
  return field === undefined ? undefined : { entry, expr: () => field };
}

/** Events of the one source on this side may have the field. */
function assumedColumn(entries: readonly ScopeEntry[], name: string): SideColumn | undefined {
  const open = entries.filter(
    ({ target }) => target.kind === 'relation' && target.relation.inferColumn !== undefined,
  );
  const [entry] = open;
  const target = entry?.target;
  return open.length === 1 && entry !== undefined && target?.kind === 'relation'
    ? { entry, expr: () => reread(target, name) }
    : undefined;
}
