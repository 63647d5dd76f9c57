import {
  containsPath,
  containsSubquery,
  mapChildren,
  mapExpressions,
  mapInner,
  relationsOf,
} from '../ir/expr-walk.ts';
import type { Expr, Ir, Output, QueryNode, RelationNode, ScanNode } from '../ir/ir.ts';
import { Names } from '../ir/names.ts';
import { typeName } from '../ir/types.ts';
import { canCompute, isPathRead, type PathRead, slotsInstead } from './path-reads.ts';
import { withTextGuard } from './text-guard.ts';

/**
 * Has each path of JSON computed as near to the lake as it can be. A path of a scan is read from its slots. A
 * path of a JSON output becomes an output of its own of the query inside, and so on down to the scan. What
 * is left is read from the JSON text, in WHERE only of rows whose JSON has the text that is looked for.
 */
export function pushPaths(ir: Ir): Ir {
  const pusher = new PathPusher(ir);
  const root = pusher.query(ir.root, []);
  // What reads a CTE comes before it.
  const ctes = ir.ctes.toReversed().map((cte) => ({ ...cte, query: pusher.cte(cte.name) }));
  return { ...ir, root, ctes: ctes.reverse(), names: pusher.names.count };
}

/** An output that others ask a query for: what lies at a path of its output at `index`. */
interface AskedOutput {
  readonly name: string;
  readonly index: number;
  readonly read: PathRead;
}

/** A query, and what it is asked for by those who read it, by what tells one wish from another. */
interface AskedQuery {
  readonly query: QueryNode;
  readonly asked: Map<string, AskedOutput>;
}

class PathPusher {
  readonly names: Names;
  readonly #ctes: ReadonlyMap<string, AskedQuery>;
  readonly #scans: ReadonlyMap<string, ScanNode>;
  /** CTEs and derived tables by their aliases. */
  readonly #read = new Map<string, AskedQuery>();
  /** An expression stands in several places: an item is also what a query groups by. */
  readonly #pushed = new Map<Expr, Expr>();

  constructor(ir: Ir) {
    this.names = new Names(ir.names);
    this.#ctes = new Map(ir.ctes.map(({ name, query }) => [name, { query, asked: new Map() }]));
    this.#scans = new Map(ir.scans.map((scan) => [scan.alias, scan]));
  }

  cte(name: string): QueryNode {
    return this.#answer(this.#ctes.get(name));
  }

  query(query: QueryNode, asked: readonly AskedOutput[]): QueryNode {
    for (const relation of relationsOf(query)) this.#enter(relation);
    const outputs = [...query.outputs, ...asked.map((wish) => this.#output(query, wish))];
    const pushed = mapExpressions({ ...query, outputs }, (expr) => this.#expr(expr));
    return mapInner(guarded(pushed), (inner, alias) =>
      alias === undefined ? this.query(inner, asked) : this.#answer(this.#read.get(alias)),
    );
  }

  #enter(relation: RelationNode): void {
    const read =
      relation.kind === 'derived'
        ? { query: relation.query, asked: new Map<string, AskedOutput>() }
        : relation.kind === 'cte'
          ? this.#ctes.get(relation.cte)
          : undefined;
    if (read !== undefined) this.#read.set(relation.alias, read);
  }

  /** A query with what it was asked for. */
  #answer(read: AskedQuery | undefined): QueryNode {
    if (read === undefined) throw new Error('a query is known before it is asked for anything');
    return this.query(read.query, [...read.asked.values()]);
  }

  #output(query: QueryNode, { name, index, read }: AskedOutput): Output {
    const json = query.outputs[index]?.expr;
    const expr: Expr | undefined =
      json?.op === 'json'
        ? { ...read, text: json.text, path: [...json.path, ...read.path] }
        : undefined;
    return { label: name, name, type: read.type, node: undefined, expr };
  }

  #expr(expr: Expr): Expr {
    if (!containsPath(expr) && !containsSubquery(expr)) return expr;
    const known = this.#pushed.get(expr);
    if (known !== undefined) return known;
    const pushed =
      (isPathRead(expr) ? this.#instead(expr) : undefined) ??
      mapChildren(
        expr,
        (child) => this.#expr(child),
        (query) => this.query(query, []),
      );
    this.#pushed.set(expr, pushed);
    return pushed;
  }

  /** What a path is read from in place of the column's text, if there is anything. */
  #instead(read: PathRead): Expr | undefined {
    const { relation, name } = read.text.column;
    const scan = this.#scans.get(relation);
    if (scan !== undefined) return slotsInstead(read, scan);
    const inner = this.#read.get(relation);
    const index = inner?.query.outputs.findIndex((output) => output.name === name) ?? -1;
    if (inner === undefined || !canCompute(inner.query, index, read)) return undefined;
    const key = JSON.stringify([
      index,
      read.path,
      read.op === 'json_is_object',
      typeName(read.type),
    ]);
    const known = inner.asked.get(key);
    const asked = known ?? {
      name: this.names.fresh(String(read.path.at(-1) ?? 'value')),
      index,
      read,
    };
    inner.asked.set(key, asked);
    // JSON has no NaN.
    return {
      op: 'column',
      type: read.type,
      column: { relation, name: asked.name },
      neverNaN: true,
    };
  }
}

function guarded(query: QueryNode): QueryNode {
  const { body } = query;
  return body.kind === 'select'
    ? { ...query, body: { ...body, where: body.where.flatMap(withTextGuard) } }
    : query;
}
