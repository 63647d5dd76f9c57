import { randomUUID } from 'node:crypto';
import type { CompactionStore } from '../../../lake/compaction/compaction-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import { RUN_LIMIT_MS } from '../../../query/execution/timeouts.ts';
import type { FileSystem } from '../disk/file-system.ts';
import type { LandingTable } from '../landing/landing-table.ts';
import { DeferredDelete } from '../parquet/deferred-delete.ts';
import { partitionHour } from '../parquet/parquet-files.ts';

/** Hours before the watermark that stay: rows come late when a clock was set back. */
const KEPT_MS = 2 * 3_600_000;
/**
 * How long a watermark must have been known. A query may have been compiled with one that was read
 * ten minutes before (`WATERMARK_MAX_AGE_MS`), and runs for as long again; the rest is margin.
 */
const SETTLED_MS = 4 * RUN_LIMIT_MS;

export interface LandingCleanupOptions {
  readonly landing: LandingTable;
  readonly compaction: CompactionStore;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes landing files that no query reads any more, because all of their rows are compacted. */
export class LandingCleanup {
  readonly #options: LandingCleanupOptions;
  readonly #trash: DeferredDelete;
  /** Watermarks as they were seen, oldest first. Lost at a restart, which only makes them younger. */
  #seen: { readonly watermark: number; readonly at: number }[] = [];

  constructor(options: LandingCleanupOptions) {
    this.#options = options;
    this.#trash = new DeferredDelete(options.fileSystem, options.logger);
  }

  /**
   * Deletes what has become superfluous. To be called again and again.
   *
   * @param watermark as it stands in the registry now: every earlier hour is compacted.
   * @throws ServiceError as `CompactionStore` does; nothing is lost then.
   */
  async runOnce(watermark: number): Promise<void> {
    const before = this.#settled(watermark) - KEPT_MS;
    const hours = this.#options.landing.files.map(({ path }) => partitionHour(path));
    for (const hour of [...new Set(hours)].sort((a, b) => a - b)) {
      if (hour < before) await this.#delete(hour);
    }
  }

  /** Resolves when all files that were deleted are gone. */
  emptied(): Promise<void> {
    return this.#trash.emptied();
  }

  /** The latest watermark that every query by now is compiled with, or with a later one. */
  #settled(watermark: number): number {
    const now = this.#options.clock.now();
    if (this.#seen.at(-1)?.watermark !== watermark) this.#seen.push({ watermark, at: now });
    const settled = this.#seen.findLast(({ at }) => at + SETTLED_MS <= now);
    this.#seen = this.#seen.filter((seen) => settled === undefined || seen.at >= settled.at);
    return settled?.watermark ?? Number.NEGATIVE_INFINITY;
  }

  /** What is filed under the hour meanwhile stays until the next run. */
  async #delete(hour: number): Promise<void> {
    const { landing, compaction } = this.#options;
    const files = landing.files.filter(({ path }) => partitionHour(path) === hour);
    // Rows that were filed under the hour when it had long been copied.
    const late = await compaction.missingDays(hour);
    if (late.length > 0) {
      await compaction.copy(hour, late, randomUUID());
      if ((await compaction.missingDays(hour)).length > 0) return;
    }
    await landing.drop(files);
    this.#trash.add(files, landing.unused());
  }
}
