import { JsonType, LIST_ELEMENT, type SchemaNode } from '../../../lake/schema/schema.ts';
import type { Expr, JsonExpr } from '../../ir/ir.ts';
import { nodeAt } from '../../ir/json-path.ts';
import { BOOL, DYNAMIC, FLOAT64, INT64, type SqlType, STRING } from '../../ir/types.ts';
import { matchKey } from '../from/source-relation.ts';

/** Keys that events have shown in a JSON value. */
export function knownKeys({ node }: JsonExpr): readonly string[] {
  return [...(node?.children.keys() ?? [])].filter((key) => key !== LIST_ELEMENT);
}

/** Steps into a field of a JSON value. */
export function jsonField(base: JsonExpr, name: string): JsonExpr {
  const key = matchKey(knownKeys(base), name) ?? name;
  return { ...base, path: [...base.path, key], node: nodeAt(base.node, [key]) };
}

/** Whether events are known to have the field. */
export function hasJsonField(base: JsonExpr, name: string): boolean {
  return matchKey(knownKeys(base), name) !== undefined;
}

/**
 * A JSON value used as a value: where its type is known it becomes a scalar of that type, else it
 * stays JSON until a use decides.
 */
export function toScalar(expr: Expr): Expr {
  if (expr.op !== 'json') return expr;
  const type = leafType(expr.node);
  return type === undefined ? expr : { op: 'json_path', type, text: expr.text, path: expr.path };
}

/** The one scalar type that a path has shown, if it is only one, or is documented to have. */
function leafType(node: SchemaNode | undefined): SqlType | undefined {
  if (node?.isNumber) return (node.mask & JsonType.float) === 0 ? INT64 : FLOAT64;
  switch (node?.mask) {
    case JsonType.string:
      return STRING;
    case JsonType.int:
      return INT64;
    case JsonType.float:
    case JsonType.float | JsonType.int:
      return FLOAT64;
    case JsonType.bool:
      return BOOL;
    default:
      return undefined;
  }
}

/** Whether an object lies there: BOOL, never NULL. */
export function isObject({ text, path }: JsonExpr): Expr {
  return { op: 'json_is_object', type: BOOL, text, path };
}

/** Whether events have shown objects at a path and nothing else. */
export function isOneObject({ node }: JsonExpr): boolean {
  return node?.mask === JsonType.object;
}

/** Whether a path may be unnested without a join: an object is there, or nothing that has elements. */
export function isObjectOrScalar({ node }: JsonExpr): boolean {
  const mask = node?.mask ?? 0;
  return (mask & JsonType.object) !== 0 && (mask & JsonType.list) === 0;
}

/** An element of a JSON value that was unnested, given the expression of its text. */
export function elementOf(list: Expr, text: Expr): JsonExpr {
  const json = list.op === 'json' ? list : undefined;
  const node = mergeNodes(json?.node?.children.get(LIST_ELEMENT), json?.node);
  return { op: 'json', type: DYNAMIC, text, path: [], node };
}

/** What either node has shown: a path that held objects and lists of objects has both. */
function mergeNodes(a: SchemaNode | undefined, b: SchemaNode | undefined): SchemaNode | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const children = new Map(a.children);
  for (const [key, child] of b.children) {
    const merged = mergeNodes(children.get(key), child);
    if (key !== LIST_ELEMENT && merged !== undefined) children.set(key, merged);
  }
  return { mask: a.mask, children };
}
