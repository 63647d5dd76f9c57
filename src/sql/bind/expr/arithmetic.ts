import { addInterval } from '../../functions/time/date-arithmetic.ts';
import { commonType } from '../../ir/coerce.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ArithmeticOperator, Expr } from '../../ir/ir.ts';
import { FLOAT64, INT64, type SqlType, typeName } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindExpr } from './bind-expr.ts';
import { convert } from './comparison.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** `+ - * /` and bit operators; `+` and `-` also take an INTERVAL on their right. */
export function arithmetic(
  op: ArithmeticOperator,
  left: AstExpr,
  right: AstExpr,
  at: number,
  ctx: BindContext,
): Expr {
  const nothing = [left, right].find(({ kind }) => kind === 'null');
  if (nothing !== undefined) {
    throw fail(ctx, nothing.at, 'sql_type', `The operands of ${op} cannot be a literal NULL`);
  }
  if ((op === '+' || op === '-') && right.kind === 'interval') {
    const amount = convert(bindExpr(right.value, ctx), INT64, right.at, ctx);
    const result = addInterval(bindExpr(left, ctx), amount, right.unit, op === '-' ? -1n : 1n);
    if (typeof result === 'string') throw fail(ctx, at, 'sql_type', result);
    return result;
  }
  return operate(op, bindExpr(left, ctx), bindExpr(right, ctx), at, ctx);
}

/** An arithmetic operation on bound operands. */
export function operate(
  op: ArithmeticOperator,
  left: Expr,
  right: Expr,
  at: number,
  ctx: BindContext,
): Expr {
  const type = resultType(op, [left, right], at, ctx);
  const a = convert(left, type, at, ctx);
  const b = convert(right, type, at, ctx);
  if (isConst(a) && isConst(b)) {
    const folded = foldConstants(op, a.value, b.value, at, ctx);
    if (folded !== undefined) return constant(type, folded);
  }
  return { op: 'arithmetic', type, operator: op, left: a, right: b };
}

function resultType(
  op: ArithmeticOperator,
  operands: readonly Expr[],
  at: number,
  ctx: BindContext,
): SqlType {
  const common = commonType(operands);
  // JSON numbers and untyped NULLs: `/` and fractions need FLOAT64, so it serves all of them.
  const json = operands.some((operand) => operand.type.kind === 'dynamic');
  const type = common?.kind === 'dynamic' || common?.kind === 'null' || json ? FLOAT64 : common;
  if (type?.kind !== 'int64' && type?.kind !== 'float64') {
    const [left, right] = operands.map((operand) => typeName(operand.type));
    const hint = ['+', '-'].includes(op)
      ? '; use TIMESTAMP_ADD, TIMESTAMP_SUB or TIMESTAMP_DIFF for time'
      : '';
    throw fail(ctx, at, 'sql_type', `${left} ${op} ${right} is not possible${hint}`);
  }
  if (op === '/') return FLOAT64;
  return ['&', '|', '^', '<<', '>>'].includes(op) ? INT64 : type;
}

function foldConstants(
  op: ArithmeticOperator,
  a: unknown,
  b: unknown,
  at: number,
  ctx: BindContext,
): bigint | number | null | undefined {
  if (a === null || b === null) return null;
  if (typeof a === 'bigint' && typeof b === 'bigint' && (op === '+' || op === '-' || op === '*')) {
    const value = op === '+' ? a + b : op === '-' ? a - b : a * b;
    if (value < INT64_MIN || value > INT64_MAX) {
      throw fail(ctx, at, 'sql_type', `${a} ${op} ${b} does not fit INT64`);
    }
    return value;
  }
  if (typeof a === 'number' && typeof b === 'number') {
    if (op === '/' && b === 0) throw fail(ctx, at, 'sql_type', 'Division by zero: use SAFE_DIVIDE');
    const value =
      op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : op === '/' ? a / b : undefined;
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }
  return undefined;
}

/** Unary minus. */
export function negate(arg: Expr, at: number, ctx: BindContext): Expr {
  return operate('-', constant(INT64, 0n), arg, at, ctx);
}
