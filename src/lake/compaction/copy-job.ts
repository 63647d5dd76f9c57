import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { CompactionStore } from './compaction-store.ts';
import { HOUR_MS } from './hours.ts';

/**
 * Age at which a copy that was begun is over, whatever became of it: Athena ends a statement that
 * writes after 30 minutes, and after 240 in accounts that raised the quota as far as it goes.
 */
const COPY_LIMIT_MS = 4.5 * HOUR_MS;

/**
 * Copies what an hour lacks.
 *
 * Two copies of the same rows that run at once would both find them missing, and store them twice. So
 * a copy is noted, with its token, before it is begun, and the note stays until its outcome is known. A
 * process that dies leaves note and copy behind; the next one calls the store with that token, which
 * waits for the copy that still runs. Only when none can run any more is another token drawn.
 */
export class CopyJob {
  readonly #store: CompactionStore;
  readonly #clock: Clock;

  constructor(store: CompactionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Sees the copy through that an earlier run began.
   *
   * @returns whether it was given up: it is over, and may have failed again and again.
   */
  async resumePending(checkpoint: Checkpoint): Promise<boolean> {
    const { pendingCopy } = checkpoint;
    if (pendingCopy === undefined) return false;
    const isOver = this.#clock.now() - (checkpoint.notes.startedAt ?? 0) >= COPY_LIMIT_MS;
    if (!isOver) {
      const { hour, days, token, statement } = pendingCopy;
      await this.#store.copy(hour, days, token, statement);
    }
    await checkpoint.save({ pendingCopy: null });
    return isOver;
  }

  /**
   * Copies the hour's rows that have no copy.
   *
   * @returns the event days they are of. The last copy's note is still there: it goes with the next
   *   write, which every caller has to make anyway.
   */
  async copyMissing(checkpoint: Checkpoint, hour: number): Promise<readonly string[]> {
    const missing = await this.#store.missingDays(hour);
    for (let i = 0; i < missing.length; i += this.#store.maxDaysPerCopy) {
      const days = missing.slice(i, i + this.#store.maxDaysPerCopy);
      const token = randomUUID();
      const statement = this.#store.copyStatement(hour, days);
      const now = this.#clock.now();
      await checkpoint.save({
        pendingCopy: { hour, days, token, ...(statement === undefined ? {} : { statement }) },
        // Noted before the copy: an optimization too many is better than one that is forgotten.
        notes: { startedAt: now, dirtySince: checkpoint.markDirtyDays(days, now) },
      });
      await this.#store.copy(hour, days, token, statement);
    }
    return missing;
  }
}
