import { fstatSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.ts';
import { Mutex } from '../../../platform/concurrency/mutex.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import {
  type DurableFile,
  type FileSystem,
  isCode,
  removeFile,
  syncDirectory,
  truncateFile,
} from '../disk/file-system.ts';
import { arrivalOf, lineBytes, writeLine } from './log-line.ts';
import { noteArrival, type Segment, segmentPath } from './segment.ts';

/** Rows of one write are held in memory until their fsync; past this, writers are sent away. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** One group commit; bounds how far a segment can outgrow its limit. */
const MAX_COMMIT_BYTES = 4 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

export interface WalOptions {
  readonly directory: string;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Number of the first segment; must be above every number used before. */
  readonly firstNumber: number;
  readonly rotateBytes: number;
  readonly rotateMs: number;
  /** Called when a segment has more rows on disk, before their writer hears of it. */
  readonly onDurable: (segment: Segment) => void;
  /** Called when a segment will not grow any more. */
  readonly onSealed: (segment: Segment) => void;
}

interface Write {
  readonly rows: readonly string[];
  /** Of their lines. */
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: ServiceError) => void;
}

/**
 * Write-ahead log: rows with their checksums, one a line, in numbered segment files. Writes that arrive while an
 * fsync runs share the next one (group commit), so the cost of durability does not grow with the
 * number of writers.
 */
