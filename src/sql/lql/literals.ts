import { formatCivil } from '../ir/time.ts';
import type { AstExpr } from '../parse/ast.ts';

/** A text as it is. Lone surrogates, which no engine takes, become U+FFFD. */
export function textLiteral(text: string, at: number): AstExpr {
  return { kind: 'string', at, value: text.toWellFormed() };
}

/**
 * A text as the scalar it spells: LQL has no schema to take types from, so `true`, `false` and decimal
 * numbers are what they look like, quoted or not (Logflare 1.50).
 */
export function scalarLiteral(text: string, at: number): AstExpr {
  if (text === 'true' || text === 'false') return { kind: 'bool', at, value: text === 'true' };
  const number = /^([+-]?)(\d+(\.\d+)?)$/.exec(text);
  if (number === null) return textLiteral(text, at);
  const [, sign, value = '', fraction] = number;
  const magnitude: AstExpr = { kind: fraction === undefined ? 'int' : 'float', at, value };
  return sign === '-' ? { kind: 'negate', at, expr: magnitude } : magnitude;
}

/** An instant, microseconds since the epoch. */
export function timestampLiteral(us: bigint, at: number): AstExpr {
  return { kind: 'typed_literal', at, type: 'TIMESTAMP', value: formatCivil(us) };
}
