/** How many events may be stored, and the words that rate limits are described in. */

/** Tokens are events. A bucket holds what its rate gives in {@link WINDOW_SECONDS}. */
export interface Bucket {
  /** Whose events are counted, such as `source#<token>`. */
  readonly key: string;
  /** Events per second, a whole number; 0 refuses everything. */
  readonly rate: number;
}

/** Events per second where a source or a key has no quota of its own. */
export interface DefaultRates {
  readonly perSource: number;
  readonly perKey: number;
}

/** Of Logflare's single-tenant plan. */
export const DEFAULT_RATES: DefaultRates = { perSource: 100_000, perKey: 500_000 };

/** Far above what Firehose takes in any region. */
export const MAX_RATE = 10_000_000;

/** Limits are announced per window (Logflare 1.50). */
export const WINDOW_SECONDS = 60;

/**
 * The longest debt. One request of 100,000 events under a quota of one per second must not lock its
 * sender out for a day.
 */
export const MAX_DEBT_SECONDS = 600;

/**
 * How far the clocks of instances may differ. What was noted at a later time than that was noted before
 * the clock was set back: how much of it has been paid is not known, and it is forgiven.
 */
export const MAX_SKEW_SECONDS = 10;

/** Events that a full bucket holds. */
export function capacityOf({ rate }: Bucket): number {
  return rate * WINDOW_SECONDS;
}

/** What an instance asks a shared bucket for. */
export interface Draft {
  /** Events to come; given as far as the bucket has them once the debt is paid. */
  readonly tokens: number;
  /** Events stored beyond what had been drawn; always taken. */
  readonly debt: number;
}

export interface DrawnTokens {
  /** How many of the tokens were given. The debt was taken whole. */
  readonly granted: number;
  /** When the bucket will be full if no instance draws; microseconds since the epoch. */
  readonly theoreticalArrivalTime: number;
}

/** The buckets that all instances of the service draw from. */
export interface SharedBuckets {
  /**
   * Draws from a bucket. A debt may leave it owing, and then no instance is given anything until that has
   * flowed in again.
   *
   * @param lastSeen `fullAt` of an earlier answer, which saves a call when it still holds.
   * @throws Error when the buckets cannot be reached, or not in time.
   */
  draw(bucket: Bucket, draft: Draft, lastSeen?: number): Promise<DrawnTokens>;
}
