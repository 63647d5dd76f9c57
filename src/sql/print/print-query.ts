import { SqlError } from '../common/sql-error.ts';
import { relationsOf } from '../ir/expr-walk.ts';
import type {
  Expr,
  FromNode,
  JoinNode,
  OrderKey,
  Output,
  QueryNode,
  ScanNode,
  SelectNode,
  SetNode,
} from '../ir/ir.ts';
import { isNeverNaN, outputIsNeverNaN } from '../ir/never-nan.ts';
import type { Dialect } from './dialect.ts';
import { printOrderKey } from './nan.ts';
import { direction, ExprPrinter } from './print-expr.ts';
import { type LakeTables, printScan } from './print-scan.ts';
import { TextBudget } from './text-budget.ts';

export interface PrintOptions {
  readonly dialect: Dialect;
  readonly lake: LakeTables;
  readonly scans: readonly ScanNode[];
}

/** DuckDB plans such queries in a time that is exponential in the depth: 8 with joins take it 0.2 s, 16 hours. */
const MAX_SUBQUERY_DEPTH = 8;

/** Prints queries for one engine. */
export class QueryPrinter {
  readonly #options: PrintOptions;
  readonly #budget: TextBudget;
  /** Subqueries of expressions that what is printed lies in. */
  #depth = 0;
  readonly expressions: ExprPrinter;

  constructor(options: PrintOptions) {
    this.#options = options;
    this.#budget = new TextBudget(options.dialect.target);
    this.expressions = new ExprPrinter(options.dialect, this.#budget, (query) =>
      this.#subquery(query),
    );
  }

