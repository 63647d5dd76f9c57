import { caseWhen, isLarge, sharing } from '../../ir/expr-builders.ts';
import { childrenOf } from '../../ir/expr-walk.ts';
import type { Expr } from '../../ir/ir.ts';
import { BOOL, type SqlType } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import type { BindContext } from '../context.ts';
import { bindAs, bindExpr, unify } from './bind-expr.ts';
import { bindComparison, comparableType, convert } from './comparison.ts';

/** A bound `WHEN .. THEN ..` and its place in the text. */
interface Branch {
  readonly at: number;
  readonly when: Expr;
  readonly result: Expr;
}

/** `CASE [operand] WHEN .. THEN .. [ELSE ..] END` */
export function bindCase(ast: Extract<AstExpr, { kind: 'case' }>, ctx: BindContext): Expr {
  const operand = ast.operand === undefined ? undefined : bindExpr(ast.operand, ctx);
  const written = ast.whens.map(({ when, result }) => ({
    at: when.at,
    when: operand === undefined ? bindAs(when, BOOL, ctx) : bindExpr(when, ctx),
    result: bindExpr(result, ctx),
  }));
  const otherwise = ast.otherwise === undefined ? undefined : bindExpr(ast.otherwise, ctx);
  const results = [...written.map(({ result }) => result), ...(otherwise ? [otherwise] : [])];
  const type = unify(results, ast.at, ctx);
  const branches = written.map((branch) => ({
    ...branch,
    result: convert(branch.result, type, ast.at, ctx),
  }));
  const last = otherwise === undefined ? undefined : convert(otherwise, type, ast.at, ctx);
  if (operand === undefined) return caseWhen(branches, last, type);
  return isLarge(operand)
    ? comparedOnce(operand, branches, last, type, ast.at, ctx)
    : compared(operand, branches, last, type, ctx);
}

function compared(
  operand: Expr,
  branches: readonly Branch[],
  otherwise: Expr | undefined,
  type: SqlType,
  ctx: BindContext,
): Expr {
  const whens = branches.map(({ at, when, result }) => ({
    when: bindComparison('=', operand, when, at, ctx),
    result,
  }));
  return caseWhen(whens, otherwise, type);
}

/** The same with an operand that stands in the tree once, however many branches there are. */
function comparedOnce(
  operand: Expr,
  branches: readonly Branch[],
  otherwise: Expr | undefined,
  type: SqlType,
  at: number,
  ctx: BindContext,
): Expr {
  const whens = branches.map(({ when }) => when);
  const results = branches.map(({ result }) => result);
  const others = [...whens, ...results, ...(otherwise === undefined ? [] : [otherwise])];
  // They would be evaluated before the comparison.
  if (others.every(isRead)) {
    return sharing([operand, ...others], ([shared = operand, ...rest]) => {
      const inside = branches.map((branch, index) => ({
        ...branch,
        when: rest[index] ?? branch.when,
        result: rest[branches.length + index] ?? branch.result,
      }));
      const last = otherwise === undefined ? undefined : rest.at(-1);
      return compared(shared, inside, last, type, ctx);
    });
  }
  const common = comparableType([operand, ...whens], at, ctx);
  return {
    op: 'case',
    type,
    operand: convert(operand, common, at, ctx),
    whens: branches.map(({ when, result }) => ({ when: convert(when, common, at, ctx), result })),
    otherwise,
  };
}

/** Whether an expression is a constant or read of a row: it never fails, and takes no time. */
function isRead(expr: Expr): boolean {
  switch (expr.op) {
    case 'const':
    case 'column':
      return true;
    case 'json_path':
    case 'read_text':
      return childrenOf(expr).every(isRead);
    default:
      return false;
  }
}
