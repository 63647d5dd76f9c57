import type { Clock } from '../clock.ts';
import type { Sleep } from '../concurrency/sleep.ts';
import type { Waiting } from '../execution.ts';

/** Keeps time for the callers who wait: repeats and polls end when the last of them has gone. */
export class Patience {
  readonly #waiting: Waiting;
  readonly #clock: Clock;
  readonly #sleep: Sleep;

  constructor(waiting: Waiting, { clock, sleep }: { clock: Clock; sleep: Sleep }) {
    this.#waiting = waiting;
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /** Milliseconds until the last caller goes; 0 or less afterwards. */
  remainingMs(): number {
    return this.#waiting.until - this.#clock.now();
  }

  /** @throws the error of `late` once all callers have gone. */
  check(late: () => Error): void {
    if (this.remainingMs() <= 0) throw late();
  }

  /** Sleeps, though not past the last caller's time, then does as {@link check}. */
  async pause(ms: number, late: () => Error): Promise<void> {
    await this.#sleep(Math.max(0, Math.min(ms, this.remainingMs())));
    this.check(late);
  }
}
