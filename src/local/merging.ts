import type { Clock, Logger } from '../ports.ts';
import { assertRoom } from './disk-room.ts';
import { type FileSystem, removeFile } from './file-system.ts';
import type { LandingTable } from './landing-table.ts';
import { planMerges, totalBytes } from './merge-plan.ts';
import type { LakeFile } from './parquet-files.ts';
import { Serial } from './serial.ts';

const RETRY_MS = 60_000;

export interface MergingOptions {
  readonly table: LandingTable;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long after an hour files may still be filed under it, milliseconds. */
  readonly bufferMs: number;
}

/**
 * Merges the small files of an hour into larger ones in the background, one merge at a time. Every
 * query pays for every file of the lake, whether it reads it or not.
 */
export class Merging {
  readonly #options: MergingOptions;
  readonly #serial = new Serial();
  /** Merges that failed, by the path of their first file: they are tried again after all others. */
  readonly #failures = new Map<string, number>();
  #isWoken = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: MergingOptions) {
    this.#options = options;
  }

  /** Says that there may be something to merge. */
  wake(): void {
    if (!this.#isWoken) {
      this.#isWoken = true;
      void this.#mergeInBackground();
    }
  }

  /** Resolves when nothing is left to merge. @throws the first failure; it is tried again later. */
  flush(): Promise<void> {
    return this.#serial.run(async () => {
      this.#isWoken = false;
      await this.#mergeAll();
    });
  }

  /** Runs a task while no files are being merged. */
  between<T>(task: () => Promise<T>): Promise<T> {
    return this.#serial.run(task);
  }

  /** Gives up the merge that runs: its files stay as they were. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#options.table.interruptMerge();
    await this.#serial.run(async () => undefined);
  }

  async #mergeInBackground(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      if (this.#closed) {
        return;
      }
      this.#options.logger.warn('Parquet files could not be merged; trying again in a minute', {
        error: String(error),
      });
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.wake(), RETRY_MS).unref();
    }
  }

  async #mergeAll(): Promise<void> {
    for (let files = this.#next(); files && !this.#closed; files = this.#next()) {
      await this.#merge(files);
    }
  }

  #next(): readonly LakeFile[] | undefined {
    const { table, clock, bufferMs } = this.#options;
    const { files, unconverted, columns } = table;
    const [next] = planMerges({ files, unconverted, columns, now: clock.now(), bufferMs }).sort(
      (a, b) => this.#failuresOf(a) - this.#failuresOf(b),
    );
    return next;
  }

  async #merge(files: readonly LakeFile[]): Promise<void> {
    try {
      // The sorted rows may have to be spilled, too.
      await assertRoom(this.#options.fileSystem, keyOf(files), 2 * totalBytes(files));
      await this.#options.table.merge(files);
      this.#failures.delete(keyOf(files));
    } catch (error) {
      this.#failures.set(keyOf(files), this.#failuresOf(files) + 1);
      throw error;
    }
    await this.#options.table.unused();
    for (const file of files) {
      await this.#remove(file);
    }
  }

  /** Only once its rows are durable elsewhere and no query reads it any more. */
  async #remove({ path }: LakeFile): Promise<void> {
    try {
      await removeFile(this.#options.fileSystem, path);
    } catch (error) {
      this.#options.logger.warn('a merged Parquet file stays until the next start', {
        error: String(error),
      });
    }
  }

  #failuresOf(files: readonly LakeFile[]): number {
    return this.#failures.get(keyOf(files)) ?? 0;
  }
}

function keyOf(files: readonly LakeFile[]): string {
  return files[0]?.path ?? '';
}
