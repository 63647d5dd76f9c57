import type { Clock } from '../../platform/clock.ts';
import type { ResultTimes } from './result-cache-store.ts';

/** Rows as they are stored, compressed. */
export interface StoredBytes extends ResultTimes {
  readonly bytes: Uint8Array;
}

/**
 * How long rows that were read are answered from memory. An item gives 3,000 read units a second, and a
 * result of 350 KB takes 88 for each read: without this, 34 calls a second of one dashboard would be all that
 * DynamoDB answers. With it, each instance reads a result once a second, however many calls it has.
 */
const HOT_MS = 1_000;

/** Compressed bytes in all: two of the largest results. An instance has 1,024 MB. */
const MAX_HOT_BYTES = 16 * 1024 * 1024;

interface Entry extends StoredBytes {
  readonly readAt: number;
}

/** Rows that this process read from the table within the last second. */
export class HotResults {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** In the order in which they were read. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Clock, maxBytes = MAX_HOT_BYTES) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  /** What was read within the last second; what was read in the future was read before the clock was set back. */
  get(key: string): StoredBytes | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const age = this.#clock.now() - entry.readAt;
    if (age >= 0 && age < HOT_MS) return entry;
    this.forget(key);
    return undefined;
  }

  /** @param readAt when the read began, milliseconds. */
  put(key: string, stored: StoredBytes, readAt: number): void {
    this.forget(key);
    this.#entries.set(key, { ...stored, readAt });
    this.#bytes += stored.bytes.byteLength;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.forget(oldest);
    }
  }

  /** For rows that this process replaces or discards. */
  forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes.byteLength ?? 0;
    this.#entries.delete(key);
  }
}
