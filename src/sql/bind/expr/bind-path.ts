import { nearest } from '../../../platform/nearest.ts';
import { structField } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { type SqlType, typeName } from '../../ir/types.ts';
import type { AstExpr, Name } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import type { Relation } from '../from/relation.ts';
import type { Scope, ScopeEntry } from '../scope.ts';
import { restrictedWildcard } from '../select/wildcard.ts';
import { hasJsonField, jsonField, knownKeys } from './json.ts';

type AstPath = Extract<AstExpr, { kind: 'path' }>;

/**
 * Resolves a dotted name. JSON is left as JSON, so that UNNEST and field access can go on from it.
 *
 * Order, nearest scope first: an alias of FROM, a column of a relation, a field of an unnested JSON
 * object, and last, when a source is in scope, a field that its events may have.
 *
 * @throws SqlError `sql_unknown_column`, also when a name could mean two columns.
 */
export function resolvePath(path: AstPath, ctx: BindContext): Expr {
  const [first, ...rest] = path.parts;
  if (first === undefined) throw new Error('a path has at least one part');
  const alias = rest.length === 0 ? ctx.aliases?.get(first.text.toLowerCase()) : undefined;
  if (alias !== undefined) return alias;
  const whole = wholeNameEntry(path, ctx);
  if (whole !== undefined) return whole;
  for (let scope: Scope | undefined = ctx.scope; scope !== undefined; scope = scope.parent) {
    const entry = scope.entry(first.text);
    if (entry !== undefined) return fromEntry(entry, first, rest, ctx);
    const found = columnIn(scope, first, ctx) ?? jsonFieldIn(scope, first);
    if (found !== undefined) return walk(found, rest, ctx);
  }
  for (let scope: Scope | undefined = ctx.scope; scope !== undefined; scope = scope.parent) {
    const assumed = assumedIn(scope, first, ctx);
    if (assumed !== undefined) return walk(assumed, rest, ctx);
  }
  throw unknownColumn(first, ctx);
}

/** `my.table.name.column`: a table whose own name has dots, used as a prefix without an alias. */
function wholeNameEntry(path: AstPath, ctx: BindContext): Expr | undefined {
  for (let length = path.parts.length - 1; length > 1; length -= 1) {
    const name = path.parts
      .slice(0, length)
      .map((part) => part.text)
      .join('.');
    const entry = ctx.scope.entry(name);
    const [first] = path.parts;
    if (entry?.target.kind === 'relation' && first !== undefined) {
      return fromEntry(entry, first, path.parts.slice(length), ctx);
    }
  }
  return undefined;
}

function fromEntry(entry: ScopeEntry, name: Name, rest: readonly Name[], ctx: BindContext): Expr {
  const { target } = entry;
  switch (target.kind) {
    case 'json':
      return walk(target.json, rest, ctx);
    case 'value':
      return walk(target.expr, rest, ctx);
    case 'merged':
      return walk(target.expr(), rest, ctx);
    case 'relation':
      return fromRelation(target.relation, name, rest, ctx);
  }
}

function fromRelation(
  relation: Relation,
  name: Name,
  rest: readonly Name[],
  ctx: BindContext,
): Expr {
  const [column, ...fields] = rest;
  if (column === undefined) return wholeRow(relation, name, ctx);
  const found = relation.find(column.text) ?? relation.inferColumn?.(column.text);
  if (found === undefined) {
    const near = nearest(column.text, labelsOf(relation));
    const hint = near === undefined ? '' : `, did you mean ${near}?`;
    const message = `Field "${column.text}" does not exist in ${name.text}${hint}`;
    throw fail(ctx, column.at, 'sql_unknown_column', message);
  }
  return walk(found, fields, ctx);
}

/** A table's alias used as a value: its row as a STRUCT, which reads as much as `*` does. */
function wholeRow(relation: Relation, name: Name, ctx: BindContext): Expr {
  if (relation.value !== undefined) return relation.value;
  if (!ctx.environment.rules.wholeRows) throw restrictedWildcard(name.at, labelsOf(relation), ctx);
  const columns = relation.columns().map(({ label, expr }) => ({ label, expr: expr() }));
  const type: SqlType = {
    kind: 'struct',
    fields: columns.map(({ label, expr }) => ({ name: label ?? '', type: expr.type })),
  };
  return { op: 'struct', type, items: columns.map(({ expr }) => expr) };
}

