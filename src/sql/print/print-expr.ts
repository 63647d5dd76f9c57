import { quoteText } from '../../sql-text.ts';
import { cheapestOf } from '../children.ts';
import { failure } from '../functions/guards.ts';
import type { AggregateExpr, Expr, OrderItem, WindowSpec } from '../tree.ts';
import type { SqlType } from '../types.ts';
import { bitwise } from './bitwise.ts';
import type { Dialect } from './dialect.ts';
import { type Reading, readText } from './read-text.ts';

/** Prints expressions for one engine; queries inside them are handed back to the query printer. */
export class ExprPrinter {
  readonly #dialect: Dialect;
  /** Relations whose one column is the variable of a lambda. Names are never used twice. */
  readonly #lambdas = new Set<string>();
  readonly #query: (query: Extract<Expr, { op: 'exists' }>['query'], exists: boolean) => string;

  constructor(dialect: Dialect, query: ExprPrinter['printSubquery']) {
    this.#dialect = dialect;
    this.#query = query;
  }

  printSubquery(query: Extract<Expr, { op: 'exists' }>['query'], exists: boolean): string {
    return this.#query(query, exists);
  }

  print(expr: Expr): string {
    const d = this.#dialect;
    switch (expr.op) {
      case 'const':
        return this.#constant(expr);
      case 'invalid':
        throw expr.error;
      case 'column':
        return this.#lambdas.has(expr.column.relation)
          ? expr.column.name
          : `${expr.column.relation}.${expr.column.name}`;
      case 'any_match':
        return this.#anyMatch(expr);
      case 'json':
        return d.jsonText(this.print(expr.document.text()), expr.path);
      case 'promoted':
        return this.print(cheapestOf(expr));
      case 'json_path':
        return this.#jsonPath(expr.text, expr.path, expr.type, 'json');
      case 'read_text':
        return readText(d.target, this.print(expr.text), expr.type.kind, 'json');
      case 'json_is_object':
        return d.jsonIsObject(this.print(expr.text), expr.path);
      case 'json_elements':
        return d.jsonElements(this.print(expr.text), expr.path);
      case 'call':
        return expr.fn[d.target](expr.args.map((arg) => this.print(arg)));
      case 'and':
      case 'or':
        return `(${expr.items.map((item) => this.print(item)).join(` ${expr.op.toUpperCase()} `)})`;
      case 'not':
        return `(NOT ${this.print(expr.arg)})`;
      case 'is_null':
        return `(${this.print(expr.arg)} IS NULL)`;
      case 'compare':
        return `(${this.print(expr.left)} ${expr.comparison === '!=' ? '<>' : expr.comparison} ${this.print(expr.right)})`;
      case 'not_distinct':
        return `(${this.print(expr.left)} IS NOT DISTINCT FROM ${this.print(expr.right)})`;
      case 'arithmetic':
        return this.#arithmetic(expr);
      case 'concat':
        return `(${expr.items.map((item) => this.print(item)).join(' || ')})`;
      case 'like':
        return expr.ignoreCase
          ? d.ilike(this.print(expr.arg), this.print(expr.pattern))
          : `(${this.print(expr.arg)} LIKE ${this.print(expr.pattern)} ESCAPE '\\')`;
      case 'case':
        return this.#case(expr);
      case 'cast':
        return d.cast(this.print(expr.arg), expr.arg.type, expr.type, expr.safe);
      case 'in_list':
        return d.inList(
          this.print(expr.arg),
          expr.items.map((item) => this.print(item)),
          expr.items.some(({ op }) => op !== 'const' && op !== 'column'),
        );
      case 'in_query':
        return `(${this.print(expr.arg)} IN (${this.#query(expr.query, false)}))`;
      case 'exists':
        return `EXISTS (${this.#query(expr.query, true)})`;
      case 'scalar_query':
        return `(${this.#query(expr.query, false)})`;
      case 'array':
        return d.array(
          expr.items.map((item) => this.print(item)),
          expr.type,
        );
      case 'struct':
        return this.#struct(expr.items);
      case 'field':
        return this.#jsonPath(expr.base, [`[${expr.index}]`], expr.type, 'safe');
      case 'element':
        return d.element(this.print(expr.base), this.print(expr.index), expr.safe);
      case 'aggregate':
        return this.#aggregate(expr);
    }
  }

  /** `ORDER BY` list with NULLs placed as BigQuery places them. */
  order(items: readonly OrderItem[]): string {
    return items
      .map(
        ({ expr, descending, nullsFirst }) =>
          `${this.print(expr)}${direction(descending, nullsFirst)}`,
      )
      .join(', ');
  }

  /** A value as JSON text, for outputs and members of structs. */
  json(expr: Expr): string {
    const d = this.#dialect;
    if (expr.type.kind === 'array') {
      const { of } = expr.type;
      const array = this.print(expr);
      return of.kind === 'float64'
        ? d.arrayToJson(d.mapArray(array, 'e', d.toJson('e', of)), true)
        : d.arrayToJson(array, of.kind === 'dynamic' || of.kind === 'struct');
    }
    return d.toJson(this.print(expr), expr.type);
  }

