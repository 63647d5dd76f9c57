import { JsonType, LIST_ELEMENT, type SchemaNode } from '../../lake/schema/schema.ts';
import type { Document, Expr, JsonExpr, JsonPath } from '../tree.ts';
import { BOOL, DYNAMIC, FLOAT64, INT64, type SqlType, STRING } from '../types.ts';
import { nodeAt } from './json-path.ts';
import { matchKey } from './source-relation.ts';

/** Steps into a field of a JSON value. */
export function jsonField(base: JsonExpr, name: string): JsonExpr {
  const key = matchKey(base.document.knownKeys(base.path), name) ?? name;
  return { ...base, path: [...base.path, key], node: nodeAt(base.node, [key]) };
}

/** Whether events are known to have the field. */
export function hasJsonField(base: JsonExpr, name: string): boolean {
  return matchKey(base.document.knownKeys(base.path), name) !== undefined;
}

/**
 * A JSON value used as a value: where its type is known it becomes a scalar of that type, else it
 * stays JSON until a use decides.
 */
export function settle(expr: Expr): Expr {
  if (expr.op !== 'json') {
    return expr;
  }
  const type = leafType(expr.node);
  return type === undefined ? expr : expr.document.read(expr.path, type);
}

/** The one scalar type that a path has shown, if it is only one, or is documented to have. */
function leafType(node: SchemaNode | undefined): SqlType | undefined {
  if (node?.isNumber) {
    return (node.mask & JsonType.float) === 0 ? INT64 : FLOAT64;
  }
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

/** Whether events have shown objects at a path and nothing else. */
export function isOneObject({ node }: JsonExpr): boolean {
  return node?.mask === JsonType.object;
}

/** Whether a path may be unnested without a join: an object is there, or nothing that has elements. */
export function isObjectOrScalar({ node }: JsonExpr): boolean {
  const mask = node?.mask ?? 0;
  return (mask & JsonType.object) !== 0 && (mask & JsonType.list) === 0;
}

/**
 * A document that is nothing but a column of JSON text: an element of a list, or the object that was
 * sent where others send lists. What is known of the unnested path still holds inside.
 */
export class ElementDocument implements Document {
  readonly #text: Expr;
  readonly #node: SchemaNode | undefined;

  constructor(text: Expr, node: SchemaNode | undefined) {
    this.#text = text;
    this.#node = node;
  }

  text(): Expr {
    return this.#text;
  }

  read(path: JsonPath, type: SqlType): Expr {
    return { op: 'json_path', type, text: this.#text, path };
  }

  isObject(path: JsonPath): Expr {
    return { op: 'json_is_object', type: BOOL, text: this.#text, path };
  }

  knownKeys(path: JsonPath): readonly string[] {
    return [...(nodeAt(this.#node, path)?.children.keys() ?? [])].filter(
      (key) => key !== LIST_ELEMENT,
    );
  }
}

/** An element of a JSON value that was unnested, given the expression of its text. */
export function elementOf(list: Expr, text: Expr): JsonExpr {
  const json = list.op === 'json' ? list : undefined;
  const node = mergeNodes(json?.node?.children.get(LIST_ELEMENT), json?.node);
  const document = new ElementDocument(text, node);
  return { op: 'json', type: DYNAMIC, document, path: [], node };
}

/** What either node has shown: a path that held objects and lists of objects has both. */
function mergeNodes(a: SchemaNode | undefined, b: SchemaNode | undefined): SchemaNode | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  const children = new Map(a.children);
  for (const [key, child] of b.children) {
    const merged = mergeNodes(children.get(key), child);
    if (key !== LIST_ELEMENT && merged !== undefined) {
      children.set(key, merged);
    }
  }
  return { mask: a.mask, children };
}
