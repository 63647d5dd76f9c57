import type { Clock } from './clock.ts';

export interface ReadCacheOptions {
  readonly clock: Clock;
  /** How long a loaded value is served, counted from the start of its load. Milliseconds. */
  readonly ttlMs: number;
  /** Beyond this, the entry that was not asked for the longest makes room. */
  readonly maxEntries: number;
}

interface Entry<V> {
  readonly value: Promise<V>;
  readonly startedAt: number;
  /** Late callers share a load however long it takes. */
  isLoading: boolean;
}

/**
 * A read-through cache. "Not found" is a value like any other, concurrent lookups of a key share one
 * load, and failed loads are not kept.
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
      known !== undefined && this.#isFresh(known, now) ? known : this.#load(key, load, now);
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
  #isFresh({ startedAt, isLoading }: Entry<V>, now: number): boolean {
    return isLoading || (startedAt <= now && now < startedAt + this.#options.ttlMs);
  }

  #load(key: string, load: () => Promise<V>, startedAt: number): Entry<V> {
    const entry: Entry<V> = { value: load(), startedAt, isLoading: true };
    entry.value.then(
      () => {
        entry.isLoading = false;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry;
  }

  #evict(): void {
    if (this.#entries.size <= this.#options.maxEntries) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
