import type { Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Checkpoint, CompactionNotes } from './checkpoint.ts';
import type { CompactionStore } from './compaction-store.ts';
import { endsRun, isWaiting, withFailure, without } from './failed-steps.ts';
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

/** A deletion of old events. */
interface Deletion {
  readonly step: string;
  /** The first day that is kept. */
  readonly before: string;
  /** Of all sources when left out. */
  readonly sourceId?: string;
}

const EXPIRE = 'expire snapshots';
const OPTIMIZE = 'optimize ';
const DELETE = 'delete old events';

/**
 * What keeps the compacted table small and quick, once a day: old events go, superseded files go, and
 * a day's many files become few and lose what is deleted.
 *
 * It runs under the lease of compaction and while no copy is outstanding, so that nothing writes to
 * the table when files without a reference are removed.
 *
 * No step needs another: a step that fails is noted and waits for its next attempt, and the others go on.
 */
export class TableMaintenance {
  readonly #deps: TableMaintenanceDeps;

  constructor(deps: TableMaintenanceDeps) {
    this.#deps = deps;
  }

  isDue(checkpoint: Checkpoint): boolean {
    return (
      this.#areDeletionsDue(checkpoint) ||
      this.#isExpiryDue(checkpoint) ||
      this.#daysToOptimize(checkpoint).length > 0
    );
  }

  /**
   * Each step is noted when it is done, so what a run does not get to is left to the next.
   *
   * @throws ServiceError what ends the run (see {@link endsRun}), and errors of the registry.
   */
  async run(checkpoint: Checkpoint, deadline: number): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const today = this.#today();
    if (clock.now() < deadline && this.#areDeletionsDue(checkpoint)) {
      await this.#deleteOld(checkpoint, today);
    }
    // Before the days, however many there are: what they leave behind is freed days later in any case.
    if (clock.now() < deadline && this.#isExpiryDue(checkpoint)) {
      const expire = () => store.expireSnapshots();
      if (await this.#attempt(checkpoint, EXPIRE, expire, () => ({ expiredOn: today })))
        logger.info('snapshots expired');
    }
    for (const day of this.#daysToOptimize(checkpoint)) {
      if (clock.now() >= deadline) return;
      const startedAt = clock.now();
      const optimize = () => store.optimize(day);
      const done = () => {
        const { [day]: _, ...others } = checkpoint.notes.dirtySince;
        return { dirtySince: others };
      };
      if (await this.#attempt(checkpoint, `${OPTIMIZE}${day}`, optimize, done))
        logger.info('day optimized', { day, durationMs: clock.now() - startedAt });
    }
  }

  /**
   * Does a step, and notes that it is done or when it is tried again.
   *
   * @param notes what is noted when it is done.
   * @returns whether it is done.
   */
  async #attempt(
    checkpoint: Checkpoint,
    step: string,
    work: () => Promise<void>,
    notes: () => Partial<CompactionNotes>,
  ): Promise<boolean> {
    const { clock, logger } = this.#deps;
    try {
      await work();
    } catch (error) {
      if (endsRun(error)) throw error;
      const failed = withFailure(checkpoint.notes.failed, step, error, clock.now());
      await checkpoint.save({ notes: { failed } });
      logger.error('a step of maintenance failed', { step, ...failed[step], error });
      return false;
    }
    await checkpoint.save({
      notes: { ...notes(), failed: without(checkpoint.notes.failed, step) },
    });
    return true;
  }

  /** All of the day's; after that those that failed. */
  async #deleteOld(checkpoint: Checkpoint, today: string): Promise<void> {
    const { store, clock, logger } = this.#deps;
    const deletions = await this.#deletions(today);
    const isFirst = checkpoint.notes.deletedOn !== today;
    // Deleted rows cannot be looked for afterwards: what is to be optimized is noted before.
    const noteDays = (days: readonly string[]) =>
      checkpoint.save({ notes: { dirtySince: checkpoint.markDirtyDays(days, clock.now()) } });
    for (const { step, before, sourceId } of deletions) {
      const { failed } = checkpoint.notes;
      if ((!isFirst && failed[step] === undefined) || isWaiting(failed, step, clock.now()))
        continue;
      const work = () => store.deleteBefore(before, sourceId, noteDays);
      if (await this.#attempt(checkpoint, step, work, () => ({})))
        logger.info('old events deleted', { source: sourceId ?? 'all', before });
    }
    const steps = new Set(deletions.map(({ step }) => step));
    // A source that is gone, or keeps its events now, leaves no note.
    const failed = Object.entries(checkpoint.notes.failed).filter(
      ([step]) => !step.startsWith(DELETE) || steps.has(step),
    );
    await checkpoint.save({ notes: { deletedOn: today, failed: Object.fromEntries(failed) } });
  }

  /**
   * Sources first: an event that its source keeps shorter than all events are kept is deleted with
   * its source's.
   */
  async #deletions(today: string): Promise<Deletion[]> {
    const { registry, retentionDays } = this.#deps;
    const longest = retentionDays ?? Number.POSITIVE_INFINITY;
    const ofSources = (await registry.listSources()).flatMap(
      ({ token: sourceId, retention_days: days }) =>
        days === null || days >= longest
          ? []
          : [{ step: `${DELETE} of ${sourceId}`, before: daysBefore(today, days), sourceId }],
    );
    return retentionDays === undefined
      ? ofSources
      : [...ofSources, { step: DELETE, before: daysBefore(today, retentionDays) }];
  }

  #areDeletionsDue(checkpoint: Checkpoint): boolean {
    const { deletedOn, failed } = checkpoint.notes;
    const now = this.#deps.clock.now();
    const failedOnes = Object.keys(failed).filter((step) => step.startsWith(DELETE));
    return deletedOn !== this.#today() || failedOnes.some((step) => !isWaiting(failed, step, now));
  }

  #isExpiryDue({ notes: { expiredOn, failed } }: Checkpoint): boolean {
    return expiredOn !== this.#today() && !isWaiting(failed, EXPIRE, this.#deps.clock.now());
  }

  /**
   * Days to be optimized: over for a day, as is the first of their changes, so that one time does for
   * all that come together.
   */
  #daysToOptimize(checkpoint: Checkpoint): string[] {
    const { dirtySince, failed } = checkpoint.notes;
    const now = this.#deps.clock.now();
    return Object.entries(dirtySince)
      .filter(([day, at]) => Math.max(endOfDay(day), at) + SETTLED_MS <= now)
      .map(([day]) => day)
      .filter((day) => !isWaiting(failed, `${OPTIMIZE}${day}`, now))
      .sort();
  }

  #today(): string {
    return dayOf(this.#deps.clock.now());
  }
}

function daysBefore(day: string, count: number): string {
  return dayOf(Date.parse(day) - count * DAY_MS);
}
