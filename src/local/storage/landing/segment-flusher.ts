import { Mutex } from '../../../platform/concurrency/mutex.ts';
import type { Logger } from '../../../platform/log.ts';
import { type FileSystem, removeFile } from '../disk/file-system.ts';
import type { Segment } from '../log/segment.ts';
import type { LandingTable } from './landing-table.ts';

/** After a failure, most likely a full disk. */
const RETRY_MS = 5_000;
/** Segments that become files in one transaction when many wait. */
const MAX_SEGMENTS_AT_ONCE = 64;

export interface SegmentFlusherOptions {
  readonly table: LandingTable;
  readonly fileSystem: FileSystem;
  readonly logger: Logger;
}

/** Turns sealed segments into Parquet files in the background, oldest first. */
export class SegmentFlusher {
  readonly #deps: SegmentFlusherOptions;
  readonly #serial = new Mutex();
  #waiting: Segment[] = [];
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SegmentFlusherOptions) {
    this.#deps = options;
  }

  /** Bytes of log that wait; they grow only while conversion fails or falls behind. */
  get backlogBytes(): number {
    return this.#waiting.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  add(segment: Segment): void {
    this.#waiting.push(segment);
    void this.#convertInBackground();
  }

  /** Resolves when nothing waits. @throws the first failure; what waits then is tried again later. */
  flush(): Promise<void> {
    return this.#serial.run(() => this.#convertAll());
  }

  /** Finishes the conversion that runs; segments that wait are recovered at the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#serial.run(async () => undefined);
  }

  async #convertInBackground(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.#deps.logger.error('a log segment could not be converted to Parquet; trying again', {
        error: String(error),
      });
      clearTimeout(this.#retry);
      if (!this.#closed) {
        this.#retry = setTimeout(() => void this.#convertInBackground(), RETRY_MS).unref();
      }
    }
  }

  async #convertAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closed) {
      const segments = this.#waiting.slice(0, MAX_SEGMENTS_AT_ONCE);
      await this.#deps.table.convert(segments);
      this.#waiting.splice(0, segments.length);
      for (const segment of segments) await this.#remove(segment);
    }
  }

  /** Only once the Parquet file is durable: until then the segment is the only copy. */
  async #remove(segment: Segment): Promise<void> {
    try {
      await removeFile(this.#deps.fileSystem, segment.path);
    } catch (error) {
      this.#deps.logger.warn('a converted log segment stays until the next start', {
        error: String(error),
      });
    }
  }
}
