import { SqlError } from '../error.ts';
import { isNeverNaN, outputIsNeverNaN } from '../never-nan.ts';
import type {
  Expr,
  FromNode,
  OrderKey,
  QueryNode,
  SelectItem,
  SelectNode,
  SetNode,
} from '../tree.ts';
import type { Dialect } from './dialect.ts';
import { printOrderKey } from './nan.ts';
import { direction, ExprPrinter } from './print-expr.ts';
import { type LakeTables, printScan } from './print-scan.ts';
import { TextBudget } from './text-budget.ts';

export interface PrintOptions {
  readonly dialect: Dialect;
  readonly lake: LakeTables;
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
    this.expressions = new ExprPrinter(options.dialect, this.#budget, (query, exists) =>
      this.#subquery(query, exists),
    );
  }

  /** @throws SqlError `sql_too_large` for one that lies too deep in others. */
  #subquery(query: QueryNode, exists: boolean): string {
    this.#depth += 1;
    if (this.#depth > MAX_SUBQUERY_DEPTH) {
      throw new SqlError(
        'sql_too_large',
        `Subqueries stand in the expressions of each other more than ${MAX_SUBQUERY_DEPTH} levels deep: compute the inner ones in a WITH clause`,
      );
    }
    const text = exists ? this.#exists(query) : this.query(query, allOf(query));
    this.#depth -= 1;
    return text;
  }

  /**
   * `wanted` are the outputs to print, by index and in order.
   *
   * @throws SqlError `sql_too_large` as soon as all that was printed is longer than the engines take.
   */
  query(query: QueryNode, wanted: readonly number[], finish: Finish = asIs): string {
    const { held } = this.#budget;
    const relations = query.body.kind === 'select' ? relationsOf(query.body.from) : [];
    const text = this.expressions.within(relations, () => this.#query(query, wanted, finish));
    return this.#budget.hold(held, text);
  }

  #query(query: QueryNode, wanted: readonly number[], finish: Finish): string {
    const { body } = query;
    const parts: string[] = [];
    // Conversions for the answer go around a set operation: its arms must keep their types.
    if ((body.kind !== 'select' && finish !== asIs) || sortsNaNApart(query)) {
      return this.#finished(query, wanted, finish);
    }
    if (body.kind === 'select') {
      parts.push(this.#select(body, query.outputs, wanted, finish));
    } else if (body.kind === 'set') {
      parts.push(this.#set(body, query.outputs, wanted));
    } else {
      parts.push(
        `(${this.query(
          body,
          wanted.map((index) => innerIndex(query.outputs[index])),
        )})`,
      );
    }
    const order = this.#orderBy(query, wanted, finish);
    if (order !== '') {
      parts.push(`ORDER BY ${order}`);
    }
    // Trino has OFFSET before LIMIT, DuckDB takes either order.
    if (query.offset !== undefined && query.offset > 0) {
      parts.push(`OFFSET ${query.offset}`);
    }
    if (query.limit !== undefined) {
      parts.push(`LIMIT ${query.limit}`);
    }
    return parts.join(' ');
  }

  #select(
    select: SelectNode,
    outputs: readonly SelectItem[],
    wanted: readonly number[],
    finish: Finish,
  ): string {
    const items = wanted.map((index) => {
      const item = outputs[index];
      if (item?.source.kind !== 'expr') {
        throw new Error('an item of a SELECT list is an expression');
      }
      return `${finish(item.source.expr, this.expressions)} AS ${item.name}`;
    });
    const parts = [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items.length === 0 ? '1 AS one' : items.join(', ')}`,
    ];
    if (select.from !== undefined) {
      parts.push(`FROM ${this.#from(select.from)}`);
    }
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
    if (select.having !== undefined) {
      parts.push(`HAVING ${this.expressions.print(select.having)}`);
    }
    return parts.join(' ');
  }

  #set(set: SetNode, outputs: readonly SelectItem[], wanted: readonly number[]): string {
    const arms = wanted.map((index) => {
      const source = outputs[index]?.source;
      if (source?.kind !== 'arms') {
        throw new Error('an output of a set operation comes from both arms');
      }
      return source;
    });
    const left = this.query(
      set.left,
      arms.map((arm) => arm.left),
    );
    const right = this.query(
      set.right,
      arms.map((arm) => arm.right),
    );
    const names = wanted.map((index, i) => `c${i} AS ${outputs[index]?.name}`);
    const columns = wanted.map((_, i) => `c${i}`).join(', ');
    const operation = `${set.operation.toUpperCase()}${set.all ? ' ALL' : ' DISTINCT'}`;
    return `SELECT ${names.join(', ')} FROM (SELECT * FROM (${left}) AS l(${columns}) ${operation} SELECT * FROM (${right}) AS r(${columns})) AS s`;
  }

  #finished(query: QueryNode, wanted: readonly number[], finish: Finish): string {
    const inner = this.query(
      { ...query, orderBy: [], limit: undefined, offset: undefined },
      wanted,
    );
    const items = wanted.map((index) => {
      const output = query.outputs[index];
      if (output === undefined) {
        throw new Error(`a query has no output ${index}`);
      }
      const expr: Expr = {
        op: 'column',
        type: output.type,
        column: { relation: 'q', name: output.name },
      };
      const name = finish === asIs ? output.name : `${output.name}_out`;
      return `${finish(expr, this.expressions)} AS ${name}`;
    });
    const order = query.orderBy.map((key) => {
      const output = 'output' in key.by ? query.outputs[key.by.output] : undefined;
      const suffix = direction(key.descending, key.nullsFirst);
      const neverNaN = 'output' in key.by && outputIsNeverNaN(query, key.by.output);
      return printOrderKey(this.#options.dialect.target, `q.${output?.name}`, suffix, neverNaN);
    });
    const tail = [
      ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
      ...(query.offset !== undefined && query.offset > 0 ? [`OFFSET ${query.offset}`] : []),
      ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
    ];
    return [`SELECT ${items.join(', ')} FROM (${inner}) AS q`, ...tail].join(' ');
  }

  #orderBy(query: QueryNode, wanted: readonly number[], finish: Finish): string {
    return query.orderBy
      .flatMap((key) => this.#orderKey(key, query, wanted, finish) ?? [])
      .join(', ');
  }

  #orderKey(
    key: OrderKey,
    query: QueryNode,
    wanted: readonly number[],
    finish: Finish,
  ): string | undefined {
    const { target } = this.#options.dialect;
    const suffix = direction(key.descending, key.nullsFirst);
    if ('expr' in key.by) {
      return this.expressions.orderKey(key.by.expr, suffix);
    }
    const { output } = key.by;
    const item = query.outputs[output];
    const place = wanted.indexOf(output);
    // The expression, not the place, where what is printed for an answer may be a text form of it.
    const ofSelect = query.body.kind === 'select' && !query.body.distinct;
    const expr = ofSelect && item?.source.kind === 'expr' ? item.source.expr : undefined;
    const placed = finish === asIs && place >= 0 && expr !== undefined && isNeverNaN(expr);
    if (expr !== undefined && expr.op !== 'const' && !placed) {
      return this.expressions.orderKey(expr, suffix);
    }
    if (place === -1) {
      // Left out where no LIMIT depends on the order, which then says nothing.
      return undefined;
    }
    return query.body.kind === 'set'
      ? printOrderKey(target, `s.c${place}`, suffix, outputIsNeverNaN(query, output))
      : `${place + 1}${suffix}`;
  }

  #from(node: FromNode): string {
    switch (node.kind) {
      case 'source':
        return printScan(node.source, this.#options.lake, this.#options.dialect);
      case 'cte':
        return `${node.cte.name} AS ${node.alias}`;
      case 'derived':
        return `(${this.query(node.query, wantedOf(node.query))}) AS ${node.alias}`;
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

  #join(node: Extract<FromNode, { kind: 'join' }>): string {
    const left = this.#from(node.left);
    const right = this.#rightSide(node);
    if (node.join === 'cross' || (node.join === 'inner' && node.on === undefined)) {
      return `${left} CROSS JOIN ${right}`;
    }
    const on = node.on === undefined ? 'TRUE' : this.expressions.print(node.on);
    return `${left} ${node.join.toUpperCase()} JOIN ${right} ON ${on}`;
  }

  #rightSide({ join, right }: Extract<FromNode, { kind: 'join' }>): string {
    const printed = this.#from(right);
    // Trino joins UNNEST to what stands left of it only as CROSS and LEFT JOIN do.
    if (right.kind === 'unnest' && (join === 'right' || join === 'full')) {
      return `(SELECT * FROM ${printed}) AS ${right.alias}`;
    }
    return right.kind === 'join' ? `(${printed})` : printed;
  }

  #exists(query: QueryNode): string {
    return this.query(query, query.body.kind === 'select' && prunable(query) ? [] : allOf(query));
  }
}