  #constant(expr: Extract<Expr, { op: 'const' }>): string {
    const { value, type } = expr;
    if (value === null) {
      return `CAST(NULL AS ${this.#dialect.typeName(type)})`;
    }
    switch (typeof value) {
      case 'boolean':
        return value ? 'TRUE' : 'FALSE';
      case 'bigint':
        return `BIGINT '${value}'`;
      case 'number':
        return `CAST('${value}' AS DOUBLE)`;
      default:
        return type.kind === 'date' ? `DATE ${quoteText(value)}` : quoteText(value);
    }
  }

  #jsonPath(text: Expr, path: readonly string[], type: SqlType, reading: Reading): string {
    return this.#fromJson(this.print(text), path, type, reading);
  }

  /** What lies at a path of a JSON text, read as a type. */
  #fromJson(text: string, path: readonly string[], type: SqlType, reading: Reading): string {
    const d = this.#dialect;
    switch (type.kind) {
      case 'dynamic':
      case 'struct':
        return d.jsonText(text, path);
      case 'array':
        return d.mapArray(
          d.jsonElements(text, path),
          'e',
          this.#fromJson('e', [], type.of, reading),
        );
      case 'string':
        return d.jsonScalar(text, path);
      case 'int64':
      case 'float64':
      case 'bool':
        return readText(d.target, d.jsonScalar(text, path), type.kind, reading);
      case 'timestamp':
      case 'datetime':
        return readText(d.target, d.jsonScalar(text, path), 'int64', reading);
      default:
        return d.cast(d.jsonScalar(text, path), { kind: 'string' }, type, true);
    }
  }

  #arithmetic(expr: Extract<Expr, { op: 'arithmetic' }>): string {
    const left = this.print(expr.left);
    const right = this.print(expr.right);
    switch (expr.operator) {
      case '/':
        return divide(left, right, expr.right);
      case '+':
      case '-':
      case '*':
      case '%':
        return `(${left} ${expr.operator} ${right})`;
      default:
        return bitwise(this.#dialect.target, expr.operator, left, right);
    }
  }

  #case(expr: Extract<Expr, { op: 'case' }>): string {
    const whens = expr.whens
      .map(({ when, result }) => ` WHEN ${this.print(when)} THEN ${this.print(result)}`)
      .join('');
    const otherwise = expr.otherwise === undefined ? '' : ` ELSE ${this.print(expr.otherwise)}`;
    return `CASE${whens}${otherwise} END`;
  }

  /** Inside, the element is a variable, not a column of a relation. */
  #anyMatch({ array, element, condition }: Extract<Expr, { op: 'any_match' }>): string {
    const printed = this.print(array);
    this.#lambdas.add(element.relation);
    return this.#dialect.anyMatch(printed, element.name, this.print(condition));
  }

  /** A struct is JSON text of its members in order; the decoder gives them their names back. */
  #struct(items: readonly Expr[]): string {
    const members = items.map((item) => `COALESCE(${this.json(item)}, 'null')`);
    return members.length === 0 ? "'[]'" : `('[' || ${members.join(` || ',' || `)} || ']')`;
  }

  #aggregate(expr: AggregateExpr): string {
    return expr.fn[this.#dialect.target]({
      args: expr.args.map((arg) => this.print(arg)),
      type: expr.type,
      distinct: expr.distinct,
      filter: expr.filter === undefined ? undefined : this.print(expr.filter),
      ignoreNulls: expr.ignoreNulls,
      orderBy: expr.orderBy.length === 0 ? '' : `ORDER BY ${this.order(expr.orderBy)}`,
      limit: expr.limit,
      over: expr.over === undefined ? '' : ` OVER (${this.#window(expr.over)})`,
    });
  }

  #window(window: WindowSpec): string {
    const parts: string[] = [];
    if (window.partitionBy.length > 0) {
      parts.push(`PARTITION BY ${window.partitionBy.map((expr) => this.print(expr)).join(', ')}`);
    }
    if (window.orderBy.length > 0) {
      parts.push(`ORDER BY ${this.order(window.orderBy)}`);
    }
    if (window.frame !== undefined) {
      parts.push(window.frame);
    }
    return parts.join(' ');
  }
}

/** FLOAT64 by FLOAT64; by zero it is an error, where both engines would give infinity. */
function divide(left: string, right: string, divisor: Expr): string {
  return divisor.op === 'const' && divisor.value !== 0
    ? `(${left} / ${right})`
    : `CASE WHEN ${right} = 0 THEN ${failure('division by zero', 'DOUBLE')} ELSE ${left} / ${right} END`;
}

export function direction(descending: boolean, nullsFirst: boolean): string {
  return `${descending ? ' DESC' : ' ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
}
