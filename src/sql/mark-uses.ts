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
  const marker = new Marker(readers);
  marker.query(root, visibleOf(root));
  for (const cte of ctes.toReversed()) {
    marker.query(cte.query, wantedOf(cte.query));
  }
}

class Marker {
  readonly #readers: Readers;
  /** An expression stands in several places: an item is also what a query is ordered by. */
  readonly #marked = new Set<Expr>();

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  query(query: QueryNode, wanted: readonly number[]): void {
    const { body } = query;
    for (const key of query.orderBy) {
      if ('expr' in key.by) {
        this.#expr(key.by.expr);
      } else if (body.kind === 'select') {
        this.#output(query, key.by.output);
      }
    }
    if (body.kind === 'select') {
      for (const index of wanted) {
        this.#output(query, index);
      }
      this.#select(body);
      return;
    }
    const sources = wanted.map((index) => query.outputs[index]?.source);
    if (body.kind === 'query') {
      this.query(
        body,
        sources.flatMap((s) => (s?.kind === 'inner' ? [s.index] : [])),
      );
      return;
    }
    this.query(
      body.left,
      sources.flatMap((s) => (s?.kind === 'arms' ? [s.left] : [])),
    );
    this.query(
      body.right,
      sources.flatMap((s) => (s?.kind === 'arms' ? [s.right] : [])),
    );
  }

  #output(query: QueryNode, index: number): void {
    const source = query.outputs[index]?.source;
    if (source?.kind === 'expr') {
      this.#expr(source.expr);
    }
  }

  #select(select: SelectNode): void {
    const having = select.having === undefined ? [] : [select.having];
    for (const expr of [...select.where, ...select.groupBy, ...having]) {
      this.#expr(expr);
    }
    if (select.from !== undefined) {
      this.#conditions(select.from);
      this.#relations(select.from);
    }
  }

  /** Conditions first: they read from relations that stand before and after them. */
  #conditions(from: FromNode): void {
    if (from.kind === 'join') {
      if (from.on !== undefined) {
        this.#expr(from.on);
      }
      this.#conditions(from.left);
      this.#conditions(from.right);
    } else if (from.kind === 'unnest') {
      this.#expr(from.array);
    }
  }

  #relations(from: FromNode): void {
    if (from.kind === 'join') {
      this.#relations(from.left);
      this.#relations(from.right);
    } else if (from.kind === 'derived') {
      this.query(from.query, wantedOf(from.query));
    }
  }

  #expr(expr: Expr): void {
    if (this.#marked.has(expr)) {
      return;
    }
    this.#marked.add(expr);
    if (expr.op === 'column') {
      this.#readers.get(expr.column.relation)?.(expr.column.name);
      return;
    }
    if (expr.op === 'json') {
      this.#expr(expr.document.read(expr.path, expr.type));
      return;
    }
    if ('query' in expr) {
      this.query(expr.query, visibleOf(expr.query));
    }
    for (const child of childrenOf(expr)) {
      this.#expr(child);
    }
  }
}

function visibleOf(query: QueryNode): number[] {
  return query.outputs.slice(0, query.visible).map((_, index) => index);
}
