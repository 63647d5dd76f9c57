/** What has been written of objects that many events share. */
import type { Shared } from '../../../platform/json/fields.ts';
import type { Shape } from './event-shape.ts';

/** An object at a path as {@link KnownValues} writes it. */
export interface Written {
  readonly shape: Shape;
  /** Empty when nothing is left of the object. */
  readonly text: string;
  /** Row text of the slots that it fills, as in `KnownValues`. */
  readonly slots: string;
  readonly keys: number;
  readonly isChanged: boolean;
  readonly isKnown: boolean;
}

/** Held by the objects, so that nothing outlives its request. */
const writtenLast = new WeakMap<Shared, Written>();

/** What was written of an object at a path, and is valid still; else what `write` gives. */
export function writtenOf(object: Shared, shape: Shape, write: () => Written): Written {
  const last = writtenLast.get(object);
  // What a schema does not know yet, it may know at the next event.
  if (last?.shape === shape && last.isKnown) {
    return last;
  }
  const written = write();
  writtenLast.set(object, written);
  return written;
}
