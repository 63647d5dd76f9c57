/** Wall clock, injected so that tests and the SQL compiler agree on "now". */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
