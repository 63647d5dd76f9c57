import type { Expr, FromNode } from '../../ir/ir.ts';
import { isNeverNaN } from '../../ir/never-nan.ts';
import { INT64 } from '../../ir/types.ts';
import type { AstExpr, Name } from '../../parse/ast.ts';
import type { BindContext } from '../context.ts';
import { bindExpr } from '../expr/bind-expr.ts';
import { resolvePath } from '../expr/bind-path.ts';
import { elementOf, isObject, isObjectOrScalar, isOneObject } from '../expr/json.ts';
import type { BoundFrom } from './bind-from.ts';
import { ElementRelation } from './element-relation.ts';
import { arrayElements } from './elements.ts';

/** In UNNEST, NULL and an empty array are the same: `COALESCE(x, [])` is x. */
function withoutEmptyDefault(array: AstExpr): AstExpr {
  const [first, second] = array.kind === 'call' ? array.args : [];
  const coalesce = array.kind === 'call' && ['coalesce', 'ifnull'].includes(array.name);
  const empty = second?.kind === 'array' && second.items.length === 0;
  return coalesce && empty && array.args.length === 2 && first !== undefined ? first : array;
}

/** An array in FROM, as written: `UNNEST(expr) [AS alias] [WITH OFFSET [AS offset]]`. */
export interface AstUnnest {
  readonly expr: AstExpr;
  readonly alias: Name | undefined;
  readonly offset: Name | undefined;
}

/**
 * Binds UNNEST, adding its names to the scope of the context. An object that stands for BigQuery's array
 * of one struct needs no join: it is its fields, and a filter drops the rows without it.
 *
 * @param left What it is joined to; undefined if it is the first of FROM.
 */
export function bindUnnest(
  { expr: written, alias, offset }: AstUnnest,
  left: FromNode | undefined,
  join: 'cross' | 'left',
  ctx: BindContext,
): BoundFrom {
  const array = withoutEmptyDefault(written);
  const inFrom = { ...ctx, noAggregates: 'FROM', noWindows: 'FROM' };
  const bound = array.kind === 'path' ? resolvePath(array, ctx) : bindExpr(array, inFrom);
  const walks = join === 'left' ? isOneObject : isObjectOrScalar;
  if (bound.op === 'json' && offset === undefined && walks(bound) && !ctx.joinObjects) {
    ctx.scope.add(alias?.text, { kind: 'json', json: bound });
    const filters = join === 'left' ? [] : [isObject(bound)];
    return { node: left, filters };
  }
  const relation = ctx.compile.names.fresh(alias?.text ?? 'unnested');
  const column = ctx.compile.names.fresh('element');
  const offsetName = offset === undefined ? undefined : ctx.compile.names.fresh('offset');
  const elements = arrayElements(bound, array.at, ctx);
  const element: Expr = {
    op: 'column',
    type: elements.element,
    column: { relation, name: column },
    ...(isNeverNaN(elements.array) ? { neverNaN: true } : {}),
  };
  if (bound.type.kind === 'dynamic') {
    ctx.scope.add(alias?.text, { kind: 'json', json: elementOf(bound, element) });
  } else {
    ctx.scope.add(
      alias?.text,
      element.type.kind === 'struct'
        ? { kind: 'relation', relation: new ElementRelation(element) }
        : { kind: 'value', expr: element },
    );
  }
  if (offset !== undefined && offsetName !== undefined) {
    ctx.scope.add(offset.text, {
      kind: 'value',
      expr: { op: 'column', type: INT64, column: { relation, name: offsetName } },
    });
  }
  const unnest: FromNode = {
    kind: 'unnest',
    alias: relation,
    array: elements.array,
    column,
    offset: offsetName,
  };
  const node: FromNode =
    left === undefined
      ? unnest
      : {
          kind: 'join',
          join,
          left,
          right: unnest,
          on: undefined,
        };
  return { node, filters: [] };
}
