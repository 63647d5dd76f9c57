import { isPlainObject } from '../../../platform/json/json.ts';

/** Fields by their stored names; metadata among them. */
export type EventFields = Readonly<Record<string, unknown>>;

/** What a path leads to: nothing, only values that fail a test, or at least one that passes. */
export type Reached = 'nothing' | 'others' | 'match';

/**
 * Follows a path through objects, and into each object of a list. A list at its end is a value.
 */
export function reach(
  fields: EventFields,
  names: readonly string[],
  meets: (value: unknown) => boolean,
  depth = 0,
): Reached {
  const name = names[depth];
  // Own fields only: `constructor` is a name like any other.
  if (name === undefined || !Object.hasOwn(fields, name)) return 'nothing';
  const value = fields[name];
  if (value === undefined) return 'nothing';
  if (depth === names.length - 1) return meets(value) ? 'match' : 'others';
  if (!Array.isArray(value)) {
    return isPlainObject(value) ? reach(value, names, meets, depth + 1) : 'nothing';
  }
  let best: Reached = 'nothing';
  for (const element of value) {
    const found = isPlainObject(element) ? reach(element, names, meets, depth + 1) : 'nothing';
    if (found === 'match') return found;
    best = found === 'others' ? found : best;
  }
  return best;
}