function labelsOf(relation: Relation): string[] {
  return relation.columns().flatMap(({ label }) => label ?? []);
}

function columnIn(scope: Scope, name: Name, ctx: BindContext): Expr | undefined {
  const found = scope.entries.flatMap((entry) => entryColumn(entry, name.text) ?? []);
  if (found.length > 1) {
    const message = `Column name ${name.text} is ambiguous: write the table's name before it`;
    throw fail(ctx, name.at, 'sql_unknown_column', message);
  }
  return found[0];
}

/** The column that a bare name means in one entry of FROM. */
export function entryColumn({ target, merged }: ScopeEntry, name: string): Expr | undefined {
  const lower = name.toLowerCase();
  if (target.kind === 'merged') {
    return target.label.toLowerCase() === lower ? target.expr() : undefined;
  }
  return target.kind === 'relation' && !merged.has(lower) ? target.relation.find(name) : undefined;
}

/** Fields of unnested objects may be named without their alias; the nearest UNNEST wins. */
function jsonFieldIn(scope: Scope, name: Name): Expr | undefined {
  for (const entry of scope.entries.toReversed()) {
    const field = entryField(entry, name.text);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** The field of an unnested object that a bare name means. */
export function entryField({ target, merged }: ScopeEntry, name: string): Expr | undefined {
  const bare = target.kind === 'json' && !merged.has(name.toLowerCase());
  return bare && hasJsonField(target.json, name) ? jsonField(target.json, name) : undefined;
}

function assumedIn(scope: Scope, name: Name, ctx: BindContext): Expr | undefined {
  const open = scope.entries.flatMap(({ target }) =>
    target.kind === 'relation' && target.relation.inferColumn !== undefined
      ? [target.relation]
      : [],
  );
  if (open.length > 1) {
    const message = `Column ${name.text} could belong to more than one source: write the table's name before it`;
    throw fail(ctx, name.at, 'sql_unknown_column', message);
  }
  return open[0]?.inferColumn?.(name.text);
}

/** Steps through fields of JSON or of STRUCTs. */
export function walk(base: Expr, fields: readonly Name[], ctx: BindContext): Expr {
  let expr = base;
  for (const field of fields) expr = stepInto(expr, field, ctx);
  return expr;
}

export function stepInto(base: Expr, field: Name, ctx: BindContext): Expr {
  if (base.op === 'json') return jsonField(base, field.text);
  if (base.type.kind === 'dynamic') {
    return { op: 'json_path', type: base.type, text: base, path: [field.text] };
  }
  if (base.type.kind !== 'struct') {
    const message = `Cannot access field ${field.text} of a value of type ${typeName(base.type)}`;
    throw fail(ctx, field.at, 'sql_type', message);
  }
  const lower = field.text.toLowerCase();
  const index = base.type.fields.findIndex((f) => f.name.toLowerCase() === lower);
  return namedField(base, index, field, ctx);
}

function namedField(base: Expr, index: number, field: Name, ctx: BindContext): Expr {
  const member = base.type.kind === 'struct' ? base.type.fields[index] : undefined;
  if (member === undefined) {
    const message = `Field name ${field.text} does not exist in ${typeName(base.type)}`;
    throw fail(ctx, field.at, 'sql_unknown_column', message);
  }
  return structField(base, index, member.type);
}

function unknownColumn(name: Name, ctx: BindContext): Error {
  const labels = ctx.scope.entries.flatMap(({ name: entryName, target }) => [
    ...(entryName === undefined ? [] : [entryName]),
    ...(target.kind === 'relation' ? labelsOf(target.relation) : []),
    ...(target.kind === 'merged' ? [target.label] : []),
    ...(target.kind === 'json' ? knownKeys(target.json) : []),
  ]);
  const near = nearest(name.text, [...labels, ...(ctx.aliases?.keys() ?? [])]);
  const hint = near === undefined ? '' : `, did you mean ${near}?`;
  return fail(ctx, name.at, 'sql_unknown_column', `Field "${name.text}" does not exist${hint}`);
}
