import { containsWindow } from './bind/grouping.ts';
import { conjuncts } from './build.ts';
import { childrenOf } from './children.ts';
import type { CteNode, Expr, FromNode, QueryNode, SelectNode } from './tree.ts';

/** Lower bounds, microseconds, that every row must satisfy, by `relation.column`. */
type Bounds = ReadonlyMap<string, number>;

/**
 * Finds for each scan the lowest event time that can matter, so that older partitions are not read.
 * Bounds are conditions of WHERE (constants computed, so a bound that came as a parameter is one too);
 * they pass through CTEs and derived tables down to the scans, also out of the consumer's own WHERE.
 *
 * Upper bounds prune nothing: an event may arrive months after its time (design of the lake).
 */
export function pruneScans(root: QueryNode, ctes: readonly CteNode[]): void {
  const references = new Map<CteNode, (Map<number, number> | undefined)[]>();
  const visitor = new Pruner(references);
  visitor.query(root, new Map());
  for (const cte of ctes.toReversed()) {
    visitor.query(cte.query, common(references.get(cte) ?? []));
  }
}

/** What holds at every reference: for each output the lowest of their bounds. */
function common(references: readonly (Map<number, number> | undefined)[]): Map<number, number> {
  const [first, ...others] = references;
  const shared = new Map<number, number>();
  for (const [output, bound] of first ?? []) {
    const bounds = others.map((other) => other?.get(output));
    if (bounds.every((b) => b !== undefined)) {
      shared.set(output, Math.min(bound, ...bounds));
    }
  }
  return shared;
}

class Pruner {
  readonly #references: Map<CteNode, (Map<number, number> | undefined)[]>;

  constructor(references: Map<CteNode, (Map<number, number> | undefined)[]>) {
    this.#references = references;
  }

  query(query: QueryNode, outer: ReadonlyMap<number, number>): void {
    // A LIMIT picks rows before the outer condition sees them: the condition must not move below it.
    const limited = query.limit !== undefined || query.offset !== undefined;
    const bounds = limited ? new Map<number, number>() : outer;
    const { body } = query;
    if (body.kind === 'select') {
      this.#select(body, query, bounds);
      return;
    }
    const inner = body.kind === 'query' ? [body] : [body.left, body.right];
    inner.forEach((arm, side) => {
      const mapped = new Map<number, number>();
      for (const [output, bound] of bounds) {
        const source = query.outputs[output]?.source;
        if (source?.kind === 'inner') {
          mapped.set(source.index, bound);
        } else if (source?.kind === 'arms') {
          mapped.set(side === 0 ? source.left : source.right, bound);
        }
      }
      this.query(arm, mapped);
    });
  }

  #select(select: SelectNode, query: QueryNode, outer: ReadonlyMap<number, number>): void {
    const bounds = new Map<string, number>();
    const raise = (column: string, bound: number): void => {
      bounds.set(column, Math.max(bound, bounds.get(column) ?? Number.NEGATIVE_INFINITY));
    };
    for (const condition of select.where) {
      for (const { column, bound } of lowerBounds(condition)) {
        raise(column, bound);
      }
    }
    const windowed = query.outputs.some(
      (output) => output.source.kind === 'expr' && containsWindow(output.source.expr),
    );
    for (const [output, bound] of windowed ? [] : outer) {
      const source = query.outputs[output]?.source;
      const time = source?.kind === 'expr' ? timeColumn(source.expr) : undefined;
      if (time !== undefined) {
        raise(time.column, bound - time.ahead);
      }
    }
    if (select.from !== undefined) {
      this.#from(select.from, bounds);
    }
    for (const expr of expressionsOf(select, query)) {
      this.#subqueries(expr);
    }
  }

  #from(node: FromNode, bounds: Bounds): void {
    switch (node.kind) {
      case 'source':
        node.source.lowerBoundUs = bounds.get(`${node.source.alias}.timestamp_us`);
        return;
      case 'cte': {
        const found = this.#references.get(node.cte) ?? [];
        found.push(outputBounds(node.alias, node.cte.query, bounds));
        this.#references.set(node.cte, found);
        return;
      }
      case 'derived':
        this.query(node.query, outputBounds(node.alias, node.query, bounds));
        return;
      case 'unnest':
        this.#subqueries(node.array);
        return;
      case 'join':
        this.#from(node.left, bounds);
        this.#from(node.right, bounds);
        if (node.on !== undefined) {
          this.#subqueries(node.on);
        }
    }
  }

  /** Subqueries stand on their own: no condition around them says anything about their rows. */
  #subqueries(expr: Expr): void {
    if ('query' in expr) {
      this.query(expr.query, new Map());
    }
    for (const child of childrenOf(expr)) {
      this.#subqueries(child);
    }
  }
}

