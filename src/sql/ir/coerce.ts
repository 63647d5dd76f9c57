import { caseWhen, constant, isConst, isNull, structField } from './expr-builders.ts';
import type { Expr } from './ir.ts';
import { parseDate, parseDatetime, parseTimestamp } from './time.ts';
import {
  DYNAMIC,
  FLOAT64,
  NULL,
  type SqlType,
  STRING,
  type StructType,
  sameType,
} from './types.ts';

/**
 * Converts an expression to a type where BigQuery does so by itself (conversion rules, "coercion"),
 * and reads JSON values as the type that their use asks for.
 *
 * @returns undefined when the expression does not fit the type.
 */
export function coerce(expr: Expr, to: SqlType): Expr | undefined {
  const from = expr.type;
  if (sameType(from, to)) return expr;
  if (from.kind === 'null') return constant(to, null);
  if (from.kind === 'dynamic') return readDynamic(expr, to);
  if (to.kind === 'dynamic' && isScalarLike(from)) {
    return { op: 'cast', type: DYNAMIC, arg: expr, safe: false };
  }
  if (isConst(expr)) {
    const literal = coerceConstant(expr, to);
    if (literal !== undefined) return literal;
  }
  if (from.kind === 'int64' && to.kind === 'float64') {
    return { op: 'cast', type: FLOAT64, arg: expr, safe: false };
  }
  if (from.kind === 'date' && to.kind === 'datetime') {
    return { op: 'cast', type: to, arg: expr, safe: false };
  }
  if (from.kind === 'array' && to.kind === 'array' && expr.op === 'array') {
    const items = expr.items.map((item) => coerce(item, to.of));
    return items.every((item) => item !== undefined) ? { ...expr, type: to, items } : undefined;
  }
  return from.kind === 'struct' && to.kind === 'struct' ? coerceStruct(expr, to) : undefined;
}

/** Field by field, whatever their names are. */
function coerceStruct(expr: Expr, to: StructType): Expr | undefined {
  const fields = structFields(expr);
  const items = to.fields.map(({ type }, i) => {
    const field = fields[i];
    return field === undefined ? undefined : coerce(field, type);
  });
  if (fields.length !== to.fields.length || !items.every((item) => item !== undefined)) {
    return undefined;
  }
  const struct: Expr = { op: 'struct', type: to, items };
  return expr.op === 'struct'
    ? struct
    : caseWhen([{ when: isNull(expr), result: constant(to, null) }], struct, to);
}

function structFields(expr: Expr): readonly Expr[] {
  const { type } = expr;
  return type.kind === 'struct' ? type.fields.map((f, i) => structField(expr, i, f.type)) : [];
}

function isScalarLike(type: SqlType): boolean {
  return ['string', 'int64', 'float64', 'bool', 'timestamp', 'datetime', 'date'].includes(
    type.kind,
  );
}

/** A JSON value read as a scalar; values of another JSON type are NULL. */
function readDynamic(expr: Expr, to: SqlType): Expr | undefined {
  switch (to.kind) {
    case 'string':
    case 'int64':
    case 'float64':
    case 'bool':
      return expr.op === 'json'
        ? { op: 'json_path', type: to, text: expr.text, path: expr.path }
        : { op: 'json_path', type: to, text: expr, path: [] };
    case 'timestamp':
    case 'datetime':
    case 'date': {
      const text = readDynamic(expr, STRING);
      return text === undefined ? undefined : { op: 'cast', type: to, arg: text, safe: true };
    }
    default:
      return undefined;
  }
}

/** Literals (and parameters, which are literals here) convert further than columns do. */
function coerceConstant(expr: Extract<Expr, { op: 'const' }>, to: SqlType): Expr | undefined {
  const { value } = expr;
  if (value === null) return constant(to, null);
  if (typeof value === 'bigint' && expr.type.kind === 'int64' && to.kind === 'float64') {
    return constant(to, Number(value));
  }
  if (typeof value !== 'string') return undefined;
  switch (to.kind) {
    case 'timestamp':
      return wrap(to, expr.type.kind === 'date' ? parseDatetime(value) : parseTimestamp(value));
    case 'datetime':
      return wrap(to, parseDatetime(value));
    case 'date':
      return wrap(to, parseDate(value));
    default:
      return undefined;
  }
}

function wrap(type: SqlType, value: bigint | string | undefined): Expr | undefined {
  return value === undefined ? undefined : constant(type, value);
}

/**
 * The type that all expressions can take together, as in UNION, CASE, COALESCE and comparisons.
 * JSON values take the type of what they meet; JSON with nothing else stays JSON.
 */
export function commonType(exprs: readonly Expr[]): SqlType | undefined {
  const structs = exprs.filter(({ type }) => type.kind === 'struct');
  if (structs.length > 1) {
    const others = exprs.some(({ type }) => type.kind !== 'struct' && type.kind !== 'null');
    return others ? undefined : commonStruct(structs);
  }
  let common: SqlType | undefined;
  for (const { type } of exprs) {
    if (type.kind === 'null' || type.kind === 'dynamic') continue;
    if (common === undefined) {
      common = type;
      continue;
    }
    if (sameType(common, type)) continue;
    const kinds = new Set([common.kind, type.kind]);
    if (kinds.has('int64') && kinds.has('float64')) {
      common = FLOAT64;
    } else if (kinds.has('date') && kinds.has('datetime')) {
      common = common.kind === 'datetime' ? common : type;
    } else {
      return literalTarget(exprs);
    }
  }
  if (common === undefined) {
    return exprs.some((expr) => expr.type.kind === 'dynamic') ? DYNAMIC : exprs[0]?.type;
  }
  return common;
}

/** Field by field; the first STRUCT gives the names. */
function commonStruct(structs: readonly Expr[]): SqlType | undefined {
  const [first] = structs;
  const rows = structs.map(structFields);
  if (first?.type.kind !== 'struct' || rows.some((row) => row.length !== rows[0]?.length)) {
    return undefined;
  }
  const types = first.type.fields.map((_, i) => commonType(rows.flatMap((row) => row[i] ?? [])));
  return types.every((type) => type !== undefined)
    ? {
        kind: 'struct',
        fields: first.type.fields.map(({ name }, i) => ({ name, type: types[i] ?? NULL })),
      }
    : undefined;
}

/** String literals give way to the type of what they stand beside, when they can be read as it. */
function literalTarget(exprs: readonly Expr[]): SqlType | undefined {
  const fixed = exprs.find(
    (expr) => !(isConst(expr) && expr.type.kind === 'string') && expr.type.kind !== 'null',
  );
  const target = fixed?.type;
  const fits = target !== undefined && exprs.every((expr) => coerce(expr, target) !== undefined);
  return fits ? target : undefined;
}
