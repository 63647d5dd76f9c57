/**
 * The inferred schema of a source: which JSON types each path of its events has shown so far. It only
 * grows. Ingest adds to it, the registry keeps it flat, the compiler takes types from it.
 */

import type { FlatSchema, SourceSchema, TypeMask } from '../../catalog/source-schema.ts';
import { type PathSlots, parseEntry, SlotMap, type SlotType, type TypedPath } from './slots.ts';

/** JSON types as bits, so that what a path has shown is one number and a union is one OR. */
export const JsonType = { string: 1, int: 2, float: 4, bool: 8, object: 16, list: 32 } as const;

/**
 * The bit of a path where some event had a text for whose slot its row had no room: the slot of its texts
 * counts for nothing from then on, and they are read from the JSON.
 */
export const ABANDONED_TEXT = 64;

/**
 * The bit of a path that is documented to hold numbers: they are compared and sorted as numbers, even if
 * some event has shown a text there.
 */
export const DOCUMENTED_NUMBER = 128;

/** One path of a schema, with its fields and, for a list, its elements under the key `[]`. */
export interface SchemaNode {
  mask: TypeMask;
  readonly children: Map<string, SchemaNode>;
  /** Slots of the path, by the JSON type that each holds. */
  slots?: PathSlots;
  /** See {@link DOCUMENTED_NUMBER}. */
  isNumber?: true;
}

export const LIST_ELEMENT = '[]';

/** In which slot values of a type lie; undefined for a list, which has none. */
function slotTypeOf(type: TypeMask): SlotType | undefined {
  switch (type) {
    case JsonType.string:
      return 'string';
    case JsonType.int:
    case JsonType.float:
      return 'number';
    case JsonType.bool:
      return 'boolean';
    case JsonType.object:
      return 'object';
    default:
      return undefined;
  }
}

/** A path with each type of a mask that may have a slot. */
export function typedPaths(path: string, mask: TypeMask): TypedPath[] {
  const types = new Set(typesIn(mask).map(slotTypeOf));
  return [...types]
    .filter((type): type is SlotType => type !== undefined)
    .map((type) => ({ path, type }));
}

/** The slots of paths in their order. */
export function slotsOf(types: FlatSchema): SlotMap {
  return new SlotMap().extendedBy(
    Object.entries(types).flatMap(([path, mask]) => typedPaths(path, mask)),
  );
}

/** The single types of a mask. */
export function typesIn(mask: TypeMask): TypeMask[] {
  return Object.values(JsonType).filter((type) => (mask & type) !== 0);
}

export function emptySchema(): SchemaNode {
  return { mask: JsonType.object, children: new Map() };
}

/** The tree that readers go by: each path with its types, and the slots that have their values. */
export function sourceSchema(stored: SourceSchema): SchemaNode {
  const root = storedSchema(stored);
  for (const [path, mask] of Object.entries(stored.types)) {
    if ((mask & (ABANDONED_TEXT | DOCUMENTED_NUMBER)) !== 0) {
      const node = nodeOf(root, splitPath(path));
      node.mask &= ~(ABANDONED_TEXT | DOCUMENTED_NUMBER);
      node.slots = slotsInUse(mask, node.slots ?? {});
      if ((mask & DOCUMENTED_NUMBER) !== 0) node.isNumber = true;
    }
  }
  return root;
}

/** Those of a path's slots that count. */
export function slotsInUse(mask: TypeMask, { string, ...others }: PathSlots): PathSlots {
  return string === undefined || (mask & ABANDONED_TEXT) !== 0 ? others : { string, ...others };
}

/** The tree of what the registry keeps, as it keeps it. */
export function storedSchema({ types, slots }: SourceSchema): SchemaNode {
  const root = schemaFromFlat(types);
  for (const [slot, entry] of slots.entries()) {
    const { path, type } = parseEntry(entry);
    const node = nodeOf(root, splitPath(path));
    node.slots = { ...node.slots, [type]: slot };
  }
  return root;
}

/** Parses the flat form; unknown bits are kept, so that an older reader does not lose them. */
export function schemaFromFlat(flat: FlatSchema): SchemaNode {
  const root = emptySchema();
  for (const [path, mask] of Object.entries(flat)) nodeOf(root, splitPath(path)).mask |= mask;
  return root;
}

/** The node at a path, made where there is none. */
function nodeOf(root: SchemaNode, path: readonly string[]): SchemaNode {
  let node = root;
  for (const part of path) {
    let child = node.children.get(part);
    if (child === undefined) {
      child = { mask: 0, children: new Map() };
      node.children.set(part, child);
    }
    node = child;
  }
  return node;
}

/** The flat form of a schema, paths in the order they were learned. */
export function schemaToFlat(root: SchemaNode): Record<string, TypeMask> {
  const flat: [path: string, mask: TypeMask][] = [];
  const visit = (node: SchemaNode, prefix: string): void => {
    for (const [key, child] of node.children) {
      const path = key === LIST_ELEMENT ? prefix + key : prefix === '' ? key : `${prefix}.${key}`;
      flat.push([path, child.mask]);
      visit(child, path);
    }
  };
  visit(root, '');
  // Defines properties: assignment would lose a field called `__proto__`.
  return Object.fromEntries(flat);
}

/** The node at a path (list elements as `[]`), or undefined where nothing was ever seen. */
export function schemaAt(root: SchemaNode, path: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const part of path) node = node?.children.get(part);
  return node;
}

function splitPath(path: string): string[] {
  return path
    .split('.')
    .flatMap((part) => part.split(/(?=\[\])/))
    .filter((part) => part !== '');
}
