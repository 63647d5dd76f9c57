import { commonType } from '../../ir/coerce.ts';
import { constant, isConst, logical, not, TRUE } from '../../ir/expr-builders.ts';
import { containsWindow } from '../../ir/expr-walk.ts';
import type { Expr, FromNode, QueryNode } from '../../ir/ir.ts';
import { BOOL, typeName } from '../../ir/types.ts';
import type { AstExpr, AstQuery } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { bindQuery } from '../select/bind-query.ts';
import { convertOutput } from '../select/bind-set.ts';
import { bindExpr } from './bind-expr.ts';
import { convert } from './comparison.ts';

function inner(query: AstQuery, ctx: BindContext): QueryNode {
  const { compile, text, environment, scope } = ctx;
  return bindQuery(query, { compile, text, environment, scope });
}

function oneColumn(query: AstQuery, ctx: BindContext, what: string): QueryNode {
  const node = inner(query, ctx);
  if (node.outputs.length !== 1) {
    const message = `${what} must have one column, this has ${node.outputs.length}`;
    throw fail(ctx, query.at, 'sql_type', message);
  }
  return node;
}

export function bindInQuery(ast: Extract<AstExpr, { kind: 'in_query' }>, ctx: BindContext): Expr {
  const value = bindExpr(ast.expr, ctx);
  const query = oneColumn(ast.query, ctx, 'A subquery of IN');
  const output = outputExpr(query);
  const type = commonType([value, output]);
  if (type === undefined) {
    const message = 'The value and the column of the subquery cannot be compared';
    throw fail(ctx, ast.at, 'sql_type', message);
  }
  if (type.kind === 'array' || type.kind === 'struct') {
    throw fail(ctx, ast.at, 'sql_type', `${typeName(type)} values cannot be compared`);
  }
  const arg = convert(value, type, ast.at, ctx);
  const converted = convertOutput(query, [type], ast.at, ctx);
  const test: Expr = { op: 'in_query', type: BOOL, arg, query: converted };
  return ast.negated ? not(test) : test;
}

/**
 * EXISTS. Over nothing but UNNEST it is a condition on the elements of arrays, and over objects that
 * need no join a plain condition: Trino takes no WHERE in a correlated subquery over UNNEST.
 */
export function bindExists(query: AstQuery, ctx: BindContext): Expr {
  const node = inner(query, ctx);
  const { body, limit, offset } = node;
  const plain = limit === undefined && offset === undefined;
  const unnests =
    plain && body.kind === 'select' && !body.aggregated ? unnestsOf(body.from) : undefined;
  if (unnests === undefined || body.kind !== 'select') {
    return { op: 'exists', type: BOOL, query: node };
  }
  const condition = logical('and', body.where);
  if (unnests.length === 0) return isTrue(condition);
  return unnests.reduceRight<Expr>(
    (inside, { array, alias, column }) => ({
      op: 'any_match',
      type: BOOL,
      array,
      element: { relation: alias, name: column },
      condition: inside,
    }),
    condition,
  );
}

type Unnest = Extract<FromNode, { kind: 'unnest' }>;

/** The UNNESTs of a FROM that has nothing else, outermost first; undefined for any other FROM. */
function unnestsOf(from: FromNode | undefined): readonly Unnest[] | undefined {
  if (from === undefined) return [];
  if (from.kind === 'unnest') return from.offset === undefined ? [from] : undefined;
  const sides = from.kind === 'join' && from.join === 'cross' ? [from.left, from.right] : [];
  const found = sides.map(unnestsOf);
  return found.length === 2 && found.every((side) => side !== undefined) ? found.flat() : undefined;
}

function isTrue(condition: Expr): Expr {
  return isConst(condition)
    ? constant(BOOL, condition.value === true)
    : { op: 'not_distinct', type: BOOL, left: condition, right: TRUE };
}

export function bindScalarQuery(query: AstQuery, ctx: BindContext): Expr {
  const node = oneColumn(query, ctx, 'A scalar subquery');
  const { body, limit, offset } = node;
  const [output] = node.outputs;
  if (
    body.kind === 'select' &&
    body.from === undefined &&
    body.where.length === 0 &&
    !body.aggregated &&
    limit === undefined &&
    offset === undefined &&
    output?.expr !== undefined &&
    !containsWindow(output.expr)
  ) {
    // One row of what stands there: engines know no row of the query around it that groups.
    return output.expr;
  }
  return { op: 'scalar_query', type: outputExpr(node).type, query: node };
}

export function bindArrayQuery(query: AstQuery, ctx: BindContext): never {
  const message = 'ARRAY(SELECT ..) is not supported: use ARRAY_AGG with GROUP BY';
  throw fail(ctx, query.at, 'sql_unsupported', message);
}

/** A stand-in for the only output, to find types with. */
function outputExpr(query: QueryNode): Expr {
  const output = query.outputs[0];
  if (output === undefined) throw new Error('a query has at least one output');
  return { op: 'column', type: output.type, column: { relation: '', name: output.name } };
}
