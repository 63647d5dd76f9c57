import type { Clock } from '../../../src/platform/clock.ts';

/** A clock that only moves when code sleeps on it, and then at once. */
export class TestClock implements Clock {
  /** Every wait asked for, in milliseconds. */
  readonly naps: number[] = [];
  #now: number;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  readonly sleep = async (ms: number): Promise<void> => {
    this.naps.push(ms);
    this.advance(ms);
  };
}
