/** How waits grow, in milliseconds. */
export interface Backoff {
  /** Upper bound of the first wait. */
  readonly baseMs: number;
  /** Upper bound of any wait. */
  readonly capMs: number;
}

/**
 * A wait drawn evenly between zero and a bound that doubles with every attempt. Full jitter, because
 * callers throttled together would otherwise come back together.
 *
 * @param attempt failed attempts so far, from 1.
 * @param random a number in [0, 1).
 * @returns milliseconds, at least 1, so that a loop of waits always gets past its deadline.
 */
export function fullJitter(backoff: Backoff, attempt: number, random: () => number): number {
  const bound = Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1));
  return Math.max(1, Math.round(random() * bound));
}
