import type { AstFrom } from '../parse/ast.ts';
import type { CteNode, Expr, FromNode } from '../tree.ts';
import { bindJoin } from './bind-join.ts';
import { bindQuery } from './bind-query.ts';
import { bindUnnest } from './bind-unnest.ts';
import type { BindContext } from './context.ts';
import { QueryRelation } from './query-relation.ts';
import { Scope } from './scope.ts';
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
      return bindUnnest(from, undefined, 'cross', ctx);
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
    const relation = new SourceRelation(source, compile.names.fresh(label), (field) => {
      compile.warnings.add(`No event of ${name} has shown the field ${field} yet: it is NULL`);
    });
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