/** Printed names of what a FROM reads. */
function relationsOf(from: FromNode | undefined): readonly string[] {
  if (from === undefined) {
    return [];
  }
  switch (from.kind) {
    case 'join':
      return [...relationsOf(from.left), ...relationsOf(from.right)];
    case 'source':
      return [from.source.alias];
    default:
      return [from.alias];
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
export type Finish = (expr: Expr, printer: ExprPrinter) => string;

const asIs: Finish = (expr, printer) => printer.print(expr);

function innerIndex(item: SelectItem | undefined): number {
  if (item?.source.kind !== 'inner') {
    throw new Error('an output of parentheses comes from the query inside');
  }
  return item.source.index;
}

function allOf(query: QueryNode): number[] {
  return query.outputs.slice(0, query.visible).map((_, index) => index);
}

/** The outputs of a CTE or derived table that must be printed: those in use, if leaving out is safe. */
export function wantedOf(query: QueryNode): number[] {
  const every = query.outputs.map((_, index) => index);
  if (!prunable(query)) {
    return every;
  }
  const used = every.filter((index) => query.used.has(index));
  // A set operation needs a column even where only its rows are counted.
  return used.length === 0 && query.body.kind !== 'select' ? [0] : used;
}

/** Leaving out an output changes the rows of DISTINCT and of set operations other than UNION ALL. */
function prunable(query: QueryNode): boolean {
  const { body } = query;
  if (body.kind === 'select') {
    return !body.distinct;
  }
  const cut = query.limit !== undefined || (query.offset ?? 0) > 0;
  if (cut && query.orderBy.length > 0) {
    return false;
  }
  if (body.kind === 'query') {
    return prunable(body);
  }
  return body.operation === 'union' && body.all && prunable(body.left) && prunable(body.right);
}
