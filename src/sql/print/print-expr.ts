import { quoteText } from '../../platform/sql-text.ts';
import { isName, letBindings } from '../functions/common/let-binding.ts';
import { isLetVariable } from '../ir/expr-builders.ts';
import { childrenOf } from '../ir/expr-walk.ts';
import type { SqlTemplate } from '../ir/function.ts';
import type {
  AggregateExpr,
  Column,
  Expr,
  JsonPath,
  OrderItem,
  QueryNode,
  WindowSpec,
} from '../ir/ir.ts';
import { isNeverNaN, outputIsNeverNaN } from '../ir/never-nan.ts';
import { BOOL, type SqlType } from '../ir/types.ts';
import { applyForm } from './apply-form.ts';
import { printArithmetic } from './arithmetic.ts';
import type { Dialect, JsonText } from './dialect.ts';
import { hasNoEscape, likePattern } from './like.ts';
import { printComparison, printOrderKey, withoutNaNs } from './nan.ts';
import { type Reading, readSlot, readText } from './read-text.ts';
import type { TextBudget } from './text-budget.ts';

/** Prints expressions for one engine; queries inside them are handed back to the query printer. */
export class ExprPrinter {
  readonly #dialect: Dialect;
  readonly #budget: TextBudget;
  /** What the variables of a `let` are printed as. */
  #letNames: readonly string[] = [];
  /** Columns of outer queries that are handed into a lambda, and what they are called there. */
  #handedIn: ReadonlyMap<string, string> = new Map();
  /** Relations of the query that is printed; columns of others are those of outer queries. */
  #relations: ReadonlySet<string> = new Set();
  /** Relations whose one column is the variable of a lambda. Names are never used twice. */
  readonly #lambdas = new Set<string>();
  readonly #query: (query: QueryNode) => string;

  constructor(dialect: Dialect, budget: TextBudget, query: (query: QueryNode) => string) {
    this.#dialect = dialect;
    this.#budget = budget;
    this.#query = query;
  }

  /** @throws SqlError `sql_too_large` as soon as the statement is longer than the engines take. */
  print(expr: Expr): string {
    const { held } = this.#budget;
    return this.#budget.hold(held, this.#print(expr));
  }

