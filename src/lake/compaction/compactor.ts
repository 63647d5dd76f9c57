import type { Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Sleep, systemSleep } from '../../platform/concurrency/sleep.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type Leases, withLease } from '../../platform/leases/leases.ts';
import type { Logger } from '../../platform/log.ts';
import { Checkpoint } from './checkpoint.ts';
import type { CompactionStore } from './compaction-store.ts';
import { CopyJob } from './copy-job.ts';
import { describeFailures, endsRun } from './failed-steps.ts';
import { DAY_MS, HOUR_MS, hourOf } from './hours.ts';
import { TableMaintenance } from './table-maintenance.ts';

export interface CompactorDeps {
  readonly store: CompactionStore;
  readonly registry: Pick<Registry, 'readCompaction' | 'writeCompaction' | 'listSources'>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The earliest hour that can hold a landing file, milliseconds since the epoch. */
  readonly firstHour: number;
  /** Longest time between an event's arrival and the hour its file is filed under, seconds. */
  readonly maxFilingDelaySeconds: number;
  /** Days that events of every source are kept at most; for ever when left out. */
  readonly retentionDays?: number | undefined;
  readonly sleep?: Sleep;
}

export interface CompactionRun {
  /** False when another process compacts, and this one did nothing. */
  readonly ran: boolean;
  /** Hours that became complete. */
  readonly hours: number;
}

/** One lease for all of compaction: its steps are ordered, and nothing waits for them. */
export const COMPACTION_LEASE = 'compaction';

/** Time that files take to appear, and clocks may differ, after the filing delay. */
const CLOSING_MARGIN_MS = 600_000;

/**
 * Age of an hour at which no file comes to it any more: Firehose delivers for a day, and then gives a
 * file up; as long again for whatever delays that.
 */
const LATE_MS = 2 * DAY_MS;

/**
 * Pause between two looks for late files, milliseconds. To count opens every file of two days of the
 * landing table, which at each run would be most of what compaction costs.
 */
const LATE_LOOK_MS = HOUR_MS;

/** Hours that are counted at once: each is a listing for the engine, and most may be empty. */
const COUNTED_MS = 31 * DAY_MS;

/** What is kept back for deleting, expiring and optimizing when hours wait too. */
const MAINTENANCE_MS = 180_000;

/**
 * Copies closed landing hours into the compacted table, oldest first, and moves the watermark behind
 * them. Queries read copies before the watermark and landing files from it on.
 *
 * Every step may be repeated, and what is still to be done is read from the data itself: an hour is
 * complete when none of its rows lacks a copy. A crash between any two steps so costs time only.
 */
