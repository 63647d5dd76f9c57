/**
 * Which column of text holds the values at a path of a source's events. The tables have a fixed number
 * of such columns, the slots, and each source gives them to its paths in the order in which its events
 * show them. A slot that was given is never given to another path.
 *
 * A path gets one slot for each JSON type that it has shown, list aside: so a slot holds values of one
 * type, and the number 5 is never taken for the text "5". An object's slot says that there is one.
 *
 * The map of a source is a list that only grows. Whether a path has a slot follows from the list alone,
 * and what follows from it follows from every longer one: a reader of an older list knows less, never
 * anything else. The limits below are part of that, so they cannot be changed for a source with events.
 */
import { SLOT_COUNT } from '../layout/columns.ts';

/** JSON types that have slots of their own. */
export const SLOT_TYPES = ['string', 'number', 'boolean', 'object'] as const;

export type SlotType = (typeof SLOT_TYPES)[number];

/** Slots of one path, by the JSON type that each holds. */
export type PathSlots = Readonly<Partial<Record<SlotType, number>>>;

/** What stands in the slot of an object. */
export const OBJECT_MARK = '{}';

/** Parts of the longest path that has a slot. */
export const MAX_SLOT_DEPTH = 8;

/** Characters of the longest path that has a slot: all of a source lie in one item of the registry. */
export const MAX_SLOT_PATH_LENGTH = 500;

/** Keys of one object that have slots, where one that holds an object counts as {@link OBJECT_WEIGHT}. */
export const MAX_OBJECT_KEYS = 48;

/** Of ids that are keys of objects, each takes a slot and those of its fields. */
const OBJECT_WEIGHT = 4;

/** A key with so many digits is an id, a time or an address, and no name of a field. */
const ID = /(?:\d\D*){5}/;

/** A path with a type that it has shown. */
export interface TypedPath {
  /** Dotted, as in the inferred schema; `metadata` and top-level fields begin at the event. */
  readonly path: string;
  readonly type: SlotType;
}

/** The slots of one source. */
export class SlotMap {
  readonly #slots: Map<string, number>;
  /** What the keys of an object weigh that have slots, by its path. */
  readonly #weights: Map<string, number>;

  /** @param from another map, or its entries. */
  constructor(from: SlotMap | readonly string[] = []) {
    if (from instanceof SlotMap) {
      this.#slots = new Map(from.#slots);
      this.#weights = new Map(from.#weights);
    } else {
      this.#slots = new Map();
      this.#weights = new Map();
      for (const entry of from) this.#add(parseEntry(entry));
    }
  }

  /** `path=type`, in the order of their slots. */
  get entries(): readonly string[] {
    return [...this.#slots.keys()];
  }

  get isFull(): boolean {
    return this.#slots.size >= SLOT_COUNT;
  }

  /** The slot of a path, from 0; undefined where it has none, or none yet. */
  slotOf({ path, type }: TypedPath): number | undefined {
    return this.#slots.get(`${path}=${type}`);
  }

  /** All slots of a path. */
  slotsOf(path: string): PathSlots {
    const slots = SLOT_TYPES.map((type) => [type, this.slotOf({ path, type })] as const);
    return Object.fromEntries(slots.filter(([, slot]) => slot !== undefined));
  }

  /**
   * Whether a path without slot may still get one. One that may not never will: that is what lets a row
   * be encoded without.
   */
  isOpen({ path, type }: TypedPath): boolean {
    return (
      !this.isFull &&
      !this.#slots.has(`${path}=${type}`) &&
      isEligible(path, type) &&
      this.#weight(parentOf(path)) + weightOf(type) <= MAX_OBJECT_KEYS &&
      this.#hasOpenParents(path)
    );
  }

  /** The map with slots for those of the paths that are open, and for the objects around them. */
  extendedBy(paths: readonly TypedPath[]): SlotMap {
    let extended: SlotMap | undefined;
    for (const typed of paths) {
      if (!(extended ?? this).isOpen(typed)) continue;
      extended ??= new SlotMap(this);
      for (const path of parentsOf(typed.path)) extended.#addIfOpen({ path, type: 'object' });
      extended.#addIfOpen(typed);
    }
    return extended ?? this;
  }

  #addIfOpen(item: TypedPath): void {
    if (this.isOpen(item)) this.#add(item);
  }

  #add({ path, type }: TypedPath): void {
    this.#slots.set(`${path}=${type}`, this.#slots.size);
    const parent = parentOf(path);
    this.#weights.set(parent, this.#weight(parent) + weightOf(type));
  }

  #weight(path: string): number {
    return this.#weights.get(path) ?? 0;
  }

  #hasOpenParents(path: string): boolean {
    return parentsOf(path).every((parent) => {
      const object: TypedPath = { path: parent, type: 'object' };
      return this.slotOf(object) !== undefined || this.isOpen(object);
    });
  }
}

/** @throws Error for what no map has written. */
export function parseEntry(entry: string): TypedPath {
  const split = entry.lastIndexOf('=');
  const type = SLOT_TYPES.find((known) => known === entry.slice(split + 1));
  if (split < 1 || type === undefined) throw new Error('a slot is given to a path and a type');
  return { path: entry.slice(0, split), type };
}

/** Whether it is a path of names, not too long, and not through a list; a text `project` has a column. */
function isEligible(path: string, type: SlotType): boolean {
  const parts = path.split('.');
  return (
    !(path === 'project' && type === 'string') &&
    path.length <= MAX_SLOT_PATH_LENGTH &&
    parts.length <= MAX_SLOT_DEPTH &&
    parts.every((part) => part !== '' && !part.includes('[]') && !ID.test(part))
  );
}

function weightOf(type: SlotType): number {
  return type === 'object' ? OBJECT_WEIGHT : 1;
}

/** The path of the object around; empty for the event. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}

/** Paths of all objects around, the outermost first. */
function parentsOf(path: string): string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