function outputBounds(alias: string, query: QueryNode, bounds: Bounds): Map<number, number> {
  const found = new Map<number, number>();
  query.outputs.forEach((output, index) => {
    const bound = bounds.get(`${alias}.${output.name}`);
    if (bound !== undefined) {
      found.set(index, bound);
    }
  });
  return found;
}

/** `time > constant` in its spellings, also inside a conjunction. */
function lowerBounds(condition: Expr): { column: string; bound: number }[] {
  return conjuncts(condition).flatMap((expr) => {
    if (expr.op !== 'compare') {
      return [];
    }
    const { comparison, left, right } = expr;
    const time = timeColumn(left);
    if (time !== undefined && ['>', '>=', '='].includes(comparison)) {
      return microseconds(right).map((us) => ({ column: time.column, bound: us - time.ahead }));
    }
    const mirrored = timeColumn(right);
    return mirrored !== undefined && ['<', '<=', '='].includes(comparison)
      ? microseconds(left).map((us) => ({ column: mirrored.column, bound: us - mirrored.ahead }))
      : [];
  });
}

function microseconds(expr: Expr): number[] {
  return expr.op === 'const' && typeof expr.value === 'bigint' ? [Number(expr.value)] : [];
}

interface TimeColumn {
  readonly column: string;
  /** How much later than the column the time can be, microseconds. */
  readonly ahead: number;
}

/** No clock was ever ahead of UTC by more than 16 hours, and none has skipped more than a day. */
const ZONE_AHEAD_US = 86_400_000_000;

/**
 * The column that a time is read from. Truncation lowers a time, but that a zone's clocks can skip the
 * start of a day; so its bounds hold below it.
 */
function timeColumn(expr: Expr): TimeColumn | undefined {
  if (expr.op === 'column' && (expr.type.kind === 'timestamp' || expr.type.kind === 'datetime')) {
    return { column: `${expr.column.relation}.${expr.column.name}`, ahead: 0 };
  }
  const [arg] = expr.op === 'call' ? expr.args : [];
  if (expr.op === 'call' && arg !== undefined && Object.hasOwn(AHEAD, expr.fn.name)) {
    const inner = timeColumn(arg);
    return inner && { ...inner, ahead: inner.ahead + (AHEAD[expr.fn.name] ?? 0) };
  }
  return expr.op === 'cast' && expr.type.kind === 'datetime' ? timeColumn(expr.arg) : undefined;
}

/** How much later than their argument the results of functions can be, microseconds. */
const AHEAD: Readonly<Record<string, number>> = {
  timestamp_trunc: 0,
  timestamp_trunc_in_zone: ZONE_AHEAD_US,
  civil_in_zone: ZONE_AHEAD_US,
};

function expressionsOf(select: SelectNode, query: QueryNode): Expr[] {
  return [
    ...select.where,
    ...select.groupBy,
    ...(select.having === undefined ? [] : [select.having]),
    ...query.outputs.flatMap((o) => (o.source.kind === 'expr' ? [o.source.expr] : [])),
    ...query.orderBy.flatMap((key) => ('expr' in key.by ? [key.by.expr] : [])),
  ];
}