export class Compactor {
  readonly #deps: CompactorDeps;
  readonly #copyJob: CopyJob;
  readonly #maintenance: TableMaintenance;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
    this.#copyJob = new CopyJob(deps.store, deps.clock);
    this.#maintenance = new TableMaintenance(deps);
  }

  /**
   * Does what is due.
   *
   * @param deadline milliseconds since the epoch; no step begins after it. A copy that takes longer
   *   goes on where the engine runs it, and the next run waits for its end.
   * @throws ServiceError of the store or the registry; the next run goes on from there.
   */
  async runOnce(deadline: number): Promise<CompactionRun> {
    const { leases, logger, sleep = systemSleep } = this.#deps;
    const lease = await leases.acquire(COMPACTION_LEASE);
    if (lease === undefined) {
      logger.info('compaction runs in another process');
      return { ran: false, hours: 0 };
    }
    return withLease(lease, { leases, sleep, logger }, () => this.#run(deadline));
  }

  async #run(deadline: number): Promise<CompactionRun> {
    const { registry, clock, logger, firstHour } = this.#deps;
    const startedAt = clock.now();
    const checkpoint = await Checkpoint.read(registry, firstHour);
    const before = checkpoint.watermark;
    let hours = 0;
    try {
      hours = await this.#copyAndMaintain(checkpoint, deadline);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'query_timeout') throw error;
      logger.info('a step of compaction goes on without this run');
    } finally {
      logger.info('compaction run', {
        watermark: new Date(checkpoint.watermark).toISOString(),
        behindSeconds: Math.round((clock.now() - checkpoint.watermark) / 1000),
        movedHours: (checkpoint.watermark - before) / HOUR_MS,
        durationMs: clock.now() - startedAt,
        ...describeFailures(checkpoint.notes.failed),
      });
    }
    return { ran: true, hours };
  }

  /**
   * Maintenance comes after the hours, and an hour that cannot be copied must not keep it away for ever. While its
   * copy is outstanding it does: the copy may still write. But an hour whose rows cannot be read has none, and a copy
   * that fails again and again is given up some time, when maintenance takes its turn first.
   *
   * @returns hours that became complete.
   */
  async #copyAndMaintain(checkpoint: Checkpoint, deadline: number): Promise<number> {
    const gaveUp = await this.#copyJob.resumePending(checkpoint);
    await this.#deps.store.prepare();
    if (gaveUp) await this.#maintenance.run(checkpoint, deadline);
    const maintenanceMs = this.#maintenance.isDue(checkpoint) ? MAINTENANCE_MS : 0;
    let hours = 0;
    try {
      hours = await this.#compact(checkpoint, deadline - maintenanceMs);
    } catch (error) {
      if (checkpoint.pendingCopy === undefined && !endsRun(error))
        await this.#maintenance.run(checkpoint, deadline);
      throw error;
    }
    await this.#maintenance.run(checkpoint, deadline);
    return hours;
  }

  async #compact(checkpoint: Checkpoint, deadline: number): Promise<number> {
    const { store, clock } = this.#deps;
    const closed = this.#closed();
    const now = clock.now();
    const looksLate = now - (checkpoint.notes.lookedLateAt ?? 0) >= LATE_LOOK_MS;
    let from = looksLate ? Math.min(checkpoint.watermark, this.#lateFrom()) : checkpoint.watermark;
    let hours = 0;
    while (from < closed) {
      const before = Math.min(closed, Math.max(from, checkpoint.watermark) + COUNTED_MS);
      const landed = await store.landedRows({ from, before });
      for (const [hour, rows] of [...landed].sort(([a], [b]) => a - b)) {
        if (clock.now() >= deadline) return hours;
        if (await this.#compactHour(checkpoint, hour, rows)) hours++;
      }
      if (checkpoint.watermark < before)
        await checkpoint.save({ watermark: before, pendingCopy: null });
      from = before;
    }
    if (looksLate) await checkpoint.save({ notes: { lookedLateAt: now } });
    return hours;
  }

  /** @returns whether the hour has become complete, as against having been so before. */
  async #compactHour(checkpoint: Checkpoint, hour: number, rows: number): Promise<boolean> {
    const isNew = hour >= checkpoint.watermark;
    if (!isNew && rows <= (checkpoint.landed[hour] ?? 0)) return false;
    const { clock, logger } = this.#deps;
    const startedAt = clock.now();
    const days = await this.#copyJob.copyMissing(checkpoint, hour);
    const lateFrom = this.#lateFrom();
    const landed: [string, number][] = Object.entries({ ...checkpoint.landed, [hour]: rows });
    await checkpoint.save({
      watermark: Math.max(checkpoint.watermark, hour + HOUR_MS),
      // Counted before copying, so that a file which came in between is found at the next look.
      landed: Object.fromEntries(landed.filter(([at]) => Number(at) >= lateFrom)),
      pendingCopy: null,
    });
    logger.info(isNew ? 'hour compacted' : 'late files of an hour compacted', {
      hour: new Date(hour).toISOString(),
      landedRows: rows,
      copiedDays: days.length,
      durationMs: clock.now() - startedAt,
    });
    return isNew;
  }

  /** The first hour that files may still come to in the ordinary way. */
  #closed(): number {
    const { clock, maxFilingDelaySeconds } = this.#deps;
    return hourOf(clock.now() - maxFilingDelaySeconds * 1000 - CLOSING_MARGIN_MS);
  }

  #lateFrom(): number {
    return Math.max(this.#deps.firstHour, hourOf(this.#deps.clock.now() - LATE_MS));
  }
}