  #print(expr: Expr): string {
    const d = this.#dialect;
    switch (expr.op) {
      case 'const':
        return this.#constant(expr);
      case 'invalid':
        throw expr.error;
      case 'column':
        return this.#column(expr);
      case 'let':
        return this.#let(expr);
      case 'any_match':
        return this.#anyMatch(expr);
      case 'json':
      case 'json_path':
        return this.#jsonPath(expr.text, expr.path, expr.type, 'json');
      case 'read_text':
        return readSlot(d.target, this.print(expr.text), expr.type.kind, expr.holds);
      case 'json_is_object':
        return this.#applyJson(expr.text, (json) => d.jsonIsObject(json, expr.path));
      case 'json_elements':
        return this.#applyJson(expr.text, (json) => d.jsonElements(json, expr.path));
      case 'call':
        return this.#apply(expr.args, expr.fn[d.target]);
      case 'and':
      case 'or':
        return `(${expr.items.map((item) => this.print(item)).join(` ${expr.op.toUpperCase()} `)})`;
      case 'not':
        return `(NOT ${this.print(expr.arg)})`;
      case 'is_null':
        return `(${this.print(expr.arg)} IS NULL)`;
      case 'compare':
        return this.#apply([expr.left, expr.right], ([left = '', right = '']) =>
          printComparison(d.target, expr, left, right),
        );
      case 'not_distinct':
        return `(${this.print(expr.left)} IS NOT DISTINCT FROM ${this.print(expr.right)})`;
      case 'arithmetic':
        return this.#arithmetic(expr);
      case 'concat':
        return `(${expr.items.map((item) => this.print(item)).join(' || ')})`;
      case 'like':
        return this.#like(expr);
      case 'case':
        return this.#case(expr);
      case 'cast':
        return this.#apply([expr.arg], ([arg = '']) =>
          d.cast(arg, expr.arg.type, expr.type, expr.safe),
        );
      case 'in_list':
        return d.inList(
          this.print(expr.arg),
          expr.items.map((item) => this.print(item)),
          expr.items.some(({ op }) => op !== 'const' && op !== 'column'),
        );
      case 'in_query':
        return this.#inQuery(expr);
      case 'exists':
        return `EXISTS (${this.#query(expr.query)})`;
      case 'scalar_query':
        return `(${this.#query(expr.query)})`;
      case 'array':
        return d.array(
          expr.items.map((item) => this.print(item)),
          expr.type,
        );
      case 'struct':
        return this.#struct(expr.items);
      case 'field':
        return this.#jsonPath(expr.base, [expr.index], expr.type, 'safe');
      case 'element':
        return this.#apply([expr.base, expr.index], ([base = '', index = '']) =>
          d.element(base, index, expr.safe),
        );
      case 'aggregate':
        return this.#aggregate(expr);
    }
  }

  /** `ORDER BY` list with NULLs placed as BigQuery places them. */
  order(items: readonly OrderItem[]): string {
    return items
      .map(({ expr, descending, nullsFirst }) =>
        this.orderKey(expr, direction(descending, nullsFirst)),
      )
      .join(', ');
  }

  orderKey(expr: Expr, suffix: string): string {
    return printOrderKey(this.#dialect.target, this.print(expr), suffix, isNeverNaN(expr));
  }

  /** A value as JSON text, for outputs and members of structs. */
  json(expr: Expr): string {
    return this.#apply([expr], ([value = '']) => this.#toJson(value, expr.type));
  }

  #toJson(value: string, type: SqlType): string {
    const d = this.#dialect;
    if (type.kind !== 'array') return d.toJson(value, type);
    const { of } = type;
    switch (of.kind) {
      case 'float64':
        return d.arrayToJson(value, d.toJson('e', of));
      case 'dynamic':
      case 'struct':
        return d.arrayToJson(value, 'e');
      default:
        return d.arrayToJson(value, undefined);
    }
  }

  /** Prints a form of operands, none of which is printed twice if it is long. */
  #apply(operands: readonly Expr[], form: SqlTemplate): string {
    const args = operands.map((operand) => ({
      printed: this.print(operand),
      constant: operand.op === 'const',
    }));
    return applyForm(this.#dialect.target, args, form);
  }

  #applyJson(operand: Expr, form: (json: JsonText) => string): string {
    const isStored = operand.op === 'column' && operand.isStored === true;
    return this.#apply([operand], ([text = '']) => form({ text, isStored }));
  }

  #column({ column }: ColumnExpr): string {
    const handedIn = this.#handedIn.get(keyOf(column));
    if (handedIn !== undefined) return handedIn;
    if (isLetVariable(column)) return this.#letNames[Number(column.name)] ?? '';
    return this.#lambdas.has(column.relation) ? column.name : keyOf(column);
  }

  #let({ values, body }: Extract<Expr, { op: 'let' }>): string {
    const texts = values.map((value) => this.print(value));
    const withNames = (names: readonly string[]): string => {
      this.#letNames = names;
      return this.print(body);
    };
    return texts.every(isName)
      ? withNames(texts)
      : letBindings(this.#dialect.target, texts, withNames);
  }

  #constant(expr: Extract<Expr, { op: 'const' }>): string {
    const { value, type } = expr;
    if (value === null) return `CAST(NULL AS ${this.#dialect.typeName(type)})`;
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

  #jsonPath(text: Expr, path: JsonPath, type: SqlType, reading: Reading): string {
    return this.#applyJson(text, (json) => this.#fromJson(json, path, type, reading));
  }

  /** What lies at a path of a JSON text, read as a type. */
  #fromJson(json: JsonText, path: JsonPath, type: SqlType, reading: Reading): string {
    const d = this.#dialect;
    switch (type.kind) {
      case 'dynamic':
      case 'struct':
        return d.jsonText(json, path);
      case 'array':
        return d.mapArray(
          d.jsonElements(json, path),
          'e',
          this.#fromJson({ text: 'e', isStored: false }, [], type.of, reading),
        );
      case 'string':
        return d.jsonScalar(json, path);
      case 'int64':
      case 'float64':
      case 'bool':
        return readText(d.target, d.jsonScalar(json, path), type.kind, reading);
      case 'timestamp':
      case 'datetime':
        return readText(d.target, d.jsonScalar(json, path), 'int64', reading);
      default:
        return d.cast(d.jsonScalar(json, path), { kind: 'string' }, type, true);
    }
  }

  #like({ arg, pattern, ignoreCase }: Extract<Expr, { op: 'like' }>): string {
    const { target } = this.#dialect;
    const escaped = hasNoEscape(pattern) ? '' : " ESCAPE '\\'";
    return this.#apply([arg, pattern], ([text = '', written = '']) => {
      const wanted = pattern.op === 'const' ? written : likePattern(target, written);
      return ignoreCase
        ? `(LOWER(${text}) LIKE LOWER(${wanted})${escaped})`
        : `(${text} LIKE ${wanted}${escaped})`;
    });
  }

  #arithmetic({ operator, left, right }: Extract<Expr, { op: 'arithmetic' }>): string {
    return this.#apply([left, right], ([a = '', b = '']) =>
      printArithmetic(this.#dialect.target, operator, a, b, right),
    );
  }

  #inQuery({ arg, query }: Extract<Expr, { op: 'in_query' }>): string {
    const list = this.#query(query);
    const exact = isNeverNaN(arg) || outputIsNeverNaN(query, 0);
    return `(${this.print(arg)} IN (${exact ? list : withoutNaNs(this.#dialect.target, list)}))`;
  }

  #case({ operand, whens, otherwise }: Extract<Expr, { op: 'case' }>): string {
    const native = operand !== undefined && this.#dialect.target === 'athena';
    const value = native ? ` ${this.print(operand)}` : '';
    const branches = whens.map(({ when, result }) => {
      // DuckDB would repeat the operand of a CASE by itself, past any budget.
      const condition: Expr =
        operand === undefined || native
          ? when
          : { op: 'compare', type: BOOL, comparison: '=', left: operand, right: when };
      return ` WHEN ${this.print(condition)} THEN ${this.print(result)}`;
    });
    const last = otherwise === undefined ? '' : ` ELSE ${this.print(otherwise)}`;
    return `CASE${value}${branches.join('')}${last} END`;
  }

  /** Inside, the element is a variable, not a column of a relation. */
  #anyMatch({ array, element, condition }: Extract<Expr, { op: 'any_match' }>): string {
    const list = this.print(array);
    this.#lambdas.add(element.relation);
    const matches = (elements: string): string =>
      this.#dialect.anyMatch(elements, element.name, this.print(condition));
    // DuckDB finds no column of an outer query from inside of a lambda.
    const outer = this.#dialect.target === 'duckdb' ? this.#outerColumns(condition) : [];
    if (outer.length === 0) return matches(list);
    const before = this.#handedIn;
    const texts = [list, ...outer.map((column) => this.#column(column))];
    const printed = letBindings('duckdb', texts, ([elements = '', ...names]) => {
      const handed = outer.map(({ column }, i) => [keyOf(column), names[i] ?? ''] as const);
      this.#handedIn = new Map([...before, ...handed]);
      return matches(elements);
    });
    this.#handedIn = before;
    return printed;
  }

  /** Columns that a condition in a lambda has of outer queries, and the variables beside them. */
  #outerColumns(condition: Expr): readonly ColumnExpr[] {
    const found = new Map<string, ColumnExpr>();
    let outer = false;
    const visit = (expr: Expr): void => {
      if (expr.op === 'column') {
        const { relation } = expr.column;
        if (!this.#relations.has(relation) && !this.#lambdas.has(relation)) {
          outer ||= !isLetVariable(expr.column);
          found.set(keyOf(expr.column), expr);
        }
      }
      if (expr.op === 'any_match') this.#lambdas.add(expr.element.relation);
      childrenOf(expr).forEach(visit);
    };
    visit(condition);
    return outer ? [...found.values()] : [];
  }

  /** Prints what stands in a query over these relations. */
  within(relations: readonly string[], print: () => string): string {
    const outer = this.#relations;
    this.#relations = new Set(relations);
    const text = print();
    this.#relations = outer;
    return text;
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

  /** A frame of values takes one key only, so there NaN stays where engines put it. */
  #windowOrder({ orderBy, frame }: WindowSpec): string {
    const [first] = orderBy;
    return first !== undefined && frame !== undefined && /^RANGE .*\d/.test(frame)
      ? `${this.print(first.expr)}${direction(first.descending, first.nullsFirst)}`
      : this.order(orderBy);
  }

  #window(window: WindowSpec): string {
    const parts: string[] = [];
    if (window.partitionBy.length > 0) {
      parts.push(`PARTITION BY ${window.partitionBy.map((expr) => this.print(expr)).join(', ')}`);
    }
    if (window.orderBy.length > 0) parts.push(`ORDER BY ${this.#windowOrder(window)}`);
    if (window.frame !== undefined) parts.push(window.frame);
    return parts.join(' ');
  }
}

type ColumnExpr = Extract<Expr, { op: 'column' }>;

function keyOf({ relation, name }: Column): string {
  return `${relation}.${name}`;
}

export function direction(descending: boolean, nullsFirst: boolean): string {
  return `${descending ? ' DESC' : ' ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
}
