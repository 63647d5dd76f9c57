import type { CteNode, Expr, FromNode } from '../../ir/ir.ts';
import type { AstFrom } from '../../parse/ast.ts';
import type { BindContext } from '../context.ts';
import { Scope } from '../scope.ts';
import { bindQuery } from '../select/bind-query.ts';
import { unknownTable } from '../suggest.ts';
import { bindJoin } from './bind-join.ts';
import { bindUnnest } from './bind-unnest.ts';
import { QueryRelation } from './query-relation.ts';
import { SourceRelation } from './source-relation.ts';

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
      const relation = new QueryRelation(alias, query);
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
  if (cte !== undefined) return readQuery(cte, name, label, from, ctx);
  const source = environment.source(name);
  if (source !== undefined) {
    const relation = new SourceRelation(source, compile.names.fresh(label), (field) => {
      compile.warnings.add(`No event of ${name} has shown the field ${field} yet: it is NULL`);
    });
    compile.scans.push(relation.node);
    scope.add(from.alias?.text ?? name, { kind: 'relation', relation });
    return { node: { kind: 'scan', alias: relation.node.alias }, filters: [] };
  }
  const endpoint = environment.endpoint(name, compile);
  if (endpoint !== undefined) return readQuery(endpoint, name, label, from, ctx);
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
  const alias = ctx.compile.names.fresh(label);
  const relation = new QueryRelation(alias, cte.query);
  ctx.scope.add(from.alias?.text ?? name, { kind: 'relation', relation });
  return { node: { kind: 'cte', alias, cte: cte.name }, filters: [] };
}
