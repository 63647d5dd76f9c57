import { ARRAY_CONCAT } from '../../functions/array/arrays.ts';
import { coerce, commonType } from '../../ir/coerce.ts';
import {
  concat,
  constant,
  isConst,
  isNull,
  logical,
  not,
  sharing,
} from '../../ir/expr-builders.ts';
import type { Expr } from '../../ir/ir.ts';
import { BOOL, NULL, type SqlType, STRING, typeName } from '../../ir/types.ts';
import type { AstExpr } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { arithmetic, negate } from './arithmetic.ts';
import { bindCall } from './bind-call.ts';
import { bindCase } from './bind-case.ts';
import { bindCast } from './bind-cast.ts';
import { bindArray, bindStruct } from './bind-constructor.ts';
import { bindExtract } from './bind-extract.ts';
import { bindInList, bindInUnnest } from './bind-in.ts';
import { float, integer, typedLiteral } from './bind-literal.ts';
import { resolvePath, stepInto } from './bind-path.ts';
import { bindSubscript } from './bind-subscript.ts';
import { bindComparison, comparableType, convert } from './comparison.ts';
import { toScalar } from './json.ts';
import { likePattern } from './like-pattern.ts';
import { bindArrayQuery, bindExists, bindInQuery, bindScalarQuery } from './subquery.ts';

/** Binds an expression and converts it to a type. */
export function bindAs(ast: AstExpr, type: SqlType, ctx: BindContext): Expr {
  return convert(bindExpr(ast, ctx), type, ast.at, ctx);
}

/** Binds an expression as a value: names resolved, types known, constants computed. */
export function bindExpr(ast: AstExpr, ctx: BindContext): Expr {
  return toScalar(bindUnsettled(ast, ctx));
}

/** As {@link bindExpr}, with JSON left as JSON. */
export function bindUnsettled(ast: AstExpr, ctx: BindContext): Expr {
  return ctx.compile.size.nested(() => bindLevel(ast, ctx));
}

function bindLevel(ast: AstExpr, ctx: BindContext): Expr {
  const { at } = ast;
  switch (ast.kind) {
    case 'null':
      return constant(NULL, null);
    case 'bool':
      return constant(BOOL, ast.value);
    case 'string':
      return constant(STRING, ast.value);
    case 'int':
      return integer(ast.value, at, ctx);
    case 'float':
      return float(ast.value, at, ctx);
    case 'bytes':
      throw fail(ctx, at, 'sql_unsupported', 'BYTES literals are not supported: use a string');
    case 'typed_literal':
      return typedLiteral(ast.type, ast.value, at, ctx);
    case 'interval':
      throw fail(
        ctx,
        at,
        'sql_unsupported',
        'INTERVAL can only stand in TIMESTAMP_ADD, TIMESTAMP_SUB and their kin, or beside + and -',
      );
    case 'param':
      return ctx.compile.parameter(ast.name);
    case 'path':
      return resolvePath(ast, ctx);
    case 'field':
      return stepInto(bindUnsettled(ast.base, ctx), ast.name, ctx);
    case 'subscript':
      return bindSubscript(ast, ctx);
    case 'call':
      return bindCall(ast, ctx);
    case 'cast':
      return bindCast(ast, ctx);
    case 'extract':
      return bindExtract(ast, ctx);
    case 'case':
      return bindCase(ast, ctx);
    case 'and':
    case 'or':
      return logical(
        ast.kind,
        ast.items.map((item) => bindAs(item, BOOL, ctx)),
      );
    case 'not':
      return not(bindAs(ast.expr, BOOL, ctx));
    case 'negate':
      return negate(bindExpr(ast.expr, ctx), at, ctx);
    case 'binary':
      return bindBinary(ast, ctx);
    case 'is':
      return bindIs(ast, ctx);
    case 'distinct_from':
      return bindDistinctFrom(ast, ctx);
    case 'between':
      return bindBetween(ast, ctx);
    case 'in_list':
      return bindInList(ast, ctx);
    case 'in_unnest':
      return bindInUnnest(ast, ctx);
    case 'in_query':
      return bindInQuery(ast, ctx);
    case 'like':
      return bindLike(ast, ctx);
    case 'exists':
      return bindExists(ast.query, ctx);
    case 'scalar_query':
      return bindScalarQuery(ast.query, ctx);
    case 'array_query':
      return bindArrayQuery(ast.query, ctx);
    case 'array':
      return bindArray(ast, ctx);
    case 'struct':
      return bindStruct(ast, ctx);
  }
}

