import {
  childrenOf,
  containsSubquery,
  containsWindow,
  expressionsOf,
  relationsOf,
} from '../ir/expr-walk.ts';
import {
  ALL_TIMES,
  type Expr,
  type Ir,
  type QueryNode,
  type RelationNode,
  type TimeRange,
} from '../ir/ir.ts';
import { type ColumnRange, columnRange, hull, intersection, rangesOf } from './time-bounds.ts';

/** Ranges in which the times of every row must lie, by `relation.column`. */
type Bounds = ReadonlyMap<string, TimeRange>;

/** The same by the index of an output. */
type OutputBounds = ReadonlyMap<number, TimeRange>;

const NO_BOUNDS: OutputBounds = new Map();

/**
 * Finds for each scan the event times that can matter, so that partitions of others are not read.
 * Bounds are conditions of WHERE (constants computed, so a bound that came as a parameter is one too);
 * they pass through CTEs and derived tables down to the scans, also out of the consumer's own WHERE.
 */
export function prunePartitions(ir: Ir): Ir {
  const finder = new BoundsFinder(ir);
  finder.query(ir.root, new Map());
  // What reads a CTE comes before it.
  for (const { name, query } of ir.ctes.toReversed()) {
    finder.query(query, common(finder.references.get(name) ?? []));
  }
  const scans = ir.scans.map((scan) => ({
    ...scan,
    times: finder.times.get(scan.alias) ?? ALL_TIMES,
  }));
  return { ...ir, scans };
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

class BoundsFinder {
  /** Event times of each scan that can matter, by its alias. */
  readonly times = new Map<string, TimeRange>();
  /** What holds at each place where a CTE is read, by its name. */
  readonly references = new Map<string, OutputBounds[]>();
  readonly #ctes: ReadonlyMap<string, QueryNode>;
  /** An expression stands in several places: an item is also what a query groups by. */
  readonly #visited = new Set<Expr>();

  constructor({ ctes }: Ir) {
    this.#ctes = new Map(ctes.map(({ name, query }) => [name, query]));
  }

  /** @param outer what conditions around the query ask of its outputs. */
  query(query: QueryNode, outer: OutputBounds): void {
    const { body, limit, offset } = query;
    // A LIMIT picks rows before the outer condition sees them: the condition must not move below it.
    const inside = limit === undefined && offset === undefined ? outer : NO_BOUNDS;
    switch (body.kind) {
      case 'query':
        this.query(body, inside);
        return;
      case 'set':
        this.query(body.left, inside);
        this.query(body.right, inside);
        return;
      case 'select': {
        const bounds = boundsIn(query, body.where, inside);
        for (const relation of relationsOf(query)) this.#relation(relation, bounds);
        for (const expr of expressionsOf(query)) this.#subqueries(expr);
      }
    }
  }

  #relation(relation: RelationNode, bounds: Bounds): void {
    const { alias } = relation;
    switch (relation.kind) {
      case 'scan':
        this.times.set(alias, bounds.get(`${alias}.timestamp_us`) ?? ALL_TIMES);
        return;
      case 'cte': {
        const query = this.#ctes.get(relation.cte);
        const here = query === undefined ? NO_BOUNDS : outputBounds(alias, query, bounds);
        const others = this.references.get(relation.cte) ?? [];
        this.references.set(relation.cte, [...others, here]);
        return;
      }
      case 'derived':
        this.query(relation.query, outputBounds(alias, relation.query, bounds));
        return;
      case 'unnest':
    }
  }

  /** Subqueries stand on their own: no condition around them says anything about their rows. */
  #subqueries(expr: Expr): void {
    if (this.#visited.has(expr) || !containsSubquery(expr)) return;
    this.#visited.add(expr);
    if ('query' in expr) this.query(expr.query, NO_BOUNDS);
    for (const child of childrenOf(expr)) this.#subqueries(child);
  }
}

/** What the conditions of a SELECT, and those around it, ask of the columns that it reads. */
function boundsIn(query: QueryNode, where: readonly Expr[], outer: OutputBounds): Bounds {
  const bounds = new Map<string, TimeRange>();
  const narrow = ({ column, range }: ColumnRange): void => {
    bounds.set(column, intersection(range, bounds.get(column) ?? ALL_TIMES));
  };
  where.flatMap(rangesOf).forEach(narrow);
  // A window function sees the rows that a condition around the query leaves out.
  const windowed = query.outputs.some(({ expr }) => expr !== undefined && containsWindow(expr));
  for (const [index, range] of windowed ? [] : outer) {
    const expr = query.outputs[index]?.expr;
    const found = expr && columnRange(expr, range);
    if (found !== undefined) narrow(found);
  }
  return bounds;
}

function outputBounds(alias: string, { outputs }: QueryNode, bounds: Bounds): OutputBounds {
  return new Map(
    outputs.flatMap(({ name }, index) => {
      const range = bounds.get(`${alias}.${name}`);
      return range === undefined ? [] : [[index, range] as const];
    }),
  );
}
