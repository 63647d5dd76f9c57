import { childrenOf } from './children.ts';
import { wantedOf } from './print/print-query.ts';
import type { CteNode, Expr, FromNode, QueryNode, SelectNode } from './tree.ts';

/** Told of each column that is read from the relation that is printed under this name. */
export type Readers = ReadonlyMap<string, (column: string) => void>;

/**
 * Finds out which columns of scans, CTEs and derived tables are read by what will be printed, so that
 * nothing else is. Outer queries come before what they read from.
 */
export function markUses(root: QueryNode, ctes: readonly CteNode[], readers: Readers): void {
  const visible = root.outputs.slice(0, root.visible).map((_, index) => index);
  markQuery(root, visible, readers);
  for (const cte of ctes.toReversed()) {
    markQuery(cte.query, wantedOf(cte.query), readers);
  }
}

function markQuery(query: QueryNode, wanted: readonly number[], readers: Readers): void {
  const { body } = query;
  for (const key of query.orderBy) {
    if ('expr' in key.by) {
      markExpr(key.by.expr, readers);
    } else if (body.kind === 'select') {
      markOutput(query, key.by.output, readers);
    }
  }
  if (body.kind === 'select') {
    for (const index of wanted) {
      markOutput(query, index, readers);
    }
    markSelect(body, readers);
    return;
  }
  const sources = wanted.map((index) => query.outputs[index]?.source);
  if (body.kind === 'query') {
    markQuery(
      body,
      sources.flatMap((s) => (s?.kind === 'inner' ? [s.index] : [])),
      readers,
    );
    return;
  }
  markQuery(
    body.left,
    sources.flatMap((s) => (s?.kind === 'arms' ? [s.left] : [])),
    readers,
  );
  markQuery(
    body.right,
    sources.flatMap((s) => (s?.kind === 'arms' ? [s.right] : [])),
    readers,
  );
}

function markOutput(query: QueryNode, index: number, readers: Readers): void {
  const source = query.outputs[index]?.source;
  if (source?.kind === 'expr') {
    markExpr(source.expr, readers);
  }
}

function markSelect(select: SelectNode, readers: Readers): void {
  const having = select.having === undefined ? [] : [select.having];
  for (const expr of [...select.where, ...select.groupBy, ...having]) {
    markExpr(expr, readers);
  }
  if (select.from !== undefined) {
    markConditions(select.from, readers);
    markRelations(select.from, readers);
  }
}

/** Conditions first: they read from relations that stand before and after them. */
function markConditions(from: FromNode, readers: Readers): void {
  if (from.kind === 'join') {
    if (from.on !== undefined) {
      markExpr(from.on, readers);
    }
    markConditions(from.left, readers);
    markConditions(from.right, readers);
  } else if (from.kind === 'unnest') {
    markExpr(from.array, readers);
  }
}

function markRelations(from: FromNode, readers: Readers): void {
  if (from.kind === 'join') {
    markRelations(from.left, readers);
    markRelations(from.right, readers);
  } else if (from.kind === 'derived') {
    markQuery(from.query, wantedOf(from.query), readers);
  }
}

function markExpr(expr: Expr, readers: Readers): void {
  if (expr.op === 'column') {
    readers.get(expr.column.relation)?.(expr.column.name);
    return;
  }
  if (expr.op === 'json') {
    markExpr(expr.document.text(), readers);
    return;
  }
  if ('query' in expr) {
    const { query } = expr;
    const visible = query.outputs.slice(0, query.visible).map((_, index) => index);
    markQuery(query, visible, readers);
  }
  for (const child of childrenOf(expr)) {
    markExpr(child, readers);
  }
}
