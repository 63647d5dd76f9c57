import type { Expr, JsonExpr, JsonPath, QueryNode, SelectItem } from '../tree.ts';
import { BOOL, type SqlType, typeName } from '../types.ts';
import type { Names } from './names.ts';

/** What an outer query wants to know of a JSON output of an inner one. */
export type Wanted =
  | { readonly kind: 'scalar'; readonly type: SqlType }
  | { readonly kind: 'is_object' };

const pushed = new WeakMap<QueryNode, Map<string, number>>();

/**
 * Has an inner query compute a path of one of its JSON outputs as an output of its own, so that the
 * path becomes a slot at the scan instead of JSON text carried upwards and parsed there.
 *
 * @returns the index of the (hidden) output; undefined where the query groups, deduplicates or
 *   computes the JSON, so that an added output would change its rows or make no sense.
 */
export function pushDown(
  query: QueryNode,
  index: number,
  path: JsonPath,
  wanted: Wanted,
  names: Names,
): number | undefined {
  const type = wanted.kind === 'scalar' ? wanted.type : BOOL;
  const key = JSON.stringify([index, path, wanted.kind, typeName(type)]);
  const known = pushed.get(query)?.get(key);
  if (known !== undefined) {
    return known;
  }
  const item = hiddenItem(query, index, path, wanted, names, type);
  if (item === undefined) {
    return undefined;
  }
  query.outputs.push(item);
  const memo = pushed.get(query) ?? new Map<string, number>();
  pushed.set(query, memo.set(key, query.outputs.length - 1));
  return query.outputs.length - 1;
}

function hiddenItem(
  query: QueryNode,
  index: number,
  path: JsonPath,
  wanted: Wanted,
  names: Names,
  type: SqlType,
): SelectItem | undefined {
  const { body } = query;
  const label = String(path.at(-1) ?? 'value');
  const named = { label, name: names.fresh(label), type, node: undefined };
  if (body.kind === 'select') {
    const json = selectDocument(query, index);
    if (json === undefined) {
      return undefined;
    }
    const full = [...json.path, ...path];
    const expr =
      wanted.kind === 'scalar'
        ? json.document.read(full, wanted.type)
        : json.document.isObject(full);
    return { ...named, source: { kind: 'expr', expr } };
  }
  if (body.kind === 'query') {
    const inner = sourceIndex(query, index);
    const found = inner === undefined ? undefined : pushDown(body, inner, path, wanted, names);
    return found === undefined ? undefined : { ...named, source: { kind: 'inner', index: found } };
  }
  const arms = query.outputs[index]?.source;
  if (arms?.kind !== 'arms' || body.operation !== 'union' || !body.all) {
    return undefined;
  }
  if (!canPush(body.left, arms.left) || !canPush(body.right, arms.right)) {
    return undefined;
  }
  const left = pushDown(body.left, arms.left, path, wanted, names);
  const right = pushDown(body.right, arms.right, path, wanted, names);
  return left === undefined || right === undefined
    ? undefined
    : { ...named, source: { kind: 'arms', left, right } };
}

function canPush(query: QueryNode, index: number): boolean {
  return documentAt(query, index) !== undefined;
}

/** The JSON expression behind an output, when paths below it can be pushed down to it. */
export function documentAt(query: QueryNode, index: number): JsonExpr | undefined {
  const { body } = query;
  if (body.kind === 'select') {
    return selectDocument(query, index);
  }
  if (body.kind === 'query') {
    const inner = sourceIndex(query, index);
    return inner === undefined ? undefined : documentAt(body, inner);
  }
  const arms = query.outputs[index]?.source;
  if (arms?.kind !== 'arms' || body.operation !== 'union' || !body.all) {
    return undefined;
  }
  const left = documentAt(body.left, arms.left);
  return documentAt(body.right, arms.right) === undefined ? undefined : left;
}

function selectDocument(query: QueryNode, index: number): JsonExpr | undefined {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || body.aggregated) {
    return undefined;
  }
  const source = query.outputs[index]?.source;
  const expr: Expr | undefined = source?.kind === 'expr' ? source.expr : undefined;
  return expr?.op === 'json' ? expr : undefined;
}

function sourceIndex(query: QueryNode, index: number): number | undefined {
  const source = query.outputs[index]?.source;
  return source?.kind === 'inner' ? source.index : undefined;
}
