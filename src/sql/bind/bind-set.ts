import { commonType } from '../coerce.ts';
import type { AstQuery, AstSelect, AstSetOperation } from '../parse/ast.ts';
import type { Expr, QueryNode, SelectItem, SetNode } from '../tree.ts';
import { type SqlType, sameType, typeName } from '../types.ts';
import { bindQuery } from './bind-query.ts';
import { convert } from './comparison.ts';
import { type BindContext, fail } from './context.ts';

/** Binds UNION, INTERSECT, EXCEPT: columns by position, names from the left, common types. */
export function bindSet(
  ast: AstSetOperation,
  ctx: BindContext,
): { body: SetNode; outputs: SelectItem[] } {
  const [left, right] = [ast.left, ast.right].map((arm) => bindQuery(asQuery(arm), ctx));
  if (left === undefined || right === undefined) {
    throw new Error('a set operation has two arms');
  }
  if (left.visible !== right.visible) {
    throw fail(
      ctx,
      ast.at,
      'sql_type',
      `Both sides of ${ast.op.toUpperCase()} need the same number of columns: ${left.visible} and ${right.visible}`,
    );
  }
  const types = left.outputs.slice(0, left.visible).map((output, i) => {
    const other = right.outputs[i];
    const type = other && commonType([standIn(output), standIn(other)]);
    if (other === undefined || type === undefined) {
      throw fail(
        ctx,
        ast.at,
        'sql_type',
        `Column ${i + 1} of ${ast.op.toUpperCase()} is ${typeName(output.type)} on one side and ${other && typeName(other.type)} on the other`,
      );
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
  const outputs = types.map((type, i): SelectItem => {
    const { label, unnamed, node } = outputAt(left, i);
    const name = ctx.compile.names.fresh(label);
    const source = { kind: 'arms' as const, left: i, right: i };
    return { label, name, type, node, source, ...(unnamed ? { unnamed } : {}) };
  });
  return { body, outputs };
}

function outputAt(query: QueryNode, index: number): SelectItem {
  const output = query.outputs[index];
  if (output === undefined) {
    throw new Error(`a query has no output ${index}`);
  }
  return output;
}

function asQuery(arm: AstQuery | AstSelect | AstSetOperation): AstQuery {
  if (arm.kind === 'query') {
    return arm;
  }
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
function standIn(output: SelectItem): Expr {
  return output.source.kind === 'expr'
    ? output.source.expr
    : { op: 'column', type: output.type, column: { relation: '', name: output.name } };
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
  if (fits) {
    return query;
  }
  if (query.body.kind === 'select') {
    const outputs = query.outputs.map((output, i) => {
      const type = types[i];
      if (type === undefined || output.source.kind !== 'expr') {
        return output;
      }
      const expr = convert(output.source.expr, type, at, ctx);
      return { ...output, type, source: { kind: 'expr' as const, expr } };
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
