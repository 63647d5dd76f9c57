import type { Sleep } from '../platform/concurrency/backoff.ts';
import type { Clock } from '../ports.ts';

interface Waiter<T> {
  readonly deadline: number;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Callers that wait for one piece of work, each until a deadline of its own. The work goes on while
 * anyone waits. It keeps time for its callers by pausing here between steps, so no timer outlives it.
 */
export class SharedWait<T> {
  readonly #waiters = new Set<Waiter<T>>();
  readonly #clock: Clock;
  readonly #sleep: Sleep;

  constructor(clock: Clock, sleep: Sleep) {
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /** The result, or the error of {@link check} once the deadline (milliseconds) has passed. */
  join(deadline: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiters.add({ deadline, resolve, reject });
    return promise;
  }

  /** Milliseconds until nobody waits any more; negative afterwards. */
  remainingMs(): number {
    return Math.max(...this.#deadlines()) - this.#clock.now();
  }

  /** Sleeps, though not past anyone's deadline, then does as {@link check}. */
  async pause(ms: number, late: () => Error): Promise<void> {
    const untilNext = Math.min(...this.#deadlines()) - this.#clock.now();
    await this.#sleep(Math.max(0, Math.min(ms, untilNext)));
    this.check(late);
  }

  /**
   * Turns away the callers whose deadline has passed.
   *
   * @throws the error of `late` when that is all of them. They stay until {@link reject}, so that the
   *   work can clean up first: on Lambda nothing runs after the answer.
   */
  check(late: () => Error): void {
    const now = this.#clock.now();
    const past = [...this.#waiters].filter((waiter) => waiter.deadline <= now);
    if (past.length === this.#waiters.size) {
      throw late();
    }
    for (const waiter of past) {
      this.#waiters.delete(waiter);
      waiter.reject(late());
    }
  }

  resolve(value: T): void {
    for (const waiter of this.#waiters) {
      waiter.resolve(value);
    }
  }

  reject(error: unknown): void {
    for (const waiter of this.#waiters) {
      waiter.reject(error);
    }
  }

  #deadlines(): number[] {
    return [...this.#waiters].map((waiter) => waiter.deadline);
  }
}
