import { type Change, HISTORY_END } from './changes.ts';

/** From 1901 to 2099 days of the year fall on the same weekdays every 28 years. */
const CYCLE = 10_227 * 86_400;
const YEARS = 28;

/** Seconds since the epoch: times from `from` on have the offset of a number of cycles before. */
export interface Cycle {
  readonly from: number;
  readonly length: number;
}

/**
 * Where changes begin to repeat, so that those after it need not be listed; undefined where they stop
 * some day, or are irregular for too long (Ramadan in Gaza, as far as it is known).
 */
export function cycleOf(changes: readonly Change[]): Cycle | undefined {
  for (let year = 1970 + YEARS; year < 2100 - YEARS; year += 1) {
    const from = Date.UTC(year, 0, 1) / 1000;
    const first = changes.filter(({ at }) => at >= from - CYCLE && at < HISTORY_END - CYCLE);
    const again = changes.filter(({ at }) => at >= from);
    const repeats =
      again.length > 0 &&
      again.length === first.length &&
      again.every(({ at, offset }, i) => at - CYCLE === first[i]?.at && offset === first[i].offset);
    if (repeats) return { from, length: CYCLE };
  }
  return undefined;
}
