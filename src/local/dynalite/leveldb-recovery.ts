import type { Logger } from '../../platform/log.ts';
import { hasRoom } from '../storage/disk/disk-room.ts';
import { onFailedWrite } from './leveldb-write-guard.ts';

const TRY_EVERY_MS = 1_000;
/** Opening a store writes its log anew as a table: LevelDB's write buffer is 4 MiB. */
const ROOM_BYTES = 8 * 1024 * 1024;

export interface LeveldbRecoveryOptions {
  readonly directory: string;
  readonly logger?: Logger;
  /** Closes the store, if it is open, and opens it. */
  readonly reopen: () => Promise<void>;
}

/** Opens a store anew after a failure, as soon as the disk has room for that. */
export class LeveldbRecovery {
  readonly #options: LeveldbRecoveryOptions;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: LeveldbRecoveryOptions) {
    this.#options = options;
    this.#stopListening = onFailedWrite(options.directory, (error) => {
      options.logger?.error('the registry cannot be written to; it is read-only until it can', {
        error: String(error),
      });
      this.#schedule();
    });
  }

  /** Has the store opened anew after an exception, which may have left items locked. */
  faulted(error: unknown): void {
    this.#options.logger?.error('a call of the registry failed; it is opened anew', {
      error: String(error),
    });
    this.#schedule(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(afterMs = TRY_EVERY_MS): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#try();
    }, afterMs).unref();
  }

  async #try(): Promise<void> {
    const { directory, logger, reopen } = this.#options;
    try {
      if (!(await hasRoom(directory, ROOM_BYTES))) {
        this.#schedule();
        return;
      }
      await reopen();
      logger?.info('the registry can be written to again');
    } catch (error) {
      logger?.error('the registry could not be opened anew; trying again', {
        error: String(error),
      });
      this.#schedule();
    }
  }
}
