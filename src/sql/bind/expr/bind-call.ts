import { nearest } from '../../../platform/nearest.ts';
import type {
  CustomBoundFunction,
  FunctionCall,
  ParameterKind,
  SignatureFunction,
} from '../../functions/common/function.ts';
import { elsewhere } from '../../functions/foreign-names.ts';
import { AGGREGATES, FUNCTION_NAMES, RESTRICTED, SIMPLE, SPECIAL } from '../../functions/table.ts';
import { commonType } from '../../ir/coerce.ts';
import { constant, isConst } from '../../ir/expr-builders.ts';
import type { ConstValue, Expr } from '../../ir/ir.ts';
import {
  BOOL,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  type SqlType,
  STRING,
  TIMESTAMP,
  typeName,
} from '../../ir/types.ts';
import type { AstCall, AstExpr } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindAggregate } from './bind-aggregate.ts';
import { castTo } from './bind-cast.ts';
import { bindAs, bindExpr, unify } from './bind-expr.ts';
import { convert } from './comparison.ts';
import { safely } from './safe.ts';

/** Binds a function call: only what the function tables hold can be called. */
export function bindCall(ast: AstCall, ctx: BindContext): Expr {
  const parts = ast.name.split('.');
  const restricted = parts.find((part) => RESTRICTED.has(part));
  if (restricted !== undefined) {
    throw fail(ctx, ast.at, 'sql_unknown_function', `Restricted function ${restricted}`);
  }
  const aggregate = AGGREGATES.get(ast.name);
  if (aggregate !== undefined) return bindAggregate(ast, aggregate, ctx);
  const simple = SIMPLE.get(ast.name);
  const special = SPECIAL.get(ast.name);
  if (simple === undefined && special === undefined) throw unknownFunction(ast, ctx);
  const [modifier] = modifiersOf(ast);
  if (modifier !== undefined) {
    const name = ast.name.toUpperCase();
    const message = `${name} is not an aggregate function: it takes no ${modifier}`;
    throw fail(ctx, ast.at, 'sql_type', message);
  }
  const call = simple === undefined ? bindSpecial(ast, special, ctx) : bindSimple(ast, simple, ctx);
  return ast.safe ? safely(call, ast, ctx) : call;
}

function unknownFunction(ast: AstCall, ctx: BindContext): Error {
  const other = elsewhere(ast.name);
  const near = nearest(ast.name, FUNCTION_NAMES);
  const hint =
    other !== undefined
      ? `: write ${other}`
      : near === undefined
        ? ''
        : `, did you mean ${near.toUpperCase()}?`;
  return fail(ctx, ast.at, 'sql_unknown_function', `Function not found: ${ast.name}${hint}`);
}

function bindSimple(ast: AstCall, fn: SignatureFunction, ctx: BindContext): Expr {
  checkCount(ast, fn.required, fn.variadic ? Number.POSITIVE_INFINITY : fn.parameters.length, ctx);
  const args = bindArguments(ast, fn.parameters, ctx);
  const type = fn.result === 'same' ? firstType(args) : fn.result;
  const values = args.map((arg) => (isConst(arg) ? arg.value : undefined));
  const folded = values.every((value) => value !== undefined) ? foldCall(fn, values) : undefined;
  return folded === undefined ? { op: 'call', type, fn, args } : constant(type, folded);
}

function foldCall(fn: SignatureFunction, values: readonly ConstValue[]): ConstValue | undefined {
  const present = values.filter((value) => value !== null);
  return present.length === values.length || fn.fold === undefined ? fn.fold?.(present) : null;
}

function firstType(args: readonly Expr[]): SqlType {
  return args[0]?.type ?? STRING;
}

const KINDS: Readonly<Partial<Record<ParameterKind, SqlType>>> = {
  string: STRING,
  int64: INT64,
  float64: FLOAT64,
  bool: BOOL,
  timestamp: TIMESTAMP,
  datetime: DATETIME,
  date: DATE,
};

/**
 * Checks the number of arguments of a call: here, and nowhere else.
 *
 * @param hint said where there are too many.
 * @throws SqlError that names the function.
 */
export function checkCount(
  ast: AstCall,
  least: number,
  most: number,
  ctx: BindContext,
  hint?: string,
): void {
  const { length } = ast.args;
  if (length >= least && length <= most) return;
  const expected =
    least === most
      ? String(most)
      : most === Number.POSITIVE_INFINITY
        ? `at least ${least}`
        : `${least} to ${most}`;
  const noun = (most === Number.POSITIVE_INFINITY ? least : most) === 1 ? 'argument' : 'arguments';
  const why = hint === undefined || length <= most ? '' : `: ${hint}`;
  const message = `${ast.name.toUpperCase()} takes ${expected} ${noun}, not ${length}${why}`;
  throw fail(ctx, ast.at, 'sql_type', message);
}

