import { coerce } from '../../ir/coerce.ts';
import { constant, isConst, isNullConst } from '../../ir/expr-builders.ts';
import type { ConstValue, Expr } from '../../ir/ir.ts';
import { formatFloat, readFloat, readInteger } from '../../ir/numbers.ts';
import {
  DAY_US,
  floorDivide,
  formatCivil,
  parseDate,
  parseDatetime,
  parseTimestamp,
  unknownZoneOf,
} from '../../ir/time.ts';
import { arrayOf, type SqlType, sameType, scalarTypeNamed, typeName } from '../../ir/types.ts';
import type { AstExpr, AstType } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindExpr } from './bind-expr.ts';

/** Which types can be cast to which, besides their own and JSON (BigQuery's conversion table). */
const CASTS: Readonly<Record<string, readonly string[]>> = {
  int64: ['float64', 'bool', 'string'],
  float64: ['int64', 'string'],
  bool: ['int64', 'string'],
  string: ['int64', 'float64', 'bool', 'timestamp', 'datetime', 'date'],
  timestamp: ['string', 'datetime', 'date'],
  datetime: ['string', 'timestamp', 'date'],
  date: ['string', 'timestamp', 'datetime'],
};

/**
 * The type that a text names.
 *
 * @throws SqlError `sql_unsupported` for BYTES, TIME and what else there is not here.
 */
export function typeFromAst(ast: AstType, ctx: BindContext): SqlType {
  if (ast.of !== undefined) return arrayOf(typeFromAst(ast.of, ctx));
  if (ast.fields !== undefined) {
    const fields = ast.fields.map(({ name, type }) => ({
      name: name ?? '',
      type: typeFromAst(type, ctx),
    }));
    return { kind: 'struct', fields };
  }
  const type = scalarTypeNamed(ast.name);
  if (type === undefined) {
    const hint = ast.name === 'INTERVAL' ? ': write INTERVAL 1 DAY' : '';
    throw fail(ctx, ast.at, 'sql_unsupported', `The type ${ast.name} is not supported${hint}`);
  }
  return type;
}

export function bindCast(ast: Extract<AstExpr, { kind: 'cast' }>, ctx: BindContext): Expr {
  const type = typeFromAst(ast.type, ctx);
  if (type.kind === 'array' || type.kind === 'struct') {
    const message = `CAST to ${ast.type.name} is not supported: cast its elements`;
    throw fail(ctx, ast.type.at, 'sql_unsupported', message);
  }
  const arg = bindExpr(ast.expr, ctx);
  if (type.kind === 'dynamic' && arg.type.kind !== 'dynamic' && arg.type.kind !== 'null') {
    const message = `${typeName(arg.type)} cannot be CAST to JSON: use PARSE_JSON or TO_JSON`;
    throw fail(ctx, ast.type.at, 'sql_type', message);
  }
  return castTo(arg, type, ast.safe, ast.at, ctx);
}

export function castTo(
  arg: Expr,
  type: SqlType,
  safe: boolean,
  at: number,
  ctx: BindContext,
): Expr {
  if (sameType(arg.type, type) || isNullConst(arg)) {
    return coerce(arg, type) ?? constant(type, null);
  }
  if (arg.type.kind === 'dynamic') {
    const read = coerce(arg, type);
    if (read !== undefined) return read;
  }
  if (isConst(arg)) {
    const value = foldCast(arg.value, arg.type, type);
    if (value !== undefined) return constant(type, value);
    if (
      typeof arg.value === 'string' &&
      ['timestamp', 'datetime', 'date', 'int64', 'float64', 'bool'].includes(type.kind)
    ) {
      if (safe) return constant(type, null);
      // In a branch that is never taken (`CASE WHEN @x = '' THEN .. ELSE CAST(@x ..)`) it is no error.
      const message = unreadable(arg, arg.value, type);
      return { op: 'invalid', type, error: fail(ctx, at, 'sql_type', message) };
    }
  }
  const allowed = type.kind === 'dynamic' || (CASTS[arg.type.kind]?.includes(type.kind) ?? false);
  if (!allowed) {
    const verb = ctx.environment.rules.language === 'sql' ? 'CAST to' : 'read as';
    throw fail(ctx, at, 'sql_type', `${typeName(arg.type)} cannot be ${verb} ${typeName(type)}`);
  }
  return { op: 'cast', type, arg, safe };
}

/** Casts that mean the same everywhere are done here; undefined leaves the rest to the engine. */
function foldCast(value: ConstValue, from: SqlType, to: SqlType): ConstValue | undefined {
  if (typeof value === 'string' && from.kind === 'string') {
    switch (to.kind) {
      case 'timestamp':
        return parseTimestamp(value);
      case 'datetime':
        return parseDatetime(value);
      case 'date':
        return parseDate(value);
      case 'int64':
        return readInteger(value);
      case 'float64':
        return readFloat(value);
      case 'bool':
        return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : undefined;
      default:
        return undefined;
    }
  }
  if (typeof value === 'bigint') {
    switch (`${from.kind} ${to.kind}`) {
      case 'int64 float64':
        return Number(value);
      case 'int64 string':
        return String(value);
      case 'timestamp datetime':
      case 'datetime timestamp':
        return value;
      case 'timestamp date':
      case 'datetime date':
        return formatCivil(floorDivide(value, DAY_US) * DAY_US).slice(0, 10);
      case 'timestamp string':
        return `${formatCivil(value)}+00`;
      case 'datetime string':
        return formatCivil(value);
      default:
        return undefined;
    }
  }
  if (typeof value === 'number') return to.kind === 'string' ? formatFloat(value) : undefined;
  if (typeof value === 'string' && from.kind === 'date') {
    return to.kind === 'string' ? value : parseDatetime(value);
  }
  return undefined;
}

/** What is wrong with a text that should be a value of a type. */
export function cannotBeRead(text: string, type: SqlType): string {
  const zone = type.kind === 'timestamp' ? unknownZoneOf(text) : undefined;
  const why = zone === undefined ? '' : `: ${zone}`;
  return `'${text.slice(0, 60)}' cannot be read as ${typeName(type)}${why}`;
}

function unreadable(arg: Extract<Expr, { op: 'const' }>, text: string, type: SqlType): string {
  const shown = cannotBeRead(text, type);
  return arg.parameter === undefined ? shown : `The parameter @${arg.parameter}: ${shown}`;
}
