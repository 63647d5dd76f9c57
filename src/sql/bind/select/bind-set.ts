import { commonType } from '../../ir/coerce.ts';
import type { Expr, Output, QueryNode, SetNode } from '../../ir/ir.ts';
import { type SqlType, sameType, typeName } from '../../ir/types.ts';
import type { AstQuery, AstSelect, AstSetOperation } from '../../parse/ast.ts';
import { type BindContext, fail } from '../context.ts';
import { convert } from '../expr/comparison.ts';
import { bindQuery } from './bind-query.ts';

/** Binds UNION, INTERSECT, EXCEPT: columns by position, names from the left, common types. */
export function bindSet(
  ast: AstSetOperation,
  ctx: BindContext,
): { body: SetNode; outputs: Output[] } {
  const [left, right] = [ast.left, ast.right].map((arm) => bindQuery(asQuery(arm), ctx));
  if (left === undefined || right === undefined) throw new Error('a set operation has two arms');
  if (left.outputs.length !== right.outputs.length) {
    const message = `Both sides of ${ast.op.toUpperCase()} need the same number of columns: ${left.outputs.length} and ${right.outputs.length}`;
    throw fail(ctx, ast.at, 'sql_type', message);
  }
  const types = left.outputs.map((output, i) => {
    const other = right.outputs[i];
    const type = other && commonType([standIn(output), standIn(other)]);
    if (other === undefined || type === undefined) {
      const message = `Column ${i + 1} of ${ast.op.toUpperCase()} is ${typeName(output.type)} on one side and ${other && typeName(other.type)} on the other`;
      throw fail(ctx, ast.at, 'sql_type', message);
    }
    return type;
  });
  const body: SetNode = {
    kind: 'set',
    operation: ast.op,
    all: ast.all,
    left: convertOutput(left, types, ast.at, ctx),
    right: convertOutput(right, types, ast.at, ctx),
  };
  const outputs = types.map((type, i): Output => {
    const { label, unnamed, node } = outputAt(left, i);
    const name = ctx.compile.names.fresh(label);
    const expr = undefined;
    return { label, name, type, node, expr, ...(unnamed ? { unnamed } : {}) };
  });
  return { body, outputs };
}

function outputAt(query: QueryNode, index: number): Output {
  const output = query.outputs[index];
  if (output === undefined) throw new Error(`a query has no output ${index}`);
  return output;
}

function asQuery(arm: AstQuery | AstSelect | AstSetOperation): AstQuery {
  if (arm.kind === 'query') return arm;
  const { at } = arm;
  return {
    kind: 'query',
    at,
    recursive: false,
    ctes: [],
    body: arm,
    orderBy: [],
    limit: undefined,
    offset: undefined,
  };
}

/** An expression of an output's type, to compare types with. */
function standIn({ expr, type, name }: Output): Expr {
  return expr ?? { op: 'column', type, column: { relation: '', name } };
}

/** A query with its visible outputs converted to types: in its SELECT lists, not around them. */
export function convertOutput(
  query: QueryNode,
  types: readonly SqlType[],
  at: number,
  ctx: BindContext,
): QueryNode {
  const fits = types.every((type, i) => {
    const output = query.outputs[i];
    return output !== undefined && sameType(output.type, type);
  });
  if (fits) return query;
  if (query.body.kind === 'select') {
    const outputs = query.outputs.map((output, i) => {
      const type = types[i];
      return type === undefined || output.expr === undefined
        ? output
        : { ...output, type, expr: convert(output.expr, type, at, ctx) };
    });
    return { ...query, outputs };
  }
  const retyped = query.outputs.map((output, i) => ({ ...output, type: types[i] ?? output.type }));
  if (query.body.kind === 'query') {
    return { ...query, outputs: retyped, body: convertOutput(query.body, types, at, ctx) };
  }
  const left = convertOutput(query.body.left, types, at, ctx);
  const right = convertOutput(query.body.right, types, at, ctx);
  return { ...query, outputs: retyped, body: { ...query.body, left, right } };
}
