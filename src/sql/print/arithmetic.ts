import type { SqlTarget } from '../common/result-schema.ts';
import { failure } from '../functions/common/runtime-errors.ts';
import type { ArithmeticOperator, Expr } from '../ir/ir.ts';
import { bitwise } from './bitwise.ts';

/** An operation on two numbers that are printed already. */
export function printArithmetic(
  target: SqlTarget,
  operator: ArithmeticOperator,
  left: string,
  right: string,
  divisor: Expr,
): string {
  switch (operator) {
    case '/':
      return divide(left, right, divisor);
    case '+':
    case '-':
    case '*':
    case '%':
      return `(${left} ${operator} ${right})`;
    default:
      return bitwise(target, operator, left, right);
  }
}

/** FLOAT64 by FLOAT64; by zero it is an error, where both engines would give infinity. */
function divide(left: string, right: string, divisor: Expr): string {
  return divisor.op === 'const' && divisor.value !== 0
    ? `(${left} / ${right})`
    : `CASE WHEN ${right} = 0 THEN ${failure('division by zero', 'DOUBLE')} ELSE ${left} / ${right} END`;
}
