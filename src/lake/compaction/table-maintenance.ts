import type { Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { CompactionStore } from './compaction-store.ts';
import { DAY_MS, dayOf, endOfDay } from './hours.ts';

export interface TableMaintenanceDeps {
  readonly store: CompactionStore;
  readonly registry: Pick<Registry, 'listSources'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retentionDays?: number | undefined;
}

/** Most rows of a day have arrived when it has been over for so long. */
const SETTLED_MS = DAY_MS;

/**
 * What keeps the compacted table small and quick, once a day: old events go, superseded files go, and
 * a day's many files become few and lose what is deleted.
 *
 * It runs under the lease of compaction and while no copy is outstanding, so that nothing writes to
 * the table when files without a reference are removed.
 */
export class TableMaintenance {
  readonly #deps: TableMaintenanceDeps;

  constructor(deps: TableMaintenanceDeps) {
    this.#deps = deps;
  }

  isDue(checkpoint: Checkpoint): boolean {
    const { deletedOn, expiredOn } = checkpoint.notes;
    const today = this.#today();
    return (
      deletedOn !== today || expiredOn !== today || this.#daysToOptimize(checkpoint).length > 0
    );
  }

  /** Each step is noted when it is done, so what a run does not get to is left to the next. */
  async run(checkpoint: Checkpoint, deadline: number): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const today = this.#today();
    if (clock.now() < deadline && checkpoint.notes.deletedOn !== today) {
      await this.#deleteOld(checkpoint, today);
      await checkpoint.save({ notes: { deletedOn: today } });
    }
    for (const day of this.#daysToOptimize(checkpoint)) {
      if (clock.now() >= deadline) return;
      const startedAt = clock.now();
      await store.optimize(day);
      const { [day]: _, ...others } = checkpoint.notes.dirtySince;
      await checkpoint.save({ notes: { dirtySince: others } });
      logger.info('day optimized', { day, durationMs: clock.now() - startedAt });
    }
    // Last, because the two before leave behind what this one frees.
    if (clock.now() < deadline && checkpoint.notes.expiredOn !== today) {
      await store.expireSnapshots();
      await checkpoint.save({ notes: { expiredOn: today } });
      logger.info('snapshots expired');
    }
  }

  /**
   * Sources first: an event that its source keeps shorter than all events are kept is deleted with
   * its source's.
   */
  async #deleteOld(checkpoint: Checkpoint, today: string): Promise<void> {
    const { store, registry, clock, logger, retentionDays } = this.#deps;
    // Deleted rows cannot be looked for afterwards: what is to be optimized is noted before.
    const noteDays = (days: readonly string[]) =>
      checkpoint.save({ notes: { dirtySince: checkpoint.markDirtyDays(days, clock.now()) } });
    for (const { token, retention_days: days } of await registry.listSources()) {
      if (days === null || days >= (retentionDays ?? Number.POSITIVE_INFINITY)) continue;
      const before = daysBefore(today, days);
      await store.deleteBefore(before, token, noteDays);
      logger.info('old events of a source deleted', { source: token, before });
    }
    if (retentionDays === undefined) return;
    const before = daysBefore(today, retentionDays);
    await store.deleteBefore(before, undefined, noteDays);
    logger.info('old events deleted', { before });
  }

  /**
   * Days to be optimized: over for a day, as is the first of their changes, so that one time does for
   * all that come together.
   */
  #daysToOptimize(checkpoint: Checkpoint): string[] {
    const now = this.#deps.clock.now();
    return Object.entries(checkpoint.notes.dirtySince)
      .filter(([day, at]) => Math.max(endOfDay(day), at) + SETTLED_MS <= now)
      .map(([day]) => day)
      .sort();
  }

  #today(): string {
    return dayOf(this.#deps.clock.now());
  }
}

function daysBefore(day: string, count: number): string {
  return dayOf(Date.parse(day) - count * DAY_MS);
}
