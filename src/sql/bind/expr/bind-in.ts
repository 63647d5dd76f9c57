import {
  caseWhen,
  constant,
  isConst,
  isLarge,
  isNull,
  isNullConst,
  logical,
  not,
  sharing,
  TRUE,
} from '../../ir/expr-builders.ts';
import { containsAggregate, containsWindow } from '../../ir/expr-walk.ts';
import type { Expr } from '../../ir/ir.ts';
import { isNeverNaN } from '../../ir/never-nan.ts';
import { BOOL } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import type { BindContext } from '../context.ts';
import { type ArrayElements, arrayElements } from '../from/elements.ts';
import { bindExpr, bindUnsettled } from './bind-expr.ts';
import { bindComparison, comparableType, convert } from './comparison.ts';
import { elementOf } from './json.ts';

type Ast<K extends AstExpr['kind']> = Extract<AstExpr, { kind: K }>;

/** `x [NOT] IN (a, b)` */
export function bindInList(ast: Ast<'in_list'>, ctx: BindContext): Expr {
  const value = bindExpr(ast.expr, ctx);
  const items = ast.items.map((item) => bindExpr(item, ctx));
  const test = inItems(value, items, ast.at, ctx);
  return ast.negated ? not(test) : test;
}

/** `x [NOT] IN UNNEST(array)` */
export function bindInUnnest(ast: Ast<'in_unnest'>, ctx: BindContext): Expr {
  const array = bindUnsettled(ast.array, ctx);
  const value = bindExpr(ast.expr, ctx);
  const test =
    array.op === 'array'
      ? inItems(value, array.items, ast.at, ctx)
      : inElements(value, array, ast.at, ctx);
  return ast.negated ? not(test) : test;
}

/** NULL among the items, which equals nothing for certain, is said apart: Trino 435 overlooks it. */
function inItems(value: Expr, written: readonly Expr[], at: number, ctx: BindContext): Expr {
  if (written.length === 0) return constant(BOOL, false);
  const type = comparableType([value, ...written], at, ctx);
  const arg = convert(value, type, at, ctx);
  const items = written.map((item) => convert(item, type, at, ctx));
  if (isConst(arg) && items.every(isConst)) {
    const tests = items.map((item) => bindComparison('=', arg, item, at, ctx));
    return logical('or', tests);
  }
  const unequal = !isNeverNaN(arg) && items.some((item) => !isNeverNaN(item));
  if (unequal) {
    // Engines differ about whether IN finds NaN; as comparisons it is the printer's to say.
    return logical(
      'or',
      items.map((item) => bindComparison('=', arg, item, at, ctx)),
    );
  }
  const known = items.filter((item) => !isNullConst(item));
  const unknown = known.length < items.length ? [constant(BOOL, null)] : [];
  const test: readonly Expr[] =
    known.length === 0 ? [] : [{ op: 'in_list', type: BOOL, arg, items: known }];
  return logical('or', [...test, ...unknown]);
}

/**
 * TRUE if an element is equal, else NULL if one might be, else FALSE, also for no array. The value
 * stands in a lambda, where the engines take no aggregate and no subquery.
 */
function inElements(value: Expr, array: Expr, at: number, ctx: BindContext): Expr {
  const elements = arrayElements(array, at, ctx);
  const values = [value, elements.array];
  return sharing(
    values,
    ([x = value, list = elements.array]) =>
      isElement(x, { ...elements, array: list }, array, at, ctx),
    values.some((each) => isLarge(each) || containsAggregate(each) || containsWindow(each)),
  );
}

function isElement(
  value: Expr,
  elements: ArrayElements,
  written: Expr,
  at: number,
  ctx: BindContext,
): Expr {
  const { names } = ctx.compile;
  const column = { relation: names.fresh('list'), name: names.fresh('item') };
  const read: Expr = { op: 'column', type: elements.element, column };
  const element = written.type.kind === 'dynamic' ? elementOf(written, read) : read;
  const type = comparableType([value, element], at, ctx);
  const sides = [value, element].map((side) => convert(side, type, at, ctx));
  const any = (condition: Expr): Expr => ({
    op: 'any_match',
    type: BOOL,
    array: elements.array,
    element: column,
    condition,
  });
  const equal = any(bindComparison('=', value, element, at, ctx));
  const uncertain = any(logical('or', sides.map(isNull)));
  return caseWhen(
    [
      { when: equal, result: TRUE },
      { when: uncertain, result: constant(BOOL, null) },
    ],
    constant(BOOL, false),
    BOOL,
  );
}
