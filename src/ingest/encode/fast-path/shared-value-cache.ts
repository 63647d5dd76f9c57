/** What has been written of objects that many events share. */
import type { Shared } from '../../../platform/json/fields.ts';
import type { EventShape } from './event-shape.ts';

/** An object at a path as {@link FastValueEncoder} writes it. */
export interface EncodedObject {
  readonly shape: EventShape;
  /** Empty when nothing is left of the object. */
  readonly text: string;
  /** Row text of the slots that it fills, as in `FastValueEncoder`. */
  readonly slots: string;
  readonly keys: number;
  readonly isChanged: boolean;
  readonly isKnown: boolean;
}

/** Held by the objects, so that nothing outlives its request. */
const encodedLast = new WeakMap<Shared, EncodedObject>();

/** What was written of an object at a path, and is valid still; else what `write` gives. */
export function encodedOnce(
  object: Shared,
  shape: EventShape,
  write: () => EncodedObject,
): EncodedObject {
  const last = encodedLast.get(object);
  // What a schema does not know yet, it may know at the next event.
  if (last?.shape === shape && last.isKnown) return last;
  const written = write();
  encodedLast.set(object, written);
  return written;
}
