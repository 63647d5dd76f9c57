/** Writes that may follow each other at once. What a person or a dashboard does stays below that. */
const BURST = 10;

/**
 * How often something may be written: ten times at once, and once per interval over time. What has to wait
 * goes with the next write, so that a flood costs no more than its interval.
 */
export class WriteThrottle {
  readonly #intervalMs: number;
  /** Milliseconds since the epoch from which on ten writes may follow each other again. */
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Milliseconds until a write may begin; 0 when one may now. */
  waitMs(now: number): number {
    const waitMs = this.#fullAt - now - (BURST - 1) * this.#intervalMs;
    // More than the interval means that the clock was set back.
    return waitMs > this.#intervalMs ? 0 : Math.max(0, waitMs);
  }

  /** Notes a write, allowed or not. */
  take(now: number): void {
    const latest = now + BURST * this.#intervalMs;
    this.#fullAt = Math.min(latest, Math.max(now, this.#fullAt) + this.#intervalMs);
  }
}
