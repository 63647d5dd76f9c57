import type { DuckDBValue } from '@duckdb/node-api';
import type { CompactionStore, HourRange } from '../../../lake/compaction/compaction-store.ts';
import { LANDING_COLUMNS } from '../../../lake/layout/columns.ts';
import { Mutex } from '../../../platform/concurrency/mutex.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Database } from '../database.ts';
import { assertRoom } from '../disk/disk-room.ts';
import type { FileSystem } from '../disk/file-system.ts';
import type { LandingTable } from '../landing/landing-table.ts';
import { partitionHour } from '../parquet/parquet-files.ts';
import {
  copyAll,
  copyMissing,
  countLanded,
  countMissing,
  type LandedRows,
  selectDays,
  selectMissingDays,
} from './compacted-sql.ts';
import type { LocalCompactedTable } from './compacted-table.ts';
import { hasOnly, mergeableRuns, totalBytes } from './merge-plan.ts';

export interface DuckdbCompactionOptions {
  readonly database: Database;
  readonly landing: LandingTable;
  readonly compacted: LocalCompactedTable;
  /** Files all rows so far: one that waits may belong to any hour. */
  readonly fileRows: () => Promise<void>;
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly logger: Logger;
}

/**
 * {@link CompactionStore} over Parquet files. Each event day of an hour is a file and so a commit of
 * its own: what is missing after a crash is found in the data.
 *
 * Rows that wait for their Parquet file have no hour yet, since a file is filed under its oldest row;
 * so no hour is counted or copied before all rows that could belong to it are in files.
 */
export class DuckdbCompaction implements CompactionStore {
  readonly maxDaysPerCopy = Number.MAX_SAFE_INTEGER;
  readonly #options: DuckdbCompactionOptions;
  readonly #serial = new Mutex();
  #closed = false;

  constructor(options: DuckdbCompactionOptions) {
    this.#options = options;
  }

  /** Nothing: the view over no file has all columns already. */
  async prepare(): Promise<void> {}

  landedRows(range: HourRange): Promise<ReadonlyMap<number, number>> {
    return this.#run(async () => {
      await this.#fileRowsBefore(range.before);
      const days = [range.from, range.before - 1].map((ms) =>
        new Date(ms).toISOString().slice(0, 10),
      );
      const rows = await this.#read(countLanded(this.#options.landing.name), days);
      const counts = rows.map(([hour, count]) => [Number(hour), Number(count)] as const);
      return new Map(counts.filter(([hour]) => range.from <= hour && hour < range.before));
    });
  }

  missingDays(hour: number): Promise<readonly string[]> {
    return this.#run(async () => {
      await this.#fileRowsBefore(hour + 1);
      const landed = { table: this.#options.landing.name, hour };
      const days = (await this.#read(selectDays(landed))).map(([day]) => String(day));
      const copies = days.flatMap((day) => this.#options.compacted.filesOf(day));
      const missing = await this.#read(selectMissingDays(landed, copies));
      return missing.map(([day]) => String(day)).sort();
    });
  }

  copyStatement(): undefined {}

  copy(hour: number, days: readonly string[]): Promise<void> {
    return this.#run(async () => {
      await this.#fileRowsBefore(hour + 1);
      await this.#assertCopyable(hour);
      for (const day of days) {
        this.#assertOpen();
        await this.#copyDay({ table: this.#options.landing.name, hour, day });
      }
    });
  }

  optimize(day: string): Promise<void> {
    return this.#run(async () => {
      const { compacted } = this.#options;
      const files = compacted.filesOf(day);
      const runs = mergeableRuns(files);
      for (const run of runs) {
        if (run.length > 1) {
          this.#assertOpen();
          await compacted.merge(run);
        }
      }
    });
  }

  deleteBefore(day: string, sourceId: string | undefined): Promise<void> {
    return this.#run(async () => {
      const { compacted } = this.#options;
      const files = compacted.filesBefore(day);
      if (sourceId === undefined) {
        await compacted.drop(files);
        return;
      }
      for (const file of files) {
        this.#assertOpen();
        await compacted.deleteSource(file, sourceId);
      }
    });
  }

  /** Sets files of the compacted table aside; see {@link LocalCompactedTable.setAsideNamed}. */
  setAsideNamed(error: string): Promise<boolean> {
    return this.#run(() => this.#options.compacted.setAsideNamed(error));
  }

  /** Waits for queries that still read it; others go on meanwhile. */
  expireSnapshots(): Promise<void> {
    return this.#options.compacted.emptied();
  }

  /** Gives up what runs: it changes nothing then. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#options.database.compactor.interrupt();
    await this.#serial.run(async () => undefined);
    await this.#options.compacted.emptied();
  }

  async #copyDay(landed: Required<LandedRows>): Promise<void> {
    const { compacted } = this.#options;
    const copies = compacted.filesOf(landed.day);
    const [counts] = await this.#read(countMissing(landed, copies));
    const [rows, missing] = (counts ?? []).map(Number);
    if (missing === undefined || missing === 0) return;
    // Nothing is delivered twice here as a rule, and looking for it takes memory.
    const select = rows === missing ? copyAll(landed) : copyMissing(landed, copies);
    await compacted.add(landed.day, select, missing);
  }

  async #fileRowsBefore(before: number): Promise<void> {
    const { landing, fileRows } = this.#options;
    if ((landing.oldestUnflushedHour ?? before) >= before) return;
    await fileRows();
    if ((landing.oldestUnflushedHour ?? before) < before) {
      throw new Error('rows that arrived before the end of the hour have no Parquet file yet');
    }
  }

  async #assertCopyable(hour: number): Promise<void> {
    const { landing, fileSystem, directory } = this.#options;
    const files = landing.files.filter(({ path }) => partitionHour(path) === hour);
    if (!files.every((file) => hasOnly(file, LANDING_COLUMNS))) {
      throw new Error(
        'a Parquet file has a column that only a later version of this program knows',
      );
    }
    // Copies, and what sorting them may spill.
    await assertRoom(fileSystem, directory, 2 * totalBytes(files));
  }

  async #read(text: string, parameters: readonly DuckDBValue[] = []): Promise<unknown[][]> {
    const { compactor } = this.#options.database;
    return (await compactor.runAndReadAll(text, [...parameters])).getRowsJS();
  }

  /** One operation at a time, with the landing files that it begins with kept on disk. */
  #run<T>(task: () => Promise<T>): Promise<T> {
    return this.#serial.run(async () => {
      this.#assertOpen();
      const unpin = this.#options.landing.pin();
      try {
        return await task();
      } catch (error) {
        throw this.#closed ? stopping() : this.#failed(error);
      } finally {
        unpin();
      }
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw stopping();
  }

  #failed(cause: unknown): ServiceError {
    this.#options.logger.error('the lake could not be compacted', { error: String(cause) });
    return new ServiceError(
      'query_failed',
      502,
      'The lake could not be compacted. The log of this service says why.',
      { cause },
    );
  }
}

function stopping(): ServiceError {
  return new ServiceError('engine_throttled', 503, 'The service is stopping.', {
    retryAfterSeconds: 2,
  });
}
