/** What a source's learned paths mean for writing its events. */
import type { LearnedNode, LearnedSchema } from '../lake/learned.ts';
import {
  type PromotedValue,
  type PromotionNode,
  promotionsAt,
  promotionTree,
} from '../lake/promoted.ts';
import { LIST_ELEMENT } from '../lake/schema.ts';
import { renameKey } from './rename.ts';

/** Keys remembered per path; several keys can share a name, so the schema does not bound them. */
const MAX_KEYS_PER_PATH = 2000;

/** How a value begins in JSON text within JSON text, by what stands before it and what it is. */
export class Opening {
  readonly first: string;
  readonly firstText: string;
  readonly next: string;
  readonly nextText: string;
  readonly nextAfterText: string;
  readonly nextTextAfterText: string;

  /** @param member `\"name\":` in an object, nothing in a list. */
  constructor(member: string) {
    this.first = member;
    this.firstText = `${member}\\"`;
    this.next = `,${member}`;
    this.nextText = `,${member}\\"`;
    this.nextAfterText = `\\",${member}`;
    this.nextTextAfterText = `\\",${member}\\"`;
  }
}

/** A key of objects at some path. */
export interface Slot {
  readonly key: string;
  /** Whether the key is stored under another name. */
  readonly isRenamed: boolean;
  readonly opening: Opening;
  readonly shape: Shape;
  readonly column: PromotedValue | undefined;
}

/** One learned path. */
export class Shape {
  readonly node: LearnedNode;
  /** Row text of the columns that are true where an object is. */
  readonly objectColumns: string;
  /**
   * Slots in the order in which the last object had them. Clients build their objects alike, so most
   * keys are found by comparing two references.
   */
  readonly order: Slot[] = [];
  /** The visit that met this path last: a second time within one object means two keys of one name. */
  lastVisit = 0;
  readonly #promotions: PromotionNode;
  readonly #slots = new Map<string, Slot>();
  /** By name; as many as the schema knows. */
  readonly #children = new Map<string, Shape>();
  #elements: Slot | undefined;

  constructor(node: LearnedNode, promotions: PromotionNode) {
    this.node = node;
    this.objectColumns = promotions.objectText;
    this.#promotions = promotions;
  }

  /** The slot of a key that the schema knows. */
  slot(key: string): Slot | undefined {
    return this.#slots.get(key) ?? this.#add(key);
  }

  /** The elements of lists at this path, if the schema knows any. */
  get elements(): Slot | undefined {
    this.#elements ??= this.#findElements();
    return this.#elements;
  }

  #findElements(): Slot | undefined {
    const node = this.node.children.get(LIST_ELEMENT);
    if (node === undefined) {
      return undefined;
    }
    const shape = new Shape(node, NO_PROMOTIONS);
    return { key: LIST_ELEMENT, isRenamed: false, opening: ELEMENT, shape, column: undefined };
  }

  #add(key: string): Slot | undefined {
    const name = renameKey(key);
    const node = this.node.children.get(name);
    if (node === undefined) {
      return undefined;
    }
    const column = this.#promotions.values.find((value) => value.key === name);
    let shape = this.#children.get(name);
    if (shape === undefined) {
      shape = new Shape(node, promotionsAt(this.#promotions, name));
      this.#children.set(name, shape);
    }
    const slot = {
      key,
      isRenamed: name !== key,
      opening: new Opening(`\\"${name}\\":`),
      shape,
      column,
    };
    if (this.#slots.size >= MAX_KEYS_PER_PATH) {
      this.#slots.clear();
    }
    this.#slots.set(key, slot);
    return slot;
  }
}

const NO_PROMOTIONS = promotionTree([]);
const ELEMENT = new Opening('');

/** The shapes of whole events, by what their sources have learned. */
export class Shapes {
  readonly #promotions: PromotionNode;
  readonly #known = new WeakMap<LearnedSchema, Shape>();

  /** @param promotions what is promoted of events. */
  constructor(promotions: PromotionNode) {
    this.#promotions = promotions;
  }

  of(schema: LearnedSchema): Shape {
    const known = this.#known.get(schema);
    if (known !== undefined) {
      return known;
    }
    const shape = new Shape(schema.root, this.#promotions);
    this.#known.set(schema, shape);
    return shape;
  }
}
