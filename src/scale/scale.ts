import { FRONT_LIMITS } from './front-limits.ts';
import { ITEM_LIMITS } from './item-limits.ts';
import { LAKE_LIMITS } from './lake-limits.ts';
import type { Limit } from './limit.ts';
import { demandOf, type StreamSizes } from './load.ts';

/** Every limit that the model knows, in the order of an event's way. */
export const LIMITS: readonly Limit[] = [...FRONT_LIMITS, ...ITEM_LIMITS, ...LAKE_LIMITS];

/** Loads beyond this are of no interest. */
const FARTHEST = 1e6;

/** Share of a limit that a load takes; above 1 it has given. */
export function used(limit: Limit, factor: number, sizes: StreamSizes): number {
  return limit.takes(demandOf(factor, sizes)) / limit.most;
}

/**
 * How many times today's load a limit bears: with more it gives. Below 1 today's is too much.
 *
 * @returns Infinity for more than a million times
 */
export function bears(limit: Limit, sizes: StreamSizes): number {
  if (used(limit, FARTHEST, sizes) <= 1) return Number.POSITIVE_INFINITY;
  let [low, high] = [1e-3, FARTHEST];
  // What is taken of a limit never falls as the load grows.
  while (high / low > 1.0001) {
    const middle = Math.sqrt(low * high);
    if (used(limit, middle, sizes) <= 1) low = middle;
    else high = middle;
  }
  return low;
}

/** Limits that have given at a load, the one that gave first at the head. */
export function given(factor: number, sizes: StreamSizes): readonly Limit[] {
  return LIMITS.filter((limit) => used(limit, factor, sizes) > 1).sort(
    (a, b) => bears(a, sizes) - bears(b, sizes),
  );
}
