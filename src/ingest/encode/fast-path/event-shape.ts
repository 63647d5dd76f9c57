/** What a source's learned paths mean for writing its events. */
import type { InferredNode, InferredSchema } from '../../../lake/schema/inferred-schema.ts';
import { LIST_ELEMENT } from '../../../lake/schema/schema.ts';
import { renameKey } from '../../normalize/rename-keys.ts';

/** Keys remembered per path; several keys can share a name, so the schema does not bound them. */
const MAX_KEYS_PER_PATH = 2000;

/** How a value begins in JSON text within JSON text, by what stands before it and what it is. */
export class KeyPrefix {
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
export interface Member {
  readonly key: string;
  /** Whether the key is stored under another name. */
  readonly isRenamed: boolean;
  readonly prefix: KeyPrefix;
  readonly shape: EventShape;
}

/** One learned path. */
export class EventShape {
  readonly node: InferredNode;
  /**
   * Members in the order in which the last object had them. Clients build their objects alike, so most
   * keys are found by comparing two references.
   */
  readonly order: Member[] = [];
  /** The visit that met this path last: a second time within one object means two keys of one name. */
  lastVisit = 0;
  readonly #members = new Map<string, Member>();
  /** By name; as many as the schema knows. */
  readonly #children = new Map<string, EventShape>();
  #elements: Member | undefined;

  constructor(node: InferredNode) {
    this.node = node;
  }

  /** The member under a key that the schema knows. */
  member(key: string): Member | undefined {
    return this.#members.get(key) ?? this.#add(key);
  }

  /** The elements of lists at this path, if the schema knows any. */
  get elements(): Member | undefined {
    this.#elements ??= this.#findElements();
    return this.#elements;
  }

  #findElements(): Member | undefined {
    const node = this.node.children.get(LIST_ELEMENT);
    if (node === undefined) return undefined;
    return { key: LIST_ELEMENT, isRenamed: false, prefix: ELEMENT, shape: new EventShape(node) };
  }

  #add(key: string): Member | undefined {
    const name = renameKey(key);
    const node = this.node.children.get(name);
    if (node === undefined) return undefined;
    let shape = this.#children.get(name);
    if (shape === undefined) {
      shape = new EventShape(node);
      this.#children.set(name, shape);
    }
    const prefix = new KeyPrefix(`\\"${name}\\":`);
    const member = { key, isRenamed: name !== key, prefix, shape };
    if (this.#members.size >= MAX_KEYS_PER_PATH) this.#members.clear();
    this.#members.set(key, member);
    return member;
  }
}

const ELEMENT = new KeyPrefix('');

/** The shapes of whole events, by what their sources have learned. */
export class EventShapes {
  readonly #known = new WeakMap<InferredSchema, EventShape>();

  of(schema: InferredSchema): EventShape {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const shape = new EventShape(schema.root);
    this.#known.set(schema, shape);
    return shape;
  }
}