  /** @throws SqlError `sql_too_large` for one that lies too deep in others. */
  #subquery(query: QueryNode): string {
    this.#depth += 1;
    if (this.#depth > MAX_SUBQUERY_DEPTH) {
      const message = `Subqueries stand in the expressions of each other more than ${MAX_SUBQUERY_DEPTH} levels deep: compute the inner ones in a WITH clause`;
      throw new SqlError('sql_too_large', message);
    }
    const text = this.query(query);
    this.#depth -= 1;
    return text;
  }

  /** @throws SqlError `sql_too_large` as soon as all that was printed is longer than the engines take. */
  query(query: QueryNode, encode: OutputEncoding = asIs): string {
    const { held } = this.#budget;
    const relations = relationsOf(query).map(({ alias }) => alias);
    const text = this.expressions.within(relations, () => this.#query(query, encode));
    return this.#budget.hold(held, text);
  }

  #query(query: QueryNode, encode: OutputEncoding): string {
    const { body } = query;
    // Conversions for the answer go around a set operation: its arms must keep their types.
    if ((body.kind !== 'select' && encode !== asIs) || sortsNaNApart(query)) {
      return this.#encoded(query, encode);
    }
    const order = query.orderBy.map((key) => this.#orderKey(key, query, encode));
    return [this.#body(query, encode), ...tail(query, order)].join(' ');
  }

  #body({ body, outputs }: QueryNode, encode: OutputEncoding): string {
    switch (body.kind) {
      case 'select':
        return this.#select(body, outputs, encode);
      case 'set':
        return this.#set(body, outputs);
      case 'query':
        return `(${this.query(body)})`;
    }
  }

  #select(select: SelectNode, outputs: readonly Output[], encode: OutputEncoding): string {
    const items = outputs.map(({ name, expr }) => {
      if (expr === undefined) throw new Error('an item of a SELECT list is an expression');
      return `${encode(expr, this.expressions)} AS ${name}`;
    });
    const parts = [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items.length === 0 ? '1 AS one' : items.join(', ')}`,
    ];
    if (select.from !== undefined) parts.push(`FROM ${this.#from(select.from)}`);
    if (select.where.length > 0) {
      parts.push(
        `WHERE ${select.where.map((condition) => this.expressions.print(condition)).join(' AND ')}`,
      );
    }
    if (select.groupBy.length > 0) {
      parts.push(`GROUP BY ${select.groupBy.map((key) => this.expressions.print(key)).join(', ')}`);
    }
    if (select.aggregated && select.groupBy.length === 0) {
      // One row, also where no aggregate says so.
      parts.push('GROUP BY ()');
    }
    if (select.having !== undefined) parts.push(`HAVING ${this.expressions.print(select.having)}`);
    return parts.join(' ');
  }

  #set({ left, right, operation, all }: SetNode, outputs: readonly Output[]): string {
    const names = outputs.map(({ name }, i) => `c${i} AS ${name}`);
    const columns = outputs.map((_, i) => `c${i}`).join(', ');
    const word = `${operation.toUpperCase()}${all ? ' ALL' : ' DISTINCT'}`;
    return `SELECT ${names.join(', ')} FROM (SELECT * FROM (${this.query(left)}) AS l(${columns}) ${word} SELECT * FROM (${this.query(right)}) AS r(${columns})) AS s`;
  }

  #encoded(query: QueryNode, encode: OutputEncoding): string {
    const inner = this.query({ ...query, orderBy: [], limit: undefined, offset: undefined });
    const items = query.outputs.map(({ name, type }) => {
      const expr: Expr = { op: 'column', type, column: { relation: 'q', name } };
      return `${encode(expr, this.expressions)} AS ${encode === asIs ? name : `${name}_out`}`;
    });
    const order = query.orderBy.map(({ by, descending, nullsFirst }) => {
      const index = 'output' in by ? by.output : -1;
      return printOrderKey(
        this.#options.dialect.target,
        `q.${query.outputs[index]?.name}`,
        direction(descending, nullsFirst),
        outputIsNeverNaN(query, index),
      );
    });
    return [`SELECT ${items.join(', ')} FROM (${inner}) AS q`, ...tail(query, order)].join(' ');
  }

  #orderKey(
    { by, descending, nullsFirst }: OrderKey,
    query: QueryNode,
    encode: OutputEncoding,
  ): string {
    const { target } = this.#options.dialect;
    const suffix = direction(descending, nullsFirst);
    if ('expr' in by) return this.expressions.orderKey(by.expr, suffix);
    const { output } = by;
    const { body } = query;
    // The expression, not the place, where what is printed for an answer may be a text form of it.
    const expr = body.kind === 'select' && !body.distinct ? query.outputs[output]?.expr : undefined;
    const placed = encode === asIs && expr !== undefined && isNeverNaN(expr);
    if (expr !== undefined && expr.op !== 'const' && !placed) {
      return this.expressions.orderKey(expr, suffix);
    }
    return body.kind === 'set'
      ? printOrderKey(target, `s.c${output}`, suffix, outputIsNeverNaN(query, output))
      : `${output + 1}${suffix}`;
  }

  #from(node: FromNode): string {
    switch (node.kind) {
      case 'scan':
        return this.#scan(node.alias);
      case 'cte':
        return `${node.cte} AS ${node.alias}`;
      case 'derived':
        return `(${this.query(node.query)}) AS ${node.alias}`;
      case 'unnest':
        return this.#options.dialect.unnest(
          // To DuckDB all that it reads is of an outer query.
          this.expressions.within([], () => this.expressions.print(node.array)),
          node.alias,
          node.column,
          node.offset,
        );
      case 'join':
        return this.#join(node);
    }
  }

  #join(node: JoinNode): string {
    const left = this.#from(node.left);
    const right = this.#rightSide(node);
    if (node.join === 'cross' || (node.join === 'inner' && node.on === undefined)) {
      return `${left} CROSS JOIN ${right}`;
    }
    const on = node.on === undefined ? 'TRUE' : this.expressions.print(node.on);
    return `${left} ${node.join.toUpperCase()} JOIN ${right} ON ${on}`;
  }

  #rightSide({ join, right }: JoinNode): string {
    const printed = this.#from(right);
    // Trino joins UNNEST to what stands left of it only as CROSS and LEFT JOIN do.
    if (right.kind === 'unnest' && (join === 'right' || join === 'full')) {
      return `(SELECT * FROM ${printed}) AS ${right.alias}`;
    }
    return right.kind === 'join' ? `(${printed})` : printed;
  }

  #scan(alias: string): string {
    const scan = this.#options.scans.find((each) => each.alias === alias);
    if (scan === undefined) throw new Error(`the statement has no scan ${alias}`);
    return printScan(scan, this.#options.lake, this.#options.dialect);
  }
}

/** Whether an ORDER BY that can only name places would have to place NaN. */
function sortsNaNApart(query: QueryNode): boolean {
  const { body } = query;
  const places = body.kind === 'query' || (body.kind === 'select' && body.distinct);
  return (
    places && query.orderBy.some(({ by }) => 'output' in by && !outputIsNeverNaN(query, by.output))
  );
}

/** How an output expression is printed: as it is, or in the form in which answers carry it. */
export type OutputEncoding = (expr: Expr, printer: ExprPrinter) => string;

const asIs: OutputEncoding = (expr, printer) => printer.print(expr);

/** What stands behind a query: its order, given as printed keys, and which rows of it. */
function tail({ limit, offset }: QueryNode, order: readonly string[]): string[] {
  return [
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    // Trino has OFFSET before LIMIT, DuckDB takes either order.
    ...(offset !== undefined && offset > 0 ? [`OFFSET ${offset}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ];
}
