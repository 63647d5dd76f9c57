import { createHash } from 'node:crypto';
import type { View } from './view.ts';

/** A view that was made, or begun. */
export interface MadeView {
  readonly name: string;
  /** {@link fingerprint} of its query; empty from before a statement begins until it has succeeded. */
  readonly hash: string;
  /** When, milliseconds since the epoch. */
  readonly madeAt: number;
}

/**
 * Views are made anew after a day even if nothing changed, milliseconds: that brings back what
 * a person dropped by hand. Athena does not charge for it.
 */
export const REMAKE_MS = 86_400_000;

export function fingerprint({ query }: View): string {
  return createHash('sha256').update(query).digest('hex');
}

/** Whether a view has to be made. */
export function isDue(view: View, made: MadeView | undefined, now: number): boolean {
  return made === undefined || made.hash !== fingerprint(view) || now - made.madeAt >= REMAKE_MS;
}

/** Names of views that were made, or begun, and should not be there any more. */
export function obsolete(desired: readonly View[], made: readonly MadeView[]): string[] {
  const wanted = new Set(desired.map(({ name }) => name));
  return made.map(({ name }) => name).filter((name) => !wanted.has(name));
}
