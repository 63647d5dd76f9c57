import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/platform/clock.ts';
import type { Sleep } from '../../src/platform/concurrency/sleep.ts';

interface Timer {
  readonly at: number;
  readonly number: number;
  readonly ring: () => void;
}

/**
 * Time that passes when all who live in it wait: hours of it are over in seconds. Each task waits for one
 * thing at a time, through {@link sleep}; what takes no virtual time, as compressing does, may take real time.
 */
export class VirtualTime implements Clock {
  /** A heap: each timer rings no later than those at twice its place, and the one after. */
  readonly #timers: Timer[] = [];
  #now: number;
  #awake = 0;
  #numbered = 0;

  constructor(startMs = Date.UTC(2026, 10, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  readonly sleep: Sleep = async (ms) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#push({ at: this.#now + ms, number: this.#numbered++, ring: resolve });
    this.#awake -= 1;
    await promise;
    this.#awake += 1;
  };

  /** Starts a task. Its failure fails the run. */
  start(task: () => Promise<void>): void {
    this.#awake += 1;
    task().then(
      () => {
        this.#awake -= 1;
      },
      (error: unknown) => {
        this.#failure = { error };
        this.#awake -= 1;
      },
    );
  }

  #failure: { readonly error: unknown } | undefined;

  /**
   * Lets time pass until nothing is left to wait for.
   *
   * @throws what a task threw.
   */
  async run(): Promise<void> {
    for (;;) {
      // Promises that are settled run on before the next turn.
      while (this.#awake > 0) await turn();
      if (this.#failure !== undefined) throw this.#failure.error;
      const next = this.#pop();
      if (next === undefined) return;
      this.#now = Math.max(this.#now, next.at);
      next.ring();
      await turn();
    }
  }

  #push(timer: Timer): void {
    let at = this.#timers.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isEarlier(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): Timer | undefined {
    const [first] = this.#timers;
    const last = this.#timers.pop();
    if (last === undefined || this.#timers.length === 0) return last;
    this.#timers[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (this.#isEarlier(child, least)) least = child;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #isEarlier(a: number, b: number): boolean {
    const [one, other] = [this.#timers[a], this.#timers[b]];
    if (one === undefined || other === undefined) return false;
    return one.at === other.at ? one.number < other.number : one.at < other.at;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#timers[a], this.#timers[b]];
    if (one === undefined || other === undefined) return;
    this.#timers[a] = other;
    this.#timers[b] = one;
  }
}
