import { mapChildren, mapExpressions, mapInner, relationsOf } from '../ir/expr-walk.ts';
import type { Expr, Ir, OrderKey, Output, QueryNode } from '../ir/ir.ts';

/**
 * Leaves out the outputs of CTEs and derived tables that nothing reads, and says of each scan which columns
 * are read.
 */
export function keepLiveColumns(ir: Ir): Ir {
  const liveness = new Liveness(ir);
  const root = liveness.query(ir.root, allOf(ir.root));
  // What reads a CTE comes before it.
  const ctes = ir.ctes.toReversed().map((cte) => ({
    ...cte,
    query: liveness.readQuery(cte.query, liveness.ofCte(cte.name)),
  }));
  const scans = ir.scans.map((scan) => ({ ...scan, columns: [...liveness.of(scan.alias)] }));
  return { ...ir, root, ctes: ctes.reverse(), scans };
}

type Names = ReadonlySet<string>;

const NOTHING: Names = new Set();

class Liveness {
  /** Columns that are read, by the alias of what they are read from. */
  readonly #reads = new Map<string, Set<string>>();
  readonly #aliases = new Map<string, string[]>();
  /** An expression stands in several places: an item is also what a query is ordered by. */
  readonly #seen = new Map<Expr, Expr>();

  constructor(ir: Ir) {
    for (const { name } of ir.ctes) this.#aliases.set(name, []);
  }

  of(alias: string): Names {
    return this.#reads.get(alias) ?? NOTHING;
  }

  /** Outputs of a CTE that any of its readers reads. */
  ofCte(name: string): Names {
    return new Set((this.#aliases.get(name) ?? []).flatMap((alias) => [...this.of(alias)]));
  }

  /** A query of which others read the outputs of these names. */
  readQuery(query: QueryNode, names: Names): QueryNode {
    if (!canLeaveOut(query)) return this.query(query, allOf(query));
    const live = allOf(query).filter((index) => names.has(query.outputs[index]?.name ?? ''));
    // A set operation needs a column even where only its rows are counted.
    return this.query(query, live.length === 0 && query.body.kind !== 'select' ? [0] : live);
  }

  /** @param live indexes of the outputs that stay, in order; in parentheses and arms they are the same. */
  query(query: QueryNode, live: readonly number[]): QueryNode {
    const kept: QueryNode = {
      ...query,
      outputs: live.flatMap((index) => query.outputs[index] ?? []),
      orderBy: query.orderBy.flatMap((key) => keptKey(key, query.outputs, live) ?? []),
    };
    const read = mapExpressions(kept, (expr) => this.#expr(expr));
    for (const relation of relationsOf(read)) {
      if (relation.kind === 'cte') this.#aliases.get(relation.cte)?.push(relation.alias);
    }
    return mapInner(read, (inner, alias) =>
      alias === undefined ? this.query(inner, live) : this.readQuery(inner, this.of(alias)),
    );
  }

  #expr(expr: Expr): Expr {
    if (expr.op === 'const') return expr;
    if (expr.op === 'column') {
      const { relation, name } = expr.column;
      this.#reads.set(relation, (this.#reads.get(relation) ?? new Set()).add(name));
      return expr;
    }
    const known = this.#seen.get(expr);
    if (known !== undefined) return known;
    // EXISTS asks for rows only.
    const subquery = (query: QueryNode): QueryNode =>
      expr.op === 'exists' ? this.readQuery(query, NOTHING) : this.query(query, allOf(query));
    const kept = mapChildren(expr, (child) => this.#expr(child), subquery);
    this.#seen.set(expr, kept);
    return kept;
  }
}

function allOf(query: QueryNode): number[] {
  return query.outputs.map((_, index) => index);
}

/** A key of ORDER BY that names an output: by the place that this has now, or by its expression. */
function keptKey(
  key: OrderKey,
  outputs: readonly Output[],
  live: readonly number[],
): OrderKey | undefined {
  if ('expr' in key.by) return key;
  const output = live.indexOf(key.by.output);
  if (output !== -1) return { ...key, by: { output } };
  const expr = outputs[key.by.output]?.expr;
  // Of a set operation none is left out where a LIMIT depends on the order, which else says nothing.
  return expr === undefined || expr.op === 'const' ? undefined : { ...key, by: { expr } };
}

/** Leaving out an output changes the rows of DISTINCT and of set operations other than UNION ALL. */
function canLeaveOut({ body, limit, offset, orderBy }: QueryNode): boolean {
  if (body.kind === 'select') return !body.distinct;
  const cut = limit !== undefined || (offset ?? 0) > 0;
  if (cut && orderBy.length > 0) return false;
  if (body.kind === 'query') return canLeaveOut(body);
  return (
    body.operation === 'union' && body.all && canLeaveOut(body.left) && canLeaveOut(body.right)
  );
}
