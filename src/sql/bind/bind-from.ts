import { conjuncts } from '../build.ts';
import type { AstExpr, AstFrom, Name } from '../parse/ast.ts';
import type { CteNode, Expr, FromNode } from '../tree.ts';
import { BOOL, INT64 } from '../types.ts';
import { bindAs, bindExpr } from './bind-expr.ts';
import { resolvePath } from './bind-path.ts';
import { bindQuery } from './bind-query.ts';
import { comparison } from './comparison.ts';
import { type BindContext, fail } from './context.ts';
import { ElementRelation } from './element-relation.ts';
import { arrayElements } from './elements.ts';
import { elementOf, isOneObject } from './json.ts';
import { QueryRelation } from './query-relation.ts';
import { Scope, type ScopeEntry } from './scope.ts';
import { SourceRelation } from './source-relation.ts';
import { unknownTable } from './suggest.ts';

/** A FROM clause: the tree of its relations (undefined if no row source is left) and extra filters. */
export interface BoundFrom {
  readonly node: FromNode | undefined;
  /** Rows that UNNEST without a join would have dropped. */
  readonly filters: readonly Expr[];
}

/** Binds a FROM clause, adding its names to the scope of the context. */
export function bindFrom(from: AstFrom, ctx: BindContext): BoundFrom {
  switch (from.kind) {
    case 'table':
      return bindTable(from, ctx);
    case 'derived': {
      const query = bindQuery(from.query, { ...ctx, scope: ctx.scope.parent ?? new Scope() });
      const alias = ctx.compile.names.fresh(from.alias?.text ?? 'derived');
      const relation = new QueryRelation(alias, query, ctx.compile.names);
      ctx.compile.readers.set(alias, (column) => relation.use(column));
      ctx.scope.add(from.alias?.text, { kind: 'relation', relation });
      return { node: { kind: 'derived', alias, query }, filters: [] };
    }
    case 'unnest':
      return bindUnnest(from.expr, from.alias, from.offset, undefined, 'cross', ctx);
    case 'join':
      return bindJoin(from, ctx);
  }
}

function bindTable(from: Extract<AstFrom, { kind: 'table' }>, ctx: BindContext): BoundFrom {
  const name = from.parts.map((part) => part.text).join('.');
  const label = from.alias?.text ?? from.parts[from.parts.length - 1]?.text ?? name;
  const { compile, environment, scope } = ctx;
  const cte = environment.cte(name, compile);
  if (cte !== undefined) {
    return readQuery(cte, name, label, from, ctx);
  }
  const source = environment.source(name);
  if (source !== undefined) {
    const relation = new SourceRelation(
      source,
      compile.names.fresh(label),
      compile.promoted,
      (field) => {
        compile.warnings.add(`No event of ${name} has shown the field ${field} yet: it is NULL`);
      },
    );
    compile.sources.add(name);
    compile.scans.push({ source: name, node: relation.node });
    compile.readers.set(relation.node.alias, (column) => relation.node.columns.add(column));
    scope.add(from.alias?.text ?? name, { kind: 'relation', relation });
    return { node: { kind: 'source', source: relation.node }, filters: [] };
  }
  const endpoint = environment.endpoint(name, compile);
  if (endpoint !== undefined) {
    return readQuery(endpoint, name, label, from, ctx);
  }
  throw unknownTable(name, from.at, ctx);
}

/** A named query in FROM: a CTE, or another endpoint. */
function readQuery(
  cte: CteNode,
  name: string,
  label: string,
  from: Extract<AstFrom, { kind: 'table' }>,
  ctx: BindContext,
): BoundFrom {
  const { names, readers } = ctx.compile;
  const alias = names.fresh(label);
  const relation = new QueryRelation(alias, cte.query, names);
  readers.set(alias, (column) => relation.use(column));
  ctx.scope.add(from.alias?.text ?? name, { kind: 'relation', relation });
  return { node: { kind: 'cte', alias, cte }, filters: [] };
}

function bindJoin(from: Extract<AstFrom, { kind: 'join' }>, ctx: BindContext): BoundFrom {
  const start = ctx.scope.entries.length;
  const left = bindFrom(from.left, ctx);
  const array = correlatedArray(from.right, ctx);
  if (array !== undefined) {
    if (from.join === 'right' || from.join === 'full') {
      throw fail(
        ctx,
        from.at,
        'sql_unsupported',
        'UNNEST can only be joined by CROSS, INNER or LEFT JOIN',
      );
    }
    const unnested = bindUnnest(array.expr, array.alias, array.offset, left.node, from.join, ctx);
    const on = from.on === undefined ? [] : conjuncts(bindAs(from.on, BOOL, noAggregates(ctx)));
    if (on.length > 0 && from.join === 'left') {
      throw fail(
        ctx,
        from.at,
        'sql_unsupported',
        'LEFT JOIN UNNEST takes no condition but ON TRUE',
      );
    }
    return { node: unnested.node, filters: [...left.filters, ...unnested.filters, ...on] };
  }
  const first = ctx.scope.entries.length;
  const right = bindFrom(from.right, ctx);
  const filters = [...left.filters, ...right.filters];
  if (left.node === undefined || right.node === undefined) {
    return { node: left.node ?? right.node, filters };
  }
  const on = joinCondition(from, first, ctx);
  if (from.join !== 'inner' && from.join !== 'cross' && right.filters.length > 0) {
    throw fail(
      ctx,
      from.at,
      'sql_unsupported',
      'UNNEST inside the joined side of an outer join is not supported',
    );
  }
  const { entries } = ctx.scope;
  if (from.join === 'left' || from.join === 'full') {
    markOptional(entries.slice(first));
  }
  if (from.join === 'right' || from.join === 'full') {
    markOptional(entries.slice(start, first));
  }
  return {
    node: { kind: 'join', join: from.join, left: left.node, right: right.node, on },
    filters,
  };
}

