import type { Logger } from '../../../platform/log.ts';

const LOOK_EVERY_MS = 50;
/**
 * How far a run may go beyond the engine's own limit, which leaves out vectors under way and what
 * JavaScript makes of the rows.
 */
const ALLOWANCE = 1.25;

interface Watched {
  /** Resident memory of the process when the run began, or when another had been ended under it. */
  before: number;
  interrupted: boolean;
  readonly interrupt: () => void;
}

/**
 * Ends runs under which the memory of this process grows past what a run may take. DuckDB's
 * `memory_limit` is about what its buffer manager holds; lists and texts that a function makes are not in
 * it (seen with 1.5: 2.7 GB under a limit of 0.5).
 */
export class MemoryGuard {
  readonly #maxGrowth: number;
  readonly #logger: Logger;
  /** The oldest first. */
  readonly #runs = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** @param memoryLimit the engine's own, bytes. */
  constructor(memoryLimit: number, logger: Logger) {
    this.#maxGrowth = memoryLimit * ALLOWANCE;
    this.#logger = logger;
  }

  /**
   * @param interrupt called at most once.
   * @returns ends the watch.
   */
  watch(interrupt: () => void): () => void {
    const run: Watched = { before: process.memoryUsage.rss(), interrupted: false, interrupt };
    this.#runs.add(run);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => {
      this.#runs.delete(run);
      if (run.interrupted) this.#beginAnew();
      if (this.#runs.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    };
  }

  /** The allocator gives memory back late, which is no fault of the runs that go on. */
  #beginAnew(): void {
    const now = process.memoryUsage.rss();
    for (const run of this.#runs) run.before = Math.max(run.before, now);
  }

  /** Ends the oldest of those that saw too much growth, and looks no further until it has ended. */
  #look(): void {
    const runs = [...this.#runs];
    if (runs.some(({ interrupted }) => interrupted)) return;
    const now = process.memoryUsage.rss();
    const run = runs.find(({ before }) => now - before > this.#maxGrowth);
    if (run === undefined) return;
    run.interrupted = true;
    this.#logger.warn('a query was ended, because memory grew too much under it', {
      growth: now - run.before,
    });
    run.interrupt();
  }
}
