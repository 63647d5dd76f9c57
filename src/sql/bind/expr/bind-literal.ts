import { constant } from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { parseDate, parseDatetime, parseTimestamp } from '../../ir/time.ts';
import { DATE, DATETIME, FLOAT64, INT64, type SqlType, TIMESTAMP } from '../../ir/types.ts';
import { type BindContext, fail } from '../context.ts';
import { cannotBeRead } from './bind-cast.ts';

const INT64_MAX = 2n ** 63n - 1n;

export function integer(text: string, at: number, ctx: BindContext): Expr {
  const value = BigInt(text);
  if (value > INT64_MAX) throw fail(ctx, at, 'sql_type', `${text} does not fit INT64`);
  return constant(INT64, value);
}

export function float(text: string, at: number, ctx: BindContext): Expr {
  const value = Number(text);
  if (!Number.isFinite(value)) throw fail(ctx, at, 'sql_type', `${text} does not fit FLOAT64`);
  return constant(FLOAT64, value);
}

/** Types that have literals of the form `TYPE 'text'`. */
const LITERALS: Readonly<
  Record<string, { type: SqlType; read: (text: string) => bigint | string | undefined }>
> = {
  TIMESTAMP: { type: TIMESTAMP, read: (text) => parseTimestamp(text) },
  DATETIME: { type: DATETIME, read: parseDatetime },
  DATE: { type: DATE, read: parseDate },
};

export function typedLiteral(type: string, text: string, at: number, ctx: BindContext): Expr {
  const literal = Object.hasOwn(LITERALS, type) ? LITERALS[type] : undefined;
  if (literal === undefined) {
    throw fail(ctx, at, 'sql_unsupported', `${type} literals are not supported`);
  }
  const value = literal.read(text);
  if (value === undefined) throw fail(ctx, at, 'sql_type', cannotBeRead(text, literal.type));
  return constant(literal.type, value);
}
