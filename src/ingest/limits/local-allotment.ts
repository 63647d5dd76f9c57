import type { Clock } from '../../platform/clock.ts';
import {
  type Bucket,
  capacityOf,
  MAX_SKEW_SECONDS,
  type SharedBuckets,
  WINDOW_SECONDS,
} from './token-bucket.ts';

/**
 * A lease is what this instance used in so many seconds lately, between a hundredth of a second's
 * worth and two seconds' worth of the rate. Small ones leave enough for a thousand instances that
 * start at once; large ones cost a busy instance a call every other second.
 */
const TOKEN_LEASE_SECONDS = 5;
const MIN_TOKEN_LEASE_SECONDS = 0.01;
const MAX_TOKEN_LEASE_SECONDS = 2;

/** A quota of a few events per second would otherwise cost a call for each. */
const MIN_TOKEN_LEASE = 10;

/** The next lease is drawn in the background when this part of the last one is left. */
const LOW_WATER = 0.25;

/** Unused tokens go back by time: an idle instance must not add a hoard to a full bucket. */
export const TOKEN_LEASE_LIFETIME_MS = 60_000;

/** How long the shared bucket is left alone after it could not be reached. */
export const RETRY_MS = 5_000;

/** The most tokens that one instance holds. */
export function largestTokenLease({ rate }: Pick<Bucket, 'rate'>): number {
  return Math.max(MIN_TOKEN_LEASE, Math.ceil(rate * MAX_TOKEN_LEASE_SECONDS));
}

/**
 * An empty bucket is left alone until it has something worth a call: under a storm of requests each
 * would otherwise fetch what has flowed in since the last.
 */
const PAUSE_MS = 500;

/**
 * How far that is put off where others draw from the bucket too: an instance that finds less than half of what has
 * flowed in since doubles its pause. An item takes 1,000 writes a second, and one that loses a race costs what one
 * that wins does: 20 instances at an empty bucket made 3.9 calls a second each without this, and make 1.2. What
 * flows in meanwhile stays in the bucket.
 */
const MAX_PAUSE_MS = 8_000;

/** Whether an event may be stored now, and what is left. */
export interface TokenState {
  /** Seconds until there are tokens; undefined when there are. */
  readonly retryAfterSeconds: number | undefined;
  /** Tokens that are left in the bucket and here, as far as this instance knows; 0 when there are none to be had. */
  readonly remaining: number;
}

interface TokenLeaseDeps {
  readonly bucket: Bucket;
  readonly shared: SharedBuckets;
  readonly clock: Clock;
  /** Told of every failure to reach the shared bucket. */
  readonly onFailure: (error: unknown) => void;
  readonly random?: (() => number) | undefined;
}

/** What one instance has drawn from one shared bucket and spends without further calls. */
export class TokenLease {
  readonly #deps: TokenLeaseDeps;
  /** Negative when more was stored than drawn. */
  #balance = 0;
  #size = 0;
  #expiresAt = 0;
  /** As the shared bucket last said; microseconds since the epoch. */
  #theoreticalArrivalTime = 0;
  /** Milliseconds before which the shared bucket is not asked for tokens. */
  #emptyUntil = 0;
  /** Milliseconds that a bucket is left alone when it is empty. */
  #pauseMs = PAUSE_MS;
  /** Milliseconds until which everything is let through, because the shared bucket is out of reach. */
  #openUntil = 0;
  #drawing: Promise<void> | undefined;
  #used = 0;
  #lastDrawAt: number | undefined;
  #lastNow = 0;

  constructor(deps: TokenLeaseDeps) {
    this.#deps = deps;
  }

  get rate(): number {
    return this.#deps.bucket.rate;
  }

