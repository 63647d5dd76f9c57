/**
 * The one walk over an event: removes what is empty, renames keys, checks bounds, and notices what
 * the inferred schema does not know yet (Logflare 1.50).
 */

import type { TypeMask } from '../../catalog/source-schema.ts';
import { fitsInt64, type InferredNode } from '../../lake/schema/inferred-schema.ts';
import { JsonType, LIST_ELEMENT } from '../../lake/schema/schema.ts';
import { copyBefore, type FieldSet, type Fields } from '../../platform/json/fields.ts';
import { isRawNumber, MAX_JSON_DEPTH, type RawNumber } from '../../platform/json/json.ts';
import { EventRejected } from '../event/rejected-event.ts';
import { KeyNames } from './rename-keys.ts';

/** Keys of one event, at all depths. */
export const MAX_KEYS = 10_000;
/** Characters of one key; a name is cut at 128 bytes anyway. */
const MAX_KEY_LENGTH = 1000;

/** Walks the events of one request after another; holds what it met in the current one. */
export class Sanitizer {
  /** Whether a known path showed a type that rows may not hold yet. */
  sawNewType = false;
  /** Whether a path was met that the schema lacks. */
  sawNewPath = false;
  #keys = 0;
  readonly #names = new KeyNames();

  /** Forgets the event before. */
  reset(): void {
    this.sawNewType = false;
    this.sawNewPath = false;
    this.#keys = 0;
  }

  /** The stored name of a key of the event; counts it. */
  nameOf(key: string): string {
    this.#keys++;
    if (this.#keys > MAX_KEYS) throw new EventRejected(`more than ${MAX_KEYS} keys`);
    if (key.length > MAX_KEY_LENGTH) {
      throw new EventRejected(`a key is longer than ${MAX_KEY_LENGTH} characters`);
    }
    return this.#names.nameOf(key);
  }

  /**
   * A value without its empty parts, keys renamed; undefined when nothing is left. What needs no
   * change is returned as it is, and the argument itself is never changed. Members that are undefined,
   * as formats may leave them, are absent.
   *
   * @param node where the schema keeps the value's path; undefined where nothing is learned.
   * @param depth level of nesting of the value, 1 for an event.
   * @throws EventRejected beyond the bounds.
   */
  clean(value: unknown, node: InferredNode | undefined, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return value === '' ? undefined : this.#scalar(value, node, JsonType.string);
      case 'number':
        return this.#number(value, node);
      case 'boolean':
        return this.#scalar(value, node, JsonType.bool);
      case 'object':
        if (value === null) return undefined;
        if (Array.isArray(value)) return this.#list(value, node, depth);
        if (isRawNumber(value)) return this.#rawNumber(value, node);
        return this.#object(value as Fields, node, depth);
      default:
        return undefined;
    }
  }

  /** Notices that a node lacks a child for what is kept below it. */
  noticeMissing(node: InferredNode | undefined): void {
    if (node?.isOpen) this.sawNewPath = true;
  }

  #scalar<T>(value: T, node: InferredNode | undefined, type: TypeMask): T {
    if (node !== undefined && (node.settled & type) === 0) this.sawNewType = true;
    return value;
  }

  #number(value: number, node: InferredNode | undefined): number {
    if (!Number.isFinite(value)) {
      throw new EventRejected('a number is beyond the range of a 64-bit float');
    }
    return this.#scalar(value, node, Number.isSafeInteger(value) ? JsonType.int : JsonType.float);
  }

  #rawNumber(value: RawNumber, node: InferredNode | undefined): RawNumber {
    this.#number(Number(value.rawJSON), undefined);
    return this.#scalar(value, node, fitsInt64(value.rawJSON) ? JsonType.int : JsonType.float);
  }

  #list(list: readonly unknown[], node: InferredNode | undefined, depth: number): unknown {
    checkDepth(depth);
    const elements = node?.children.get(LIST_ELEMENT);
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const cleaned = this.clean(list[index], elements, depth + 1);
      if (copy === undefined && cleaned !== list[index]) copy = list.slice(0, index);
      if (copy !== undefined && cleaned !== undefined) copy.push(cleaned);
    }
    const result = copy ?? list;
    if (result.length === 0) return undefined;
    if (elements === undefined) this.noticeMissing(node);
    return this.#scalar(result, node, JsonType.list);
  }

  #object(object: Fields, node: InferredNode | undefined, depth: number): unknown {
    checkDepth(depth);
    let copy: FieldSet | undefined;
    let isEmpty = true;
    for (const key in object) {
      const value = object[key];
      const name = this.nameOf(key);
      const child = node?.children.get(name);
      const cleaned = this.clean(value, child, depth + 1);
      if (cleaned !== undefined) {
        isEmpty = false;
        if (child === undefined) this.noticeMissing(node);
      }
      const isKept = cleaned === value && cleaned !== undefined && name === key;
      if (copy === undefined && !isKept) copy = copyBefore(object, key);
      if (copy !== undefined && cleaned !== undefined) copy.put(name, key, cleaned);
    }
    if (isEmpty) return undefined;
    return this.#scalar(copy?.fields ?? object, node, JsonType.object);
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_JSON_DEPTH) {
    throw new EventRejected(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}
