import type { Clock } from '../../platform/clock.ts';
import type { ResultTimes } from './result-cache-store.ts';

/** Rows as they are stored, compressed. */
export interface StoredBytes extends ResultTimes {
  readonly bytes: Uint8Array;
}

/**
 * How long rows that were read are answered from memory: a second for every 35 KB, so that an instance takes nine
 * read units a second of a result, however many calls it has. An item gives 3,000, and a read of 350 KB is 88:
 * without this, 34 calls a second of one dashboard would be all that DynamoDB answers.
 */
const HOT_MS_PER_BYTE = 1_000 / 35_000;
const MIN_HOT_MS = 1_000;
/** As long as what was read of the registry is remembered. */
const MAX_HOT_MS = 10_000;

/** Compressed bytes in all: two of the largest results. An instance has 1,024 MB. */
const MAX_HOT_BYTES = 16 * 1024 * 1024;

interface Entry extends StoredBytes {
  readonly readAt: number;
}

/** Rows that this process read from the table within the last second, or ten where they are large. */
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

  /** What was read lately; what was read in the future was read before the clock was set back. */
  get(key: string): StoredBytes | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const age = this.#clock.now() - entry.readAt;
    if (age >= 0 && age < hotMs(entry)) return entry;
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

function hotMs({ bytes }: StoredBytes): number {
  return Math.min(MAX_HOT_MS, Math.max(MIN_HOT_MS, bytes.byteLength * HOT_MS_PER_BYTE));
}
