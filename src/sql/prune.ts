import { containsWindow } from './bind/grouping.ts';
import { childrenOf } from './children.ts';
import {
  ALL_TIMES,
  type ColumnRange,
  columnRange,
  hull,
  intersection,
  rangesOf,
} from './time-range.ts';
import type { CteNode, Expr, FromNode, QueryNode, SelectNode, TimeRange } from './tree.ts';

/** Ranges in which the times of every row must lie, by `relation.column`. */
type Bounds = ReadonlyMap<string, TimeRange>;

/** The same by the index of an output. */
type OutputBounds = ReadonlyMap<number, TimeRange>;

/**
 * Finds for each scan the event times that can matter, so that partitions of others are not read.
 * Bounds are conditions of WHERE (constants computed, so a bound that came as a parameter is one too);
 * they pass through CTEs and derived tables down to the scans, also out of the consumer's own WHERE.
 */
export function pruneScans(root: QueryNode, ctes: readonly CteNode[]): void {
  const references = new Map<CteNode, OutputBounds[]>();
  const visitor = new Pruner(references);
  visitor.query(root, new Map());
  for (const cte of ctes.toReversed()) {
    visitor.query(cte.query, common(references.get(cte) ?? []));
  }
}

/** What holds at every reference: for each output the range that holds all of theirs. */
function common(references: readonly OutputBounds[]): OutputBounds {
  const [first, ...others] = references;
  const shared = new Map<number, TimeRange>();
  for (const [output, range] of first ?? []) {
    const ranges = others.map((other) => other.get(output) ?? ALL_TIMES);
    shared.set(output, ranges.reduce(hull, range));
  }
  return shared;
}

class Pruner {
  readonly #references: Map<CteNode, OutputBounds[]>;
  readonly #visited = new Set<Expr>();

  constructor(references: Map<CteNode, OutputBounds[]>) {
    this.#references = references;
  }

  query(query: QueryNode, outer: OutputBounds): void {
    // A LIMIT picks rows before the outer condition sees them: the condition must not move below it.
    const limited = query.limit !== undefined || query.offset !== undefined;
    const bounds: OutputBounds = limited ? new Map() : outer;
    const { body } = query;
    if (body.kind === 'select') {
      this.#select(body, query, bounds);
      return;
    }
    const inner = body.kind === 'query' ? [body] : [body.left, body.right];
    inner.forEach((arm, side) => {
      const mapped = new Map<number, TimeRange>();
      for (const [output, range] of bounds) {
        const index = innerIndex(query, output, side);
        if (index !== undefined) {
          // Two outputs may come from one: both ranges hold for it.
          mapped.set(index, intersection(range, mapped.get(index) ?? ALL_TIMES));
        }
      }
      this.query(arm, mapped);
    });
  }

  #select(select: SelectNode, query: QueryNode, outer: OutputBounds): void {
    const bounds = new Map<string, TimeRange>();
    const narrow = ({ column, range }: ColumnRange): void => {
      bounds.set(column, intersection(range, bounds.get(column) ?? ALL_TIMES));
    };
    select.where.flatMap(rangesOf).forEach(narrow);
    const windowed = query.outputs.some(
      (output) => output.source.kind === 'expr' && containsWindow(output.source.expr),
    );
    for (const [output, range] of windowed ? [] : outer) {
      const source = query.outputs[output]?.source;
      const found = source?.kind === 'expr' ? columnRange(source.expr, range) : undefined;
      if (found !== undefined) {
        narrow(found);
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
        node.source.times = bounds.get(`${node.source.alias}.timestamp_us`) ?? ALL_TIMES;
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
    // One expression may stand in several places, such as an item that is also grouped by.
    if (this.#visited.has(expr)) {
      return;
    }
    this.#visited.add(expr);
    if ('query' in expr) {
      this.query(expr.query, new Map());
    }
    for (const child of childrenOf(expr)) {
      this.#subqueries(child);
    }
  }
}

function outputBounds(alias: string, query: QueryNode, bounds: Bounds): OutputBounds {
  const found = new Map<number, TimeRange>();
  query.outputs.forEach((output, index) => {
    const range = bounds.get(`${alias}.${output.name}`);
    if (range !== undefined) {
      found.set(index, range);
    }
  });
  return found;
}

/** The output of an inner query, or of one arm of a set operation, that an output comes from. */
function innerIndex(query: QueryNode, output: number, side: number): number | undefined {
  const source = query.outputs[output]?.source;
  switch (source?.kind) {
    case 'inner':
      return source.index;
    case 'arms':
      return side === 0 ? source.left : source.right;
    default:
      return undefined;
  }
}

function expressionsOf(select: SelectNode, query: QueryNode): Expr[] {
  return [
    ...select.where,
    ...select.groupBy,
    ...(select.having === undefined ? [] : [select.having]),
    ...query.outputs.flatMap((o) => (o.source.kind === 'expr' ? [o.source.expr] : [])),
    ...query.orderBy.flatMap((key) => ('expr' in key.by ? [key.by.expr] : [])),
  ];
}