type Ast<K extends AstExpr['kind']> = Extract<AstExpr, { kind: K }>;

function bindBinary(ast: Ast<'binary'>, ctx: BindContext): Expr {
  switch (ast.op) {
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bindComparison(ast.op, bindExpr(ast.left, ctx), bindExpr(ast.right, ctx), ast.at, ctx);
    case '||':
      return bindConcat(ast, ctx);
    default:
      return arithmetic(ast.op, ast.left, ast.right, ast.at, ctx);
  }
}

/** Texts, or arrays as soon as one side is one. */
function bindConcat(ast: Ast<'binary'>, ctx: BindContext): Expr {
  const sides = [bindExpr(ast.left, ctx), bindExpr(ast.right, ctx)];
  if (!sides.some(({ type }) => type.kind === 'array')) {
    return concat(sides.map((side) => convert(side, STRING, ast.at, ctx)));
  }
  const types = sides.map((side) => side.type);
  const type =
    types.find((t) => t.kind === 'array' && sides.every((side) => coerce(side, t) !== undefined)) ??
    unify(sides, ast.at, ctx);
  const args = sides.map((side) => convert(side, type, ast.at, ctx));
  return { op: 'call', type, fn: ARRAY_CONCAT, args };
}

function bindIs(ast: Ast<'is'>, ctx: BindContext): Expr {
  let test: Expr;
  if (ast.what === 'null') {
    test = isNull(bindExpr(ast.expr, ctx));
  } else {
    const value = bindAs(ast.expr, BOOL, ctx);
    const wanted = ast.what === 'true';
    test = isConst(value)
      ? constant(BOOL, value.value === wanted)
      : { op: 'not_distinct', type: BOOL, left: value, right: constant(BOOL, wanted) };
  }
  return ast.negated ? not(test) : test;
}

function bindDistinctFrom(ast: Ast<'distinct_from'>, ctx: BindContext): Expr {
  const sides = [bindExpr(ast.left, ctx), bindExpr(ast.right, ctx)];
  const type = comparableType(sides, ast.at, ctx);
  const [left, right] = sides.map((side) => convert(side, type, ast.at, ctx));
  if (left === undefined || right === undefined) throw new Error('a comparison has two sides');
  const same: Expr = { op: 'not_distinct', type: BOOL, left, right };
  return ast.negated ? same : not(same);
}

function bindBetween(ast: Ast<'between'>, ctx: BindContext): Expr {
  const [value, low, high] = [ast.expr, ast.low, ast.high].map((part) => bindExpr(part, ctx));
  if (value === undefined || low === undefined || high === undefined) {
    throw new Error('BETWEEN has three operands');
  }
  const test = sharing([value, low, high], ([x = value, from = low, to = high]) =>
    logical('and', [
      bindComparison('>=', x, from, ast.at, ctx),
      bindComparison('<=', x, to, ast.at, ctx),
    ]),
  );
  return ast.negated ? not(test) : test;
}

function bindLike(ast: Ast<'like'>, ctx: BindContext): Expr {
  const { ignoreCase } = ast;
  const text = bindAs(ast.expr, STRING, ctx);
  const patterns = ast.patterns.map((pattern) =>
    likePattern(bindAs(pattern, STRING, ctx), pattern.at, ctx),
  );
  const tests = (arg: Expr, among: readonly Expr[]): Expr =>
    // NOT LIKE ANY: there is one among them that it is not like.
    logical(
      ast.quantifier === 'all' ? 'and' : 'or',
      among.map((pattern) => {
        const test: Expr = { op: 'like', type: BOOL, arg, pattern, ignoreCase };
        return ast.negated ? not(test) : test;
      }),
    );
  return patterns.length === 1
    ? tests(text, patterns)
    : sharing([text, ...patterns], ([arg = text, ...among]) => tests(arg, among));
}

/** The one type of alternatives. */
export function unify(exprs: readonly Expr[], at: number, ctx: BindContext): SqlType {
  const type = commonType(exprs);
  if (type === undefined) {
    const names = [...new Set(exprs.map((expr) => typeName(expr.type)))].join(', ');
    throw fail(ctx, at, 'sql_type', `These values have no type in common: ${names}`);
  }
  return type;
}
