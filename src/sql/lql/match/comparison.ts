import { isRawNumber } from '../../../platform/json/json.ts';
import type { AstExpr } from '../../parse/ast.ts';
import type { LqlComparison } from '../clause.ts';
import { compareTexts } from './text-order.ts';

const HOLDS: Readonly<Record<LqlComparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

/** A comparison with a literal. Values of other types than the literal's do not meet it. */
export function comparedWith(op: LqlComparison, literal: AstExpr): (value: unknown) => boolean {
  const holds = HOLDS[op];
  const order = orderTo(literal);
  return (value) => {
    const found = order(value);
    return found !== undefined && holds(found);
  };
}

/** How values lie to a literal, as in a sort: below 0, 0 or above; undefined where they are of another type. */
function orderTo(literal: AstExpr): (value: unknown) => number | undefined {
  switch (literal.kind) {
    case 'string': {
      const text = literal.value;
      return (value) => (typeof value === 'string' ? compareTexts(value, text) : undefined);
    }
    case 'bool': {
      const flag = Number(literal.value);
      return (value) => (typeof value === 'boolean' ? Number(value) - flag : undefined);
    }
    default:
      return orderToNumber(numberText(literal));
  }
}

function orderToNumber(text: string): (value: unknown) => number | undefined {
  const number = Number(text);
  // Integers past 2^53 are ids as a rule: to compare them as doubles would take neighbours for equal.
  const exact = text.includes('.') ? undefined : BigInt(text);
  return (value) => {
    if (typeof value === 'number') return value - number;
    if (!isRawNumber(value)) return undefined;
    if (exact === undefined) return Number(value.rawJSON) - number;
    const integer = BigInt(value.rawJSON);
    return integer === exact ? 0 : integer < exact ? -1 : 1;
  };
}

function numberText(literal: AstExpr): string {
  switch (literal.kind) {
    case 'int':
    case 'float':
      return literal.value;
    case 'negate':
      return `-${numberText(literal.expr)}`;
    default:
      throw new Error(`LQL never compares with ${literal.kind}`);
  }
}