/** What stands in a call beside its arguments, as it is written. */
function modifiersOf(ast: AstCall): string[] {
  return [
    ...(ast.star ? ['*'] : []),
    ...(ast.distinct ? ['DISTINCT'] : []),
    ...(ast.nulls === undefined ? [] : [`${ast.nulls.toUpperCase()} NULLS`]),
    ...(ast.orderBy.length > 0 ? ['ORDER BY'] : []),
    ...(ast.limit === undefined ? [] : ['LIMIT']),
    ...(ast.filter === undefined ? [] : ['FILTER']),
    ...(ast.over === undefined ? [] : ['OVER']),
  ];
}

/** Binds the arguments and converts them to what the parameters ask for; the last parameter repeats. */
export function bindArguments(
  ast: AstCall,
  parameters: readonly ParameterKind[],
  ctx: BindContext,
): Expr[] {
  const bound = ast.args.map((arg) => bindExpr(arg, ctx));
  const kinds = bound.map((_, i) => parameters[Math.min(i, parameters.length - 1)] ?? 'any');
  const shared = bound.filter((_, i) => kinds[i] === 'same');
  const sameAs = shared.length > 0 ? unify(shared, ast.at, ctx) : undefined;
  return bound.map((arg, i) => asKind(arg, kinds[i] ?? 'any', sameAs, ast.args[i] ?? ast, ctx));
}

/** Converts an argument to what a parameter asks for. */
function asKind(
  arg: Expr,
  kind: ParameterKind,
  sameAs: SqlType | undefined,
  ast: AstExpr,
  ctx: BindContext,
): Expr {
  if (kind === 'any') return arg;
  if (kind === 'ordered') {
    return arg.type.kind === 'dynamic' ? convert(arg, STRING, ast.at, ctx) : arg;
  }
  if (kind === 'same') return sameAs === undefined ? arg : convert(arg, sameAs, ast.at, ctx);
  if (kind === 'number') {
    const isNumber = arg.type.kind === 'int64' || arg.type.kind === 'float64';
    return isNumber ? arg : convert(arg, FLOAT64, ast.at, ctx);
  }
  return convert(arg, KINDS[kind] ?? STRING, ast.at, ctx);
}

function bindSpecial(ast: AstCall, fn: CustomBoundFunction | undefined, ctx: BindContext): Expr {
  if (fn === undefined) throw new Error('a special function is known by now');
  const [least, most] = fn.takes;
  checkCount(ast, least, most, ctx, fn.noMore);
  const at = (index: number): AstExpr => {
    const arg = ast.args[index];
    if (arg === undefined) {
      throw new Error(`${ast.name} asks for an argument that it need not have`);
    }
    return arg;
  };
  // An argument that a function looks at and then takes is bound once: twice at every level would be
  // exponential in the nesting.
  const bound = new Map<number, Expr>();
  const argument = (index: number): Expr => {
    const known = bound.get(index) ?? bindExpr(at(index), ctx);
    bound.set(index, known);
    return known;
  };
  const call: FunctionCall = {
    name: ast.name,
    safe: ast.safe,
    count: ast.args.length,
    arg: argument,
    argAs: (index, type) => convert(argument(index), type, at(index).at, ctx),
    word: (index) => bareWord(at(index), ctx),
    interval: (index) => intervalOf(at(index), ctx),
    coerce: (expr, type) => convert(expr, type, ast.at, ctx),
    cast: (expr, type) => castTo(expr, type, false, ast.at, ctx),
    commonType: (exprs) => {
      const type = commonType(exprs);
      if (type === undefined) {
        const names = exprs.map((expr) => typeName(expr.type)).join(', ');
        throw fail(ctx, ast.at, 'sql_type', `${ast.name.toUpperCase()} cannot mix ${names}`);
      }
      return type;
    },
    nowUs: () => ctx.compile.nowUs,
    fail: (message) => fail(ctx, ast.at, 'sql_type', message),
  };
  return fn.bind(call);
}

function bareWord(ast: AstExpr, ctx: BindContext): string {
  const [part] = ast.kind === 'path' && ast.parts.length === 1 ? ast.parts : [];
  // PostgreSQL writes date parts as strings: date_trunc('day', x).
  const text = part?.text ?? (ast.kind === 'string' ? ast.value : undefined);
  if (text === undefined) {
    throw fail(ctx, ast.at, 'sql_syntax', 'Expected a date part such as HOUR or DAY');
  }
  return text.toUpperCase();
}

function intervalOf(ast: AstExpr, ctx: BindContext): { amount: Expr; unit: string } {
  if (ast.kind !== 'interval') {
    throw fail(ctx, ast.at, 'sql_syntax', 'Expected an interval such as INTERVAL 1 HOUR');
  }
  return { amount: bindAs(ast.value, INT64, ctx), unit: ast.unit };
}
