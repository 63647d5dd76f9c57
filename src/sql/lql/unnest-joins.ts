import type { AstExpr, AstFrom, Name } from '../parse/ast.ts';
import type { FieldPath } from './clause.ts';
import { int, item, name, selectQuery } from './syntax.ts';

/**
 * Where the values of a path lie. A path may lead through objects, which hold one value, and through
 * lists, which hold one for each element. UNNEST walks both, and the compiler prints no join where it
 * knows that a path holds an object.
 */

type ExprPath = Extract<AstExpr, { kind: 'path' }>;

/** A column of a table in FROM, always with the table's name, so that no name can mean another. */
export function column(table: string, field: Name): ExprPath {
  return { kind: 'path', at: field.at, parts: [name(table, field.at), field] };
}

/** Alias for the elements at a prefix of a path. No name in LQL has brackets, so it hides none. */
function elementsOf(prefix: readonly Name[]): string {
  return `${prefix.map((part) => part.text).join('.')}[]`;
}

type Unnest = Extract<AstFrom, { kind: 'unnest' }> & { readonly alias: Name };

/** The UNNESTs that lead into a list of names, each reading from the one before it. */
function stepsInto(table: string, names: readonly Name[]): Unnest[] {
  let base = table;
  return names.map((field, index) => {
    const expr = column(base, field);
    base = elementsOf(names.slice(0, index + 1));
    const alias = name(base, field.at);
    return { kind: 'unnest', at: field.at, expr, alias, offset: undefined };
  });
}

function join(kind: 'left' | 'cross', left: AstFrom, right: AstFrom): AstFrom {
  return { kind: 'join', at: right.at, join: kind, left, right, on: undefined, using: [] };
}

/** The value at the end of a path whose other names were unnested. */
function lastOf(table: string, { parts }: FieldPath): ExprPath {
  const parents = parts.slice(0, -1);
  const [last] = parts.slice(-1);
  if (last === undefined) throw new Error('a path has at least one part');
  return column(parents.length === 0 ? table : elementsOf(parents), last);
}

/** The FROM of the query: the table, and the joins that its columns need. */
export class Joins {
  readonly #table: string;
  readonly #joined = new Set<string>();
  from: AstFrom;

  constructor(table: string, at: number) {
    this.#table = table;
    const parts = [name(table, at)];
    this.from = { kind: 'table', at, parts, alias: undefined, offset: undefined };
  }

  /**
   * A path as a value. Rows that lack the path stay, with NULL; a list gives a row for each element;
   * paths with the same beginning walk it together.
   */
  value(path: FieldPath): AstExpr {
    for (const step of stepsInto(this.#table, path.parts.slice(0, -1))) {
      if (!this.#joined.has(step.alias.text)) {
        this.#joined.add(step.alias.text);
        this.from = join('left', this.from, step);
      }
    }
    return lastOf(this.#table, path);
  }
}

/**
 * Whether any value at a path meets a condition. It is EXISTS over the UNNESTs and not a join, so that
 * lists do not multiply rows, and so that its negation holds for rows that lack the path.
 *
 * @param ofElements whether the end of the path is a list too, whose elements are meant.
 */
export function anyValue(
  table: string,
  path: FieldPath,
  ofElements: boolean,
  condition: (value: AstExpr) => AstExpr,
): AstExpr {
  const { at, parts } = path;
  const [first, ...others] = stepsInto(table, ofElements ? parts : parts.slice(0, -1));
  if (first === undefined) throw new Error('only a nested path or a list has more than one value');
  const from = others.reduce<AstFrom>((left, step) => join('cross', left, step), first);
  const value: AstExpr = ofElements
    ? { kind: 'path', at, parts: [name(elementsOf(parts), at)] }
    : lastOf(table, path);
  const items = [item(int(1, at))];
  return { kind: 'exists', at, query: selectQuery(at, { items, from, where: condition(value) }) };
}
