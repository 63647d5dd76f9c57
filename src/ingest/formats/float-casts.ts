/** Typecasts that an event brings along: texts at given paths that are numbers (Logflare 1.50). */
import { isPlainObject, MAX_JSON_DEPTH } from '../../platform/json/json.ts';
import { EventRejected } from '../event/rejected-event.ts';

/** The paths to cast, as a tree: one walk over an event meets them all, however many there are. */
export interface PathTree {
  isCast: boolean;
  readonly children: Map<string, PathTree>;
}

/** A decimal number and nothing else, as Elixir's Float.parse/1 reads it. */
const FLOAT = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The paths of `[{"path": [keys], "from": "string", "to": "float"}]`. No other cast exists, and what
 * asks for one is passed over.
 */
export function floatPaths(typecasts: unknown): PathTree {
  const root = newTree();
  for (const typecast of Array.isArray(typecasts) ? typecasts : []) {
    const { path, from, to } = (typecast ?? {}) as Readonly<Record<string, unknown>>;
    if (from === 'string' && to === 'float' && isPath(path)) addPath(root, path);
  }
  return root;
}

function addPath(root: PathTree, path: readonly string[]): void {
  let node = root;
  for (const key of path) {
    let child = node.children.get(key);
    if (child === undefined) {
      child = newTree();
      node.children.set(key, child);
    }
    node = child;
  }
  node.isCast = true;
}

/** Longer paths lead deeper than an event may nest. */
function isPath(path: unknown): path is readonly string[] {
  return (
    Array.isArray(path) &&
    path.length > 0 &&
    path.length <= MAX_JSON_DEPTH &&
    path.every((key) => typeof key === 'string')
  );
}

function newTree(): PathTree {
  return { isCast: false, children: new Map() };
}

/**
 * Turns the texts at the paths into numbers, in place: the value is fresh from the parser. Paths go
 * through lists; what is missing or no text stays as it is.
 *
 * @throws EventRejected for a text that is no number.
 */
export function castToFloats(value: unknown, paths: PathTree, depth = 1): void {
  // What nests deeper is refused when it is normalised.
  if (depth > MAX_JSON_DEPTH || paths.children.size === 0) return;
  if (Array.isArray(value)) {
    for (const element of value) castToFloats(element, paths, depth + 1);
  } else if (isPlainObject(value)) {
    castFields(value, paths, depth);
  }
}

function castFields(object: Record<string, unknown>, paths: PathTree, depth: number): void {
  // By the keys of the object, not of the tree, so that many paths times many objects stay cheap.
  for (const key in object) {
    const child = paths.children.get(key);
    if (child === undefined) continue;
    const value = object[key];
    if (typeof value !== 'string') {
      castToFloats(value, child, depth + 1);
    } else if (child.isCast) {
      object[key] = float(value, key);
    }
  }
}

function float(text: string, key: string): number {
  const number = FLOAT.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) {
    throw new EventRejected(
      `the text at ${JSON.stringify(key.slice(0, 100))} cannot be cast to float`,
    );
  }
  return number;
}