export class Wal {
  readonly #options: WalOptions;
  readonly #serial = new Mutex();
  #queue: Write[] = [];
  #queuedBytes = 0;
  #draining: Promise<void> | undefined;
  #current: { readonly segment: Segment; readonly file: DurableFile } | undefined;
  /** A segment whose last write failed and whose file may hold more than `bytes`. */
  #damaged: Segment | undefined;
  /** What the last commit wrote; kept, because fresh memory costs as much as filling it. */
  #buffer = Buffer.alloc(0);
  #nextNumber: number;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WalOptions) {
    this.#options = options;
    this.#nextNumber = options.firstNumber;
  }

  /**
   * Resolves when the rows are on disk.
   *
   * @throws ServiceError `sink_unavailable` when they are not; none of them will be seen.
   */
  append(rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    const bytes = rows.reduce((sum, row) => sum + lineBytes(row), 0);
    if (this.#closed) {
      return Promise.reject(unavailable('The log store is shutting down. Send the events again.'));
    }
    if (this.#queuedBytes + bytes > MAX_QUEUED_BYTES && this.#queuedBytes > 0) {
      return Promise.reject(
        unavailable('The log store cannot keep up with its disk. Send the events again later.'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ rows, bytes, resolve, reject });
      this.#queuedBytes += bytes;
      this.#draining ??= this.#drain();
    });
  }

  /** Ends the current segment, if it has one, so that it can be converted. */
  seal(): Promise<void> {
    return this.#serial.run(() => this.#seal());
  }

  /** Waits for all accepted writes. The current segment stays for the next start to recover. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#serial.run(async () => {
      clearTimeout(this.#timer);
      const current = this.#current;
      this.#current = undefined;
      if (current) await this.#close(current.file);
    });
  }

  async #drain(): Promise<void> {
    // One turn of the loop first, so that writes of the same tick share the first fsync too.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const writes = this.#takeBatch();
      try {
        await this.#serial.run(() => this.#commit(writes));
        for (const write of writes) write.resolve();
      } catch (error) {
        this.#options.logger.error('write-ahead log: rows could not be made durable', {
          rows: writes.reduce((sum, write) => sum + write.rows.length, 0),
          error: String(error),
        });
        const refusal = unavailable(
          'The events could not be written to disk. Send them again later.',
          error,
        );
        for (const write of writes) write.reject(refusal);
      }
    }
    this.#draining = undefined;
  }

  #takeBatch(): Write[] {
    let bytes = 0;
    let count = 0;
    for (const write of this.#queue) {
      if (count > 0 && bytes + write.bytes > MAX_COMMIT_BYTES) break;
      bytes += write.bytes;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    await this.#repair();
    const { segment, file } = await this.#openSegment();
    const data = this.#encode(writes);
    try {
      await writeFully(file, data, segment.bytes);
      await file.datasync();
      // From memory, without a thread: a tenth of what the asynchronous call costs.
      if (fstatSync(file.fd).nlink === 0) {
        throw new Error('the log was removed while the service writes to it');
      }
    } catch (error) {
      await this.#abandon(segment, file);
      throw error;
    }
    segment.bytes += data.length;
    for (const { rows } of writes) {
      segment.rows += rows.length;
      for (const row of rows) noteArrival(segment, arrivalOf(row));
    }
    this.#options.onDurable(segment);
    if (segment.bytes >= this.#options.rotateBytes) await this.#seal();
  }

  /** The lines of all rows; valid until the next call. */
  #encode(writes: readonly Write[]): Buffer {
    const bytes = writes.reduce((sum, write) => sum + write.bytes, 0);
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes);
    const buffer = this.#buffer;
    if (bytes > MAX_COMMIT_BYTES) this.#buffer = Buffer.alloc(0);
    let end = 0;
    for (const { rows } of writes) for (const row of rows) end = writeLine(row, buffer, end);
    return buffer.subarray(0, end);
  }

  async #openSegment(): Promise<{ segment: Segment; file: DurableFile }> {
    const { clock, directory, files, rotateMs, logger } = this.#options;
    // The timer alone would not do: a laptop that sleeps past it wakes up with an old segment, and a
    // new row in it would be filed under an hour that queries for recent events skip.
    if (this.#current && clock.now() - this.#current.segment.openedAt >= rotateMs) {
      await this.#seal();
    }
    if (this.#current) return this.#current;
    const number = this.#nextNumber;
    const path = segmentPath(directory, number);
    // Not made anew when it is gone: with it went the lock that keeps other processes out.
    const file = await files.open(path, 'wx');
    this.#nextNumber += 1;
    try {
      await syncDirectory(files, directory);
    } catch (error) {
      await this.#close(file);
      await removeFile(files, path);
      throw error;
    }
    const segment: Segment = { number, path, openedAt: clock.now(), bytes: 0, rows: 0 };
    this.#current = { segment, file };
    this.#timer = setTimeout(() => {
      this.seal().catch((error) => {
        logger.error('write-ahead log: a segment could not be closed', { error: String(error) });
      });
    }, rotateMs);
    this.#timer.unref();
    return this.#current;
  }

  async #seal(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    this.#options.onSealed(current.segment);
    await this.#close(current.file);
  }

  /** Every byte that counts is on disk before a close, so its failure changes no answer. */
  async #close(file: DurableFile): Promise<void> {
    try {
      await file.close();
    } catch (error) {
      this.#options.logger.warn('write-ahead log: a file did not close', { error: String(error) });
    }
  }

  /**
   * After a failed write or fsync the kernel may have dropped the dirty pages and forgotten the
   * error, so this descriptor is never trusted again: its segment ends at the last offset that an
   * fsync confirmed.
   */
  async #abandon(segment: Segment, file: DurableFile): Promise<void> {
    clearTimeout(this.#timer);
    this.#current = undefined;
    this.#damaged = segment;
    await this.#close(file);
    try {
      await this.#repair();
    } catch (error) {
      this.#options.logger.error('write-ahead log: a failed write could not be taken back yet', {
        segment: segment.number,
        error: String(error),
      });
    }
  }

  /**
   * Cuts refused rows off a damaged segment; nothing is accepted until that has worked.
   */
  async #repair(): Promise<void> {
    const segment = this.#damaged;
    if (segment === undefined) return;
    const { files, onSealed, logger } = this.#options;
    try {
      await truncateFile(files, segment.path, segment.bytes);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      logger.error(
        'write-ahead log: a file of it was removed. Stop the service and start it again',
        {
          file: segment.path,
        },
      );
    }
    this.#damaged = undefined;
    onSealed(segment);
  }
}

async function writeFully(file: DurableFile, data: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < data.length) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done);
    if (bytesWritten === 0) throw new Error('the file system wrote nothing');
    done += bytesWritten;
  }
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('sink_unavailable', 503, message, {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
