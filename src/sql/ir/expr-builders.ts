/** Constructors of tree nodes that compute at compile time what is constant. */

import { childrenOf } from './expr-walk.ts';
import type { ScalarFunction } from './function.ts';
import type { Column, ComparisonOperator, ConstValue, Expr } from './ir.ts';
import { BOOL, type SqlType, STRING } from './types.ts';

export function constant(type: SqlType, value: ConstValue): Expr {
  return { op: 'const', type, value };
}

export const TRUE = constant(BOOL, true);
export const FALSE = constant(BOOL, false);

export function isConst(expr: Expr): expr is Extract<Expr, { op: 'const' }> {
  return expr.op === 'const';
}

export function isNullConst(expr: Expr): boolean {
  return isConst(expr) && expr.value === null;
}

/** Conjunction or disjunction, with constants and nesting taken out. */
export function logical(op: 'and' | 'or', items: readonly Expr[]): Expr {
  const absorbing = op === 'or';
  const flat: Expr[] = [];
  for (const item of items) {
    if (isConst(item) && item.value === !absorbing) continue;
    if (isConst(item) && item.value === absorbing) return absorbing ? TRUE : FALSE;
    if (item.op === op) {
      flat.push(...item.items);
    } else {
      flat.push(item);
    }
  }
  const [only] = flat;
  if (only === undefined) return absorbing ? FALSE : TRUE;
  return flat.length === 1 ? only : { op, type: BOOL, items: flat };
}

export function not(arg: Expr): Expr {
  if (isConst(arg)) {
    return typeof arg.value === 'boolean' ? constant(BOOL, !arg.value) : constant(BOOL, null);
  }
  return arg.op === 'not' ? arg.arg : { op: 'not', type: BOOL, arg };
}

export function isNull(arg: Expr): Expr {
  return isConst(arg) ? constant(BOOL, arg.value === null) : { op: 'is_null', type: BOOL, arg };
}

/** Both sides have one type already. */
export function compare(comparison: ComparisonOperator, left: Expr, right: Expr): Expr {
  if (isConst(left) && isConst(right)) {
    return constant(BOOL, compareConstants(comparison, left.value, right.value));
  }
  return { op: 'compare', type: BOOL, comparison, left, right };
}

function compareConstants(
  comparison: ComparisonOperator,
  a: ConstValue,
  b: ConstValue,
): boolean | null {
  if (a === null || b === null) return null;
  if (Number.isNaN(a) || Number.isNaN(b)) return comparison === '!=';
  const order = a === b ? 0 : codepointLess(a, b) ? -1 : 1;
  switch (comparison) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Strings compare by code point (BigQuery, Trino, DuckDB: by UTF-8 bytes), not by UTF-16 unit. */
function codepointLess(a: NonNullable<ConstValue>, b: NonNullable<ConstValue>): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  }
  return a < b;
}

const LET = 'let';

/** Whether a column is a variable of a `let`; its name is the index of the value. */
export function isLetVariable({ relation }: Column): boolean {
  return relation === LET;
}

/**
 * An expression that says values several times. Columns, constants and what is hardly more are said
 * again, so that conditions on them are still seen; everything else is evaluated once.
 *
 * @param body Says the values, constants and nothing else, and shares nothing itself.
 */
export function sharing(
  values: readonly Expr[],
  body: (values: readonly Expr[]) => Expr,
  needed: boolean = values.some(isLarge),
): Expr {
  if (!needed) return body(values);
  const bound = values.filter((value) => !staysInside(value));
  const inside = body(
    values.map((value) =>
      staysInside(value)
        ? value
        : {
            op: 'column',
            type: value.type,
            column: { relation: LET, name: String(bound.indexOf(value)) },
          },
    ),
  );
  return { op: 'let', type: inside.type, values: bound, body: inside };
}

const staysInside = ({ op }: Expr): boolean => op === 'const' || op === 'invalid';

/** Nodes of a tree that may be printed more than once. */
const SMALL = 12;

/** Whether an expression is too much to say twice. */
export function isLarge(expr: Expr): boolean {
  let left = SMALL;
  const visit = (node: Expr): boolean => {
    left -= 1;
    return left < 0 || 'query' in node || childrenOf(node).some(visit);
  };
  return visit(expr);
}

/** Branches that can never be taken are dropped; a condition that always holds ends the list. */
export function caseWhen(
  whens: readonly { readonly when: Expr; readonly result: Expr }[],
  otherwise: Expr | undefined,
  type: SqlType,
): Expr {
  const kept: { when: Expr; result: Expr }[] = [];
  let last = otherwise;
  for (const branch of whens) {
    if (isConst(branch.when)) {
      if (branch.when.value === true) {
        last = branch.result;
        break;
      }
      continue;
    }
    kept.push(branch);
  }
  if (kept.length === 0) return last ?? constant(type, null);
  return { op: 'case', type, whens: kept, otherwise: last };
}

export function concat(items: readonly Expr[]): Expr {
  if (items.some(isNullConst)) return constant(STRING, null);
  const flat = items.flatMap((item) => (item.op === 'concat' ? item.items : [item]));
  if (flat.every(isConst)) return constant(STRING, flat.map((item) => String(item.value)).join(''));
  return { op: 'concat', type: STRING, items: flat };
}

/** A member of a STRUCT: what it was built of, or a step into it. */
export function structField(base: Expr, index: number, type: SqlType): Expr {
  const item = base.op === 'struct' ? base.items[index] : undefined;
  return item ?? { op: 'field', type, base, index };
}

/** First of the items that is not NULL; the items have one type. */
export function coalesce(items: readonly Expr[], type: SqlType): Expr {
  const kept: Expr[] = [];
  for (const item of items) {
    if (isNullConst(item)) continue;
    kept.push(item);
    if (isConst(item)) break;
  }
  const [first] = kept;
  if (first === undefined) return constant(type, null);
  if (kept.length === 1) return first;
  return { op: 'call', type, fn: COALESCE, args: kept };
}

const printCoalesce = (args: readonly string[]): string => `COALESCE(${args.join(', ')})`;
const COALESCE: ScalarFunction = {
  name: 'coalesce',
  athena: printCoalesce,
  duckdb: printCoalesce,
};

/** Conjuncts of a condition. */
export function conjuncts(expr: Expr): readonly Expr[] {
  if (expr.op === 'and') return expr.items;
  return isConst(expr) && expr.value === true ? [] : [expr];
}
