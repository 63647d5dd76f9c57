/** Objects that are built field by field under names that a client chose. */
import { isRawNumber } from './json.ts';

/**
 * Fields by name. Object.prototype is not inherited, so `__proto__` is a name like any other; and V8
 * keeps the instances of a class fast, which it does not for `Object.create(null)`.
 */
export class Fields {
  [name: string]: unknown;
}
Object.setPrototypeOf(Fields.prototype, null);

/** What every event of a request repeats: one object, which is not changed once it is filled. */
export class Shared extends Fields {}

/** The same fields as an object to share, but for those of which nothing is stored. */
export function shared(fields: Fields): Shared {
  const object = new Shared();
  for (const key in fields) {
    if (!isEmpty(fields[key])) object[key] = fields[key];
  }
  return object;
}

/** Whether nothing of a value is stored, as far as it shows without a walk. */
export function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return value === undefined || value === null || value === '';
  }
  for (const _ in value) return false;
  return !isRawNumber(value);
}

/** Fields under their stored names. Of keys that share a name, the last in code-unit order wins. */
export class FieldSet {
  readonly fields = new Fields();
  /** The keys of those fields whose names are not their keys. */
  #keys: Map<string, string> | undefined;

  put(name: string, key: string, value: unknown): void {
    const isTaken = this.fields[name] !== undefined;
    if (isTaken && (this.#keys?.get(name) ?? name) > key) return;
    if (isTaken || name !== key) {
      this.#keys ??= new Map();
      this.#keys.set(name, key);
    }
    this.fields[name] = value;
  }
}

/** The fields of an object that stand before a key, as they are. */
export function copyBefore(object: Fields, end: string): FieldSet {
  const copy = new FieldSet();
  for (const key in object) {
    if (key === end) break;
    copy.fields[key] = object[key];
  }
  return copy;
}
