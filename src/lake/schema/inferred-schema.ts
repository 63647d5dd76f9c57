/** The schema of one source as ingest holds it: bounded, and aware of what is not saved yet. */

import type { FlatSchema, SourceSchema, TypeMask } from '../../catalog/source-schema.ts';
import { isPlainObject, isRawNumber } from '../../platform/json/json.ts';
import {
  ABANDONED_TEXT,
  JsonType,
  LIST_ELEMENT,
  type SchemaNode,
  slotsInUse,
  storedSchema,
  typedPaths,
  typesIn,
} from './schema.ts';
import { type PathSlots, parseEntry, SlotMap, type TypedPath } from './slots.ts';

/** Paths kept per source, so that ids used as keys cannot grow it without end; and those with slots. */
export const MAX_PATHS = 2000;
/** Parts of the longest path; a list's elements count as one. */
export const MAX_PATH_DEPTH = 20;
/** Characters of all paths together: they are read whole, from DynamoDB items of at most 400 KB. */
export const MAX_PATH_CHARS = 200_000;
/** UTF-16 units of the longest text that keeps its slot in a row that is too large. */
const MAX_KEPT_TEXT = 1000;

const ALL_TYPES: TypeMask = Object.values(JsonType).reduce((all, bit) => all | bit, 0);

/** One path. */
export class InferredNode implements SchemaNode {
  /** Types that events have shown. */
  mask: TypeMask;
  /**
   * Those of them that rows may hold: the registry has them, and each has its slot there or never will
   * have one.
   */
  settled: TypeMask = 0;
  /** Slots that rows have values in; and each of them again, where the fast way to a row finds it. */
  slots: PathSlots = {};
  stringSlot: number | undefined = undefined;
  numberSlot: number | undefined = undefined;
  booleanSlot: number | undefined = undefined;
  objectSlot: number | undefined = undefined;
  readonly path: string;
  readonly depth: number;
  readonly children = new Map<string, InferredNode>();

  constructor(path: string, depth: number, mask: TypeMask) {
    this.path = path;
    this.depth = depth;
    this.mask = mask;
  }

  settle(types: TypeMask, slots: PathSlots): void {
    this.settled |= types;
    this.slots = slotsInUse(this.settled, slots);
    this.stringSlot = this.slots.string;
    this.numberSlot = this.slots.number;
    this.booleanSlot = this.slots.boolean;
    this.objectSlot = this.slots.object;
  }

  /** Whether anything below this path is ever learned. */
  get isOpen(): boolean {
    return this.depth < MAX_PATH_DEPTH;
  }
}

/** What the registry has to know before rows hold it. */
export interface Unsaved {
  readonly types: FlatSchema;
  /** Those that may have slots, in the order in which they were shown. */
  readonly paths: readonly TypedPath[];
  /** What is settled by that. */
  readonly shown: readonly { readonly node: InferredNode; readonly mask: TypeMask }[];
}

export class InferredSchema {
  readonly sourceToken: string;
  readonly root = new InferredNode('', 0, JsonType.object);
  /** Nodes that have shown types which are not settled. */
  readonly #unsaved = new Set<InferredNode>();
  /** As the registry has them. */
  #slots: SlotMap;
  /** With those that the unsaved paths would get, if no other instance were quicker. */
  #planned: SlotMap;
  /** How often an event has shown what is not settled. */
  news = 0;
  /** Paths left out so far because of the bounds; once any was, only paths with slots are added. */
  droppedPaths = 0;
  #paths = 0;
  #chars = 0;

  /** @param known what the registry knows, whatever its size. */
  constructor(sourceToken: string, known: SourceSchema = { types: {}, slots: [] }) {
    this.sourceToken = sourceToken;
    this.#slots = new SlotMap(known.slots);
    this.#planned = this.#slots;
    this.#merge(this.root, storedSchema(known));
    this.root.settled = JsonType.object;
  }

  /** The map of slots as the registry had it last. */
  get slots(): SlotMap {
    return this.#slots;
  }

  get isFull(): boolean {
    return this.droppedPaths > 0;
  }

  /** Whether a path that is not known may still be learned. */
  get mayGrow(): boolean {
    return !this.isFull || !this.#slots.isFull;
  }

