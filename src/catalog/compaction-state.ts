import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../platform/clock.ts';
import { decodeItem } from '../platform/dynamo/decode-item.ts';
import { ABSENT, type RegistryTable, unchanged } from '../platform/dynamo/registry-table.ts';
import { ServiceError } from '../platform/errors.ts';
import { ReadCache } from '../platform/read-cache.ts';
import { compactionCodec } from './codecs.ts';
import type { CompactionProgress, CompactionState } from './types.ts';

/** Partition of all that compaction keeps in the registry, so that its role can be given this alone. */
export const COMPACTION_PARTITION = 'compaction';

const STATE_KEY = { pk: COMPACTION_PARTITION, sk: 'state' } as const;

/**
 * How long a watermark is served from memory, milliseconds. An older one is as right as a newer one
 * while the landing files between the two exist, and those are kept for days; a read a minute and
 * instance costs nothing.
 */
export const WATERMARK_CACHE_MS = 60_000;

/**
 * How old a watermark may get while DynamoDB does not answer, milliseconds. What deletes landing
 * files waits for longer than this and the longest run of a query after the watermark has passed them.
 */
export const WATERMARK_MAX_AGE_MS = 600_000;

/** How far compaction got, in one item: what queries must know is written with what it is true of. */
export class CompactionStateStore {
  readonly #table: RegistryTable;
  readonly #clock: Clock;
  readonly #cache: ReadCache<number | undefined>;
  #lastKnown: { readonly watermark: number | undefined; readonly at: number } | undefined;

  constructor(deps: { table: RegistryTable; clock: Clock }) {
    const { table, clock } = deps;
    this.#table = table;
    this.#clock = clock;
    this.#cache = new ReadCache({ clock, ttlMs: WATERMARK_CACHE_MS, maxEntries: 1 });
  }

  async watermark(): Promise<number | undefined> {
    try {
      return await this.#cache.get('', () => this.#readWatermark());
    } catch (error) {
      const known = this.#lastKnown;
      if (known === undefined) throw error;
      const age = this.#clock.now() - known.at;
      // Below 0 the clock was set back, and the age is not known.
      if (age < 0 || age > WATERMARK_MAX_AGE_MS) throw error;
      return known.watermark;
    }
  }

  async read(): Promise<CompactionState | undefined> {
    const item = await this.#table.get(STATE_KEY);
    return item && decodeItem(compactionCodec, item, 'state of compaction');
  }

  async write(
    next: CompactionProgress,
    previous: CompactionState | undefined,
  ): Promise<CompactionState> {
    if (previous !== undefined && next.watermark < previous.watermark) {
      throw new Error('a watermark never moves back: landing files before it may be gone');
    }
    const state = { ...next, version: randomUUID() };
    const condition = previous === undefined ? ABSENT : unchanged('version', previous.version);
    try {
      const item = { ...z.encode(compactionCodec, state), ...STATE_KEY };
      if (await this.#table.put(item, condition)) return state;
      // The SDK repeats a call whose answer got lost; then the first try has succeeded.
      if ((await this.read())?.version === state.version) return state;
    } finally {
      this.#cache.clear();
    }
    throw new ServiceError(
      'compaction_conflict',
      409,
      'Another run of compaction has moved on meanwhile. Read its state again and go on from there.',
    );
  }

  async #readWatermark(): Promise<number | undefined> {
    const at = this.#clock.now();
    const watermark = (await this.read())?.watermark;
    this.#lastKnown = { watermark, at };
    return watermark;
  }
}
