import type { Clock } from './clock.ts';

/**
 * The part of its time by which a value may be loaded again sooner. Instances that began with the same burst
 * would ask the same item of DynamoDB at the same moment, again and again; so each takes off a random share.
 */
const JITTER = 0.2;

export interface ReadCacheOptions {
  readonly clock: Clock;
  /** How long a loaded value is served at most, counted from the start of its load. Milliseconds. */
  readonly ttlMs: number;
  /** Beyond this, the entry that was not asked for the longest makes room. */
  readonly maxEntries: number;
  /** @default a value that cannot be loaded again is served no longer */
  readonly stale?: StaleReads;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

/** When a value is served although it could not be loaded again. Never where there was none: that may have changed. */
export interface StaleReads {
  /** How old it may get, counted from the start of the load that it came from. Milliseconds. */
  readonly maxAgeMs: number;
  /** Whether a load that failed so may succeed later. */
  readonly isPassing: (error: unknown) => boolean;
  /** Hears of each load in whose place an older value is served. */
  readonly report: (key: string, ageMs: number, error: unknown) => void;
}

interface Entry<V> {
  readonly value: Promise<V>;
  /** When the load began that the value came from. */
  loadedAt: number;
  /** When the value is to be loaded again. */
  dueAt: number;
  /** Late callers share a load however long it takes. */
  isLoading: boolean;
}

/**
 * A read-through cache. "Not found" is a value like any other, concurrent lookups of a key share one
 * load, and failed loads are not kept.
 *
 * Where stale reads are allowed, the last value stands in for a failed load until the next one is due:
 * asking at each lookup would add to what throttles, and each lookup would wait for its retries.
 */
export class ReadCache<V> {
  readonly #options: ReadCacheOptions;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry<V>>();

  constructor(options: ReadCacheOptions) {
    this.#options = options;
  }

  get(key: string, load: () => Promise<V>): Promise<V> {
    const now = this.#options.clock.now();
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    const entry =
      known !== undefined && this.#isFresh(known, now) ? known : this.#load(key, load, now, known);
    this.#entries.set(key, entry);
    this.#evict();
    return entry.value;
  }

  /** The next lookup of the key loads anew, even while an older load is still under way. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** What was loaded in the future was loaded before the clock was set back, who knows when. */
  #isFresh({ loadedAt, dueAt, isLoading }: Entry<V>, now: number): boolean {
    return isLoading || (loadedAt <= now && now < dueAt);
  }

  #load(
    key: string,
    load: () => Promise<V>,
    loadedAt: number,
    last: Entry<V> | undefined,
  ): Entry<V> {
    const { ttlMs, random = Math.random } = this.#options;
    const value = load().catch((error) => this.#insteadOf(error, key, entry, last));
    const dueAt = loadedAt + ttlMs * (1 - JITTER * random());
    const entry: Entry<V> = { value, loadedAt, dueAt, isLoading: true };
    value.then(
      () => {
        entry.isLoading = false;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry;
  }

  /** The last value, if it may stand in for a load that failed. */
  async #insteadOf(
    error: unknown,
    key: string,
    entry: Entry<V>,
    last: Entry<V> | undefined,
  ): Promise<V> {
    const { clock, stale } = this.#options;
    if (stale === undefined || last === undefined || !stale.isPassing(error)) throw error;
    const value = await last.value;
    const ageMs = clock.now() - last.loadedAt;
    // Below 0 the clock was set back, and the age is not known.
    if (value === undefined || ageMs < 0 || ageMs >= stale.maxAgeMs) throw error;
    stale.report(key, ageMs, error);
    entry.loadedAt = last.loadedAt;
    entry.dueAt = Math.min(entry.dueAt, last.loadedAt + stale.maxAgeMs);
    return value;
  }

  #evict(): void {
    if (this.#entries.size <= this.#options.maxEntries) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