  /** Looks whether there are tokens; calls the shared bucket only where there are none left here. */
  async state(): Promise<TokenState> {
    if (this.rate === 0) return { retryAfterSeconds: WINDOW_SECONDS, remaining: 0 };
    this.#forgetTheFuture();
    this.#expire();
    if (this.#balance <= 0 && !this.#isOpen && !this.#isEmpty) await this.#draw();
    // What was under way when this request came may have been too little.
    if (this.#balance <= 0 && !this.#isOpen && !this.#isEmpty) await this.#draw();
    const isLow = this.#balance > 0 && this.#balance <= this.#size * LOW_WATER;
    // Never rejects, and is most often done before the events of this request are stored.
    if (isLow && !this.#isOpen && !this.#isEmpty) void this.#draw();
    const mayPass = this.#balance > 0 || this.#isOpen;
    return mayPass
      ? { retryAfterSeconds: undefined, remaining: this.#remaining() }
      : { retryAfterSeconds: this.#wait(), remaining: 0 };
  }

  /**
   * Takes what was stored. A debt is noted in the shared bucket before this resolves, so that it is
   * paid also when this instance is never called again.
   */
  async charge(events: number): Promise<void> {
    if (!this.#isOpen) {
      this.#balance -= events;
      this.#used += events;
    }
    // A Lambda stands still after its answer, so that what is under way has to end before; and it may
    // not know of this debt.
    await this.#drawing;
    if (this.#balance < 0 && !this.#isOpen) await this.#draw();
  }

  get #isOpen(): boolean {
    return this.#deps.clock.now() < this.#openUntil;
  }

  get #isEmpty(): boolean {
    return this.#deps.clock.now() < this.#emptyUntil;
  }

  /** Once the clock was set back, no time that was noted before means anything. */
  #forgetTheFuture(): void {
    const now = this.#deps.clock.now();
    if (now < this.#lastNow - MAX_SKEW_SECONDS * 1_000) {
      this.#balance = 0;
      this.#theoreticalArrivalTime = 0;
      this.#emptyUntil = 0;
      this.#openUntil = 0;
      this.#lastDrawAt = undefined;
    }
    this.#lastNow = now;
  }

  #expire(): void {
    if (this.#balance > 0 && this.#deps.clock.now() >= this.#expiresAt) this.#balance = 0;
  }

  /** Draws what fills the lease up; late callers share a draw that is under way. */
  #draw(): Promise<void> {
    this.#drawing ??= this.#drawOnce().finally(() => {
      this.#drawing = undefined;
    });
    return this.#drawing;
  }

  async #drawOnce(): Promise<void> {
    const now = this.#deps.clock.now();
    const size = this.#nextSize(now);
    const debt = Math.max(0, -this.#balance);
    const tokens = this.#isEmpty ? 0 : Math.max(0, size - Math.max(0, this.#balance));
    if (tokens === 0 && debt === 0) return;
    try {
      const { granted, theoreticalArrivalTime: fullAt } = await this.#deps.shared.draw(
        this.#deps.bucket,
        { tokens, debt },
        this.#theoreticalArrivalTime,
      );
      this.#balance += debt + granted;
      this.#theoreticalArrivalTime = fullAt;
      if (granted > 0) {
        this.#size = size;
        this.#expiresAt = now + TOKEN_LEASE_LIFETIME_MS;
        this.#used = 0;
        this.#lastDrawAt = now;
      }
      if (tokens > 0) this.#pauseMs = this.#pauseAfter(granted, tokens, now);
      if (granted < tokens || tokens === 0) this.#emptyUntil = this.#worthAsking();
    } catch (error) {
      this.#openUntil = this.#deps.clock.now() + RETRY_MS;
      this.#deps.onFailure(error);
    }
  }

  /** Milliseconds at which half a second's worth, or one token, has flowed into an empty bucket. */
  #worthAsking(): number {
    const emptyAt = Math.ceil(this.#theoreticalArrivalTime / 1_000) - WINDOW_SECONDS * 1_000;
    const pauseMs = Math.max(this.#pauseMs, Math.ceil(1_000 / this.rate));
    // Instances that were refused at the same moment are not to come back at the same moment.
    const apart = this.#pauseMs > PAUSE_MS ? (this.#deps.random ?? Math.random)() : 0;
    return emptyAt + Math.ceil(pauseMs * (1 + apart));
  }

  /** Twice as long when others have drawn most of what this instance waited for. */
  #pauseAfter(granted: number, tokens: number, now: number): number {
    const waited = this.#emptyUntil > 0 && now >= this.#emptyUntil;
    const flowedIn = Math.floor((this.rate * this.#pauseMs) / 1_000);
    const isContended = waited && granted < Math.min(tokens, flowedIn) / 2;
    return isContended ? Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs) : PAUSE_MS;
  }

  #nextSize(now: number): number {
    const largest = largestTokenLease(this.#deps.bucket);
    const smallest = Math.min(
      largest,
      Math.max(MIN_TOKEN_LEASE, this.rate * MIN_TOKEN_LEASE_SECONDS),
    );
    if (this.#lastDrawAt === undefined) return Math.ceil(smallest);
    const seconds = Math.max(1, (now - this.#lastDrawAt) / 1_000);
    const wanted = (this.#used / seconds) * TOKEN_LEASE_SECONDS;
    return Math.ceil(Math.min(largest, Math.max(smallest, wanted)));
  }

  #wait(): number {
    return Math.max(1, Math.ceil((this.#emptyUntil - this.#deps.clock.now()) / 1_000));
  }

  #remaining(): number {
    const capacity = capacityOf(this.#deps.bucket);
    const missing =
      Math.max(0, this.#theoreticalArrivalTime / 1_000 - this.#deps.clock.now()) *
      (this.rate / 1_000);
    // Drawing rounds to microseconds, so what is whole may look like a little less.
    const left = Math.round(capacity - missing + this.#balance);
    return Math.min(capacity, Math.max(0, left));
  }
}
