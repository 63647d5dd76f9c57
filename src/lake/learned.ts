/** The schema of one source as ingest holds it: bounded, and aware of what is not saved yet. */
import { isRawNumber } from '../json.ts';
import { JsonType, LIST_ELEMENT, type SchemaNode, type TypeMask } from './schema.ts';

/** Paths kept per source, so that ids used as keys cannot grow it without end. */
export const MAX_PATHS = 2000;
/** Parts of the longest path; a list's elements count as one. */
export const MAX_PATH_DEPTH = 20;
/** Characters of all paths together: they are read whole, from DynamoDB items of at most 400 KB. */
export const MAX_PATH_CHARS = 200_000;

const ALL_TYPES: TypeMask = Object.values(JsonType).reduce((all, bit) => all | bit, 0);

/** One path. */
export class LearnedNode implements SchemaNode {
  mask: TypeMask;
  readonly path: string;
  readonly depth: number;
  readonly children = new Map<string, LearnedNode>();

  constructor(path: string, depth: number, mask: TypeMask) {
    this.path = path;
    this.depth = depth;
    this.mask = mask;
  }

  /** Whether anything below this path is ever learned. */
  get isOpen(): boolean {
    return this.depth < MAX_PATH_DEPTH;
  }
}

export class LearnedSchema {
  readonly sourceToken: string;
  readonly root = new LearnedNode('', 0, JsonType.object);
  /** Nodes that have shown types which the registry may lack. */
  readonly unsaved = new Set<LearnedNode>();
  /** Grows with every addition to {@link unsaved}. */
  revision = 0;
  /** Paths left out so far because of the bounds; once any was, no path is added. */
  leftOut = 0;
  #paths = 0;
  #chars = 0;

  constructor(sourceToken: string) {
    this.sourceToken = sourceToken;
  }

  /** Takes over what the registry knows, whatever its size. */
  adopt(known: SchemaNode): void {
    this.#adopt(this.root, known);
  }

  get isFull(): boolean {
    return this.leftOut > 0;
  }

  /** Adds the fields of a stored event: renamed, cleaned; undefined ones do not count. */
  learn(fields: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) {
        this.#learnMember(this.root, name, value);
      }
    }
  }

  #learnMember(parent: LearnedNode, key: string, value: unknown): void {
    const node = parent.children.get(key) ?? this.#grow(parent, key);
    if (node === undefined) {
      return;
    }
    const mask = node.mask | typeOf(value);
    if (mask !== node.mask) {
      node.mask = mask;
      this.unsaved.add(node);
      this.revision++;
    }
    if (!node.isOpen || typeof value !== 'object' || value === null || isRawNumber(value)) {
      return;
    }
    if (Array.isArray(value)) {
      for (const element of value) {
        this.#learnMember(node, LIST_ELEMENT, element);
      }
      return;
    }
    for (const [childKey, child] of Object.entries(value)) {
      this.#learnMember(node, childKey, child);
    }
  }

  #grow(parent: LearnedNode, key: string): LearnedNode | undefined {
    if (key === '') {
      // A dotted path cannot spell the empty key. A closed node that has seen it all is never asked
      // for again, and never saved.
      const closed = new LearnedNode('', MAX_PATH_DEPTH, ALL_TYPES);
      parent.children.set(key, closed);
      return closed;
    }
    const path = pathOf(parent, key);
    if (this.isFull || this.#paths >= MAX_PATHS || this.#chars + path.length > MAX_PATH_CHARS) {
      this.leftOut++;
      return undefined;
    }
    return this.#attach(parent, key, path);
  }

  #adopt(node: LearnedNode, known: SchemaNode): void {
    for (const [key, { mask, children }] of known.children) {
      const child = node.children.get(key) ?? this.#attach(node, key, pathOf(node, key));
      child.mask |= mask;
      this.#adopt(child, { mask, children });
    }
  }

  #attach(parent: LearnedNode, key: string, path: string): LearnedNode {
    const node = new LearnedNode(path, parent.depth + 1, 0);
    parent.children.set(key, node);
    this.#paths++;
    this.#chars += path.length;
    return node;
  }
}

/** The type bit of a JSON value. An integer past int64 is a float to every engine. */
export function typeOf(value: unknown): TypeMask {
  switch (typeof value) {
    case 'string':
      return JsonType.string;
    case 'number':
      return Number.isSafeInteger(value) ? JsonType.int : JsonType.float;
    case 'boolean':
      return JsonType.bool;
    default:
      if (isRawNumber(value)) {
        return fitsInt64(value.rawJSON) ? JsonType.int : JsonType.float;
      }
      return Array.isArray(value) ? JsonType.list : JsonType.object;
  }
}

/** Whether an integer in decimal digits is within int64. */
export function fitsInt64(digits: string): boolean {
  if (digits.length > 20) {
    return false;
  }
  const integer = BigInt(digits);
  return BigInt.asIntN(64, integer) === integer;
}

function pathOf(parent: LearnedNode, key: string): string {
  return key === LIST_ELEMENT || parent.path === '' ? parent.path + key : `${parent.path}.${key}`;
}
