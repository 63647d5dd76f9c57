import { childrenOf, expressionsOf, mapInner, relationsIn } from '../../ir/expr-walk.ts';
import type { CteNode, Expr, FromNode, QueryNode, RelationNode, ScanNode } from '../../ir/ir.ts';
import { canCompute, isPathRead, type PathRead, slotsInstead } from '../../optimize/path-reads.ts';
import type { ExprSet } from '../expr/expr-key.ts';
import { columnLabel } from './grouping.ts';

/** What the relations of a FROM stand for. */
interface Bound {
  readonly ctes: readonly CteNode[];
  readonly scans: readonly ScanNode[];
}

/**
 * A column of a FROM that a subquery of an expression reads, other than as one of the keys that it is
 * grouped by: engines know those inside a subquery only as plain columns.
 */
export function correlatedColumn(
  expr: Expr,
  from: FromNode,
  keys: ExprSet,
  bound: Bound,
): string | undefined {
  const relations = new Map(relationsIn(from).map((relation) => [relation.alias, relation]));
  const isColumn = (e: Expr): boolean =>
    e.op === 'column' ||
    (isPathRead(e) && becomesColumn(e, relations.get(e.text.column.relation), bound));
  const inExpr = (e: Expr, inside: boolean): string | undefined => {
    if (inside && keys.has(e) && isColumn(e)) return undefined;
    if (inside && e.op === 'column') {
      return relations.has(e.column.relation) ? columnLabel(e.column) : undefined;
    }
    if (!inside && e.op === 'aggregate' && e.over === undefined) return undefined;
    const own =
      'query' in e ? firstOf(allExpressions(e.query), (inner) => inExpr(inner, true)) : undefined;
    const found = own ?? firstOf(childrenOf(e), (child) => inExpr(child, inside));
    return found !== undefined && 'path' in e ? String(e.path.at(-1) ?? found) : found;
  };
  return inExpr(expr, false);
}

/** Whether what lies at a path will be read as a column: a slot, or an output of the query inside. */
function becomesColumn(
  read: PathRead,
  relation: RelationNode | undefined,
  { ctes, scans }: Bound,
): boolean {
  switch (relation?.kind) {
    case 'scan': {
      const scan = scans.find(({ alias }) => alias === relation.alias);
      return scan !== undefined && slotsInstead(read, scan)?.op === 'column';
    }
    case 'cte': {
      const cte = ctes.find(({ name }) => name === relation.cte);
      return cte !== undefined && computes(cte.query, read);
    }
    case 'derived':
      return computes(relation.query, read);
    default:
      return false;
  }
}

function computes(query: QueryNode, read: PathRead): boolean {
  const index = query.outputs.findIndex(({ name }) => name === read.text.column.name);
  return canCompute(query, index, read);
}

function firstOf(exprs: readonly Expr[], find: (expr: Expr) => string | undefined) {
  for (const expr of exprs) {
    const found = find(expr);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All expressions of a query, those of the queries that it is made of among them. */
function allExpressions(query: QueryNode): readonly Expr[] {
  const inner: Expr[] = [];
  mapInner(query, (each) => {
    inner.push(...allExpressions(each));
    return each;
  });
  return [...expressionsOf(query), ...inner];
}