  /**
   * Adds the fields of an event to be stored: renamed, cleaned; undefined ones do not count. Where they show
   * what is not settled, {@link news} grows, and their row has to wait until the schema is saved.
   */
  learn(fields: Readonly<Record<string, unknown>>): void {
    let hasNews = false;
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && this.#learnMember(this.root, name, value)) hasNews = true;
    }
    if (hasNews) this.news++;
  }

  /**
   * Gives up the slots of the long texts of an event, which its row has no room for a second time.
   *
   * @returns whether there were any; {@link news} has grown then.
   */
  abandonTexts(fields: Readonly<Record<string, unknown>>): boolean {
    const hasNews = this.#abandonMembers(this.root, fields);
    if (hasNews) this.news++;
    return hasNews;
  }

  /** What is to be saved now; undefined when all is settled. */
  get unsaved(): Unsaved | undefined {
    if (this.#unsaved.size === 0) return undefined;
    const shown = [...this.#unsaved].map((node) => ({ node, mask: node.mask }));
    return {
      types: Object.fromEntries(shown.map(({ node, mask }) => [node.path, mask])),
      paths: shown.flatMap(({ node, mask }) => typedPaths(node.path, mask & ~node.settled)),
      shown,
    };
  }

  /**
   * Settles what the registry has taken.
   *
   * @param slots the registry's, with one for each of the paths that may have one.
   */
  settle({ shown }: Unsaved, slots: SlotMap): void {
    for (const entry of slots.entries.slice(this.#slots.entries.length)) {
      this.#know(parseEntry(entry).path);
    }
    this.#slots = slots;
    for (const { node, mask } of shown) {
      node.settle(mask, slots.slotsOf(node.path));
      if (node.settled === node.mask) this.#unsaved.delete(node);
    }
    this.#planned = slots.extendedBy(this.unsaved?.paths ?? []);
  }

  /** Whether the value shows anything that is not settled. */
  #learnMember(parent: InferredNode, key: string, value: unknown): boolean {
    const type = typeOf(value);
    const node = parent.children.get(key) ?? this.#grow(parent, key, type);
    if (node === undefined) {
      // Only what waits to be saved may keep it from its slot, and other instances may be quicker with theirs.
      return mayHaveSlot(this.#slots, pathOf(parent, key), type);
    }
    let hasNews = (node.settled & type) === 0;
    if (hasNews && !((node.mask & type) !== 0 && this.#unsaved.has(node))) {
      node.mask |= type;
      this.#unsaved.add(node);
      this.#planned = this.#planned.extendedBy(typedPaths(node.path, node.mask & ~node.settled));
    }
    if (!node.isOpen || typeof value !== 'object' || value === null || isRawNumber(value)) {
      return hasNews;
    }
    if (Array.isArray(value)) {
      for (const element of value) {
        hasNews = this.#learnMember(node, LIST_ELEMENT, element) || hasNews;
      }
      return hasNews;
    }
    for (const [childKey, child] of Object.entries(value)) {
      hasNews = this.#learnMember(node, childKey, child) || hasNews;
    }
    return hasNews;
  }

  #abandonMembers(parent: InferredNode, fields: Readonly<Record<string, unknown>>): boolean {
    let hasNews = false;
    for (const [name, value] of Object.entries(fields)) {
      const node = parent.children.get(name);
      if (node === undefined) continue;
      if (typeof value === 'string' && value.length > MAX_KEPT_TEXT) {
        if (node.slots.string !== undefined) {
          node.mask |= ABANDONED_TEXT;
          this.#unsaved.add(node);
          hasNews = true;
        }
      } else if (isPlainObject(value)) {
        hasNews = this.#abandonMembers(node, value) || hasNews;
      }
    }
    return hasNews;
  }

  #grow(parent: InferredNode, key: string, type: TypeMask): InferredNode | undefined {
    if (key === '') {
      // A dotted path cannot spell the empty key. A closed node that has seen it all is never asked
      // for again, and never saved.
      const closed = new InferredNode('', MAX_PATH_DEPTH, ALL_TYPES);
      closed.settled = ALL_TYPES;
      parent.children.set(key, closed);
      return closed;
    }
    const path = pathOf(parent, key);
    const isPast =
      this.isFull || this.#paths >= MAX_PATHS || this.#chars + path.length > MAX_PATH_CHARS;
    if (isPast && !mayHaveSlot(this.#planned, path, type)) {
      this.droppedPaths++;
      return undefined;
    }
    return this.#attach(parent, key, path);
  }

  /** Makes a path of another instance known here: one with a slot is never left out, however full it is. */
  #know(path: string): void {
    let node = this.root;
    for (const key of path.split('.')) {
      node = node.children.get(key) ?? this.#attach(node, key, pathOf(node, key));
    }
  }

  #merge(node: InferredNode, known: SchemaNode): void {
    for (const [key, child] of known.children) {
      const adopted = this.#attach(node, key, pathOf(node, key));
      adopted.mask = child.mask;
      const open = typesIn(child.mask)
        .filter((type) => mayHaveSlot(this.#slots, adopted.path, type))
        .reduce((all, type) => all | type, 0);
      adopted.settle(child.mask & ~open, child.slots ?? {});
      this.#merge(adopted, child);
    }
  }

  #attach(parent: InferredNode, key: string, path: string): InferredNode {
    const node = new InferredNode(path, parent.depth + 1, 0);
    parent.children.set(key, node);
    this.#paths++;
    this.#chars += path.length;
    return node;
  }
}

function mayHaveSlot(slots: SlotMap, path: string, type: TypeMask): boolean {
  return typedPaths(path, type).some((typed) => slots.isOpen(typed));
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
      if (isRawNumber(value)) return fitsInt64(value.rawJSON) ? JsonType.int : JsonType.float;
      return Array.isArray(value) ? JsonType.list : JsonType.object;
  }
}

/** Whether an integer in decimal digits is within int64. */
export function fitsInt64(digits: string): boolean {
  if (digits.length > 20) return false;
  const integer = BigInt(digits);
  return BigInt.asIntN(64, integer) === integer;
}

function pathOf(parent: InferredNode, key: string): string {
  return key === LIST_ELEMENT || parent.path === '' ? parent.path + key : `${parent.path}.${key}`;
}