/** Rows of these may be missing in what a join gives. */
function markOptional(entries: readonly ScopeEntry[]): void {
  for (const { target } of entries) {
    if (target.kind === 'relation') {
      target.relation.optional = true;
    }
  }
}

function noAggregates(ctx: BindContext): BindContext {
  return { ...ctx, noAggregates: 'FROM', noWindows: 'FROM' };
}

function joinCondition(
  from: Extract<AstFrom, { kind: 'join' }>,
  firstOfRight: number,
  ctx: BindContext,
): Expr | undefined {
  if (from.on !== undefined) {
    return bindAs(from.on, BOOL, noAggregates(ctx));
  }
  if (from.using.length === 0) {
    return undefined;
  }
  const conditions = from.using.map((name) => usingCondition(name, firstOfRight, ctx));
  return { op: 'and', type: BOOL, items: conditions };
}

function usingCondition(name: Name, firstOfRight: number, ctx: BindContext): Expr {
  const side = (entries: typeof ctx.scope.entries): Expr => {
    for (const entry of entries.toReversed()) {
      const found =
        entry.target.kind === 'relation'
          ? (entry.target.relation.find(name.text) ?? entry.target.relation.assume?.(name.text))
          : undefined;
      if (found !== undefined) {
        return found;
      }
    }
    throw fail(
      ctx,
      name.at,
      'sql_unknown_column',
      `Both sides of the join need a column ${name.text}`,
    );
  };
  const left = side(ctx.scope.entries.slice(0, firstOfRight));
  const right = side(ctx.scope.entries.slice(firstOfRight));
  return comparison('=', left, right, name.at, ctx);
}

/** The right side of a join, when it is an array of what stands left of it. */
function correlatedArray(
  right: AstFrom,
  ctx: BindContext,
): { expr: AstExpr; alias: Name | undefined; offset: Name | undefined } | undefined {
  if (right.kind === 'unnest') {
    return right;
  }
  const [first] = right.kind === 'table' ? right.parts : [];
  if (right.kind !== 'table' || first === undefined || right.parts.length < 2) {
    return undefined;
  }
  // `FROM t, t.items AS item`: BigQuery reads a path that starts with a name of this FROM as UNNEST.
  const correlated = ctx.scope.entry(first.text) !== undefined;
  const expr: AstExpr = { kind: 'path', at: right.at, parts: right.parts };
  return correlated ? { expr, alias: right.alias, offset: right.offset } : undefined;
}

/** In UNNEST, NULL and an empty array are the same: `COALESCE(x, [])` is x. */
function withoutEmptyDefault(array: AstExpr): AstExpr {
  const [first, second] = array.kind === 'call' ? array.args : [];
  const coalesce = array.kind === 'call' && ['coalesce', 'ifnull'].includes(array.name);
  const empty = second?.kind === 'array' && second.items.length === 0;
  return coalesce && empty && array.args.length === 2 && first !== undefined ? first : array;
}

function bindUnnest(
  written: AstExpr,
  alias: Name | undefined,
  offset: Name | undefined,
  left: FromNode | undefined,
  join: 'inner' | 'cross' | 'left',
  ctx: BindContext,
): BoundFrom {
  const array = withoutEmptyDefault(written);
  const bound =
    array.kind === 'path' ? resolvePath(array, ctx) : bindExpr(array, noAggregates(ctx));
  if (bound.op === 'json' && offset === undefined && isOneObject(bound)) {
    ctx.scope.add(alias?.text, { kind: 'json', json: bound });
    const filters = join === 'left' ? [] : [bound.document.isObject(bound.path)];
    return { node: left, filters };
  }
  const relation = ctx.compile.names.fresh(alias?.text ?? 'unnested');
  const column = ctx.compile.names.fresh('element');
  const offsetName = offset === undefined ? undefined : ctx.compile.names.fresh('offset');
  const elements = arrayElements(bound, array.at, ctx);
  const element: Expr = {
    op: 'column',
    type: elements.element,
    column: { relation, name: column },
  };
  if (bound.type.kind === 'dynamic') {
    ctx.scope.add(alias?.text, { kind: 'json', json: elementOf(bound, element) });
  } else {
    ctx.scope.add(
      alias?.text,
      element.type.kind === 'struct'
        ? { kind: 'relation', relation: new ElementRelation(element) }
        : { kind: 'value', expr: element },
    );
  }
  if (offset !== undefined && offsetName !== undefined) {
    ctx.scope.add(offset.text, {
      kind: 'value',
      expr: { op: 'column', type: INT64, column: { relation, name: offsetName } },
    });
  }
  const unnest: FromNode = {
    kind: 'unnest',
    alias: relation,
    array: elements.array,
    column,
    offset: offsetName,
  };
  const node: FromNode =
    left === undefined
      ? unnest
      : {
          kind: 'join',
          join: join === 'left' ? 'left' : 'cross',
          left,
          right: unnest,
          on: undefined,
        };
  return { node, filters: [] };
}
