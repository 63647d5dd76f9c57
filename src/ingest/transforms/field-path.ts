/** Paths into a normalised event: names joined by dots. Nothing that is given is ever changed. */

import { Fields } from '../../platform/json/fields.ts';
import { isPlainObject } from '../../platform/json/json.ts';

export type FieldPath = readonly string[];

type FieldsOf = Readonly<Record<string, unknown>>;

/** Splits a path; a leading `m.` is short for `metadata.`. */
export function parsePath(text: string): FieldPath {
  const [first = '', ...rest] = text.split('.');
  return first === 'm' && rest.length > 0 ? ['metadata', ...rest] : [first, ...rest];
}

/** What an object has under a name of its own: `constructor` is a name like any other. */
export function ownField(holder: unknown, name: string): unknown {
  return isPlainObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** The value at a path that leads through objects only. */
export function valueAt(fields: FieldsOf, path: FieldPath): unknown {
  return path.reduce<unknown>(ownField, fields);
}

/**
 * The fields with a value at a path, all beside it as it was; objects are made where there are none.
 *
 * @returns undefined where the path leads into something that is no object.
 */
export function withValue(fields: FieldsOf, path: FieldPath, value: unknown): Fields | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return undefined;
  const inner = rest.length === 0 ? value : withInner(ownField(fields, name), rest, value);
  if (inner === undefined) return undefined;
  const copy = copyOf(fields);
  copy[name] = inner;
  return copy;
}

function withInner(holder: unknown, path: FieldPath, value: unknown): Fields | undefined {
  if (holder === undefined) return withValue({}, path, value);
  return isPlainObject(holder) ? withValue(holder, path, value) : undefined;
}

/**
 * The fields without the value at a path, and without the objects that only led to it: what is stored
 * has no empty objects. The same fields where the path leads to nothing.
 */
export function withoutValue(fields: FieldsOf, path: FieldPath): FieldsOf {
  const [name = '', ...rest] = path;
  const value = ownField(fields, name);
  if (value === undefined || (rest.length > 0 && !isPlainObject(value))) return fields;
  const inner = isPlainObject(value) && rest.length > 0 ? withoutValue(value, rest) : undefined;
  if (inner === value) return fields;
  const copy = copyOf(fields);
  if (inner === undefined || Object.keys(inner).length === 0) {
    delete copy[name];
  } else {
    copy[name] = inner;
  }
  return copy;
}

function copyOf(fields: FieldsOf): Fields {
  const copy = new Fields();
  for (const [name, value] of Object.entries(fields)) copy[name] = value;
  return copy;
}
