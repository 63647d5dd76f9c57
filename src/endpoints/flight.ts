import type { Sleep } from '../platform/concurrency/sleep.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Clock, Logger } from '../ports.ts';
import { CALL_DEADLINE_MS, RUN_LIMIT_MS } from './limits.ts';
import type { StartedRun } from './run.ts';

/** Work under way that several callers may wait for, each as long as it likes. */
export class Flight<T> {
  /** When the engine's run began; undefined while another process holds the lease. */
  startedAt: number | undefined;
  /** The engine's run; undefined until it has begun, and always where it ends with this process. */
  run: StartedRun | undefined;
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #promise: Promise<T>;
  readonly #abandoned = new AbortController();
  #latestDeadline = 0;
  #waiting = 0;
  #settled = false;
  #known: 'here' | 'elsewhere' | 'landed' = 'here';

  constructor(time: { clock: Clock; sleep: Sleep }, work: (flight: Flight<T>) => Promise<T>) {
    this.#clock = time.clock;
    this.#sleep = time.sleep;
    // A turn later, so that whoever starts the work has begun to wait for it.
    this.#promise = Promise.resolve()
      .then(() => work(this))
      .finally(() => {
        this.#settled = true;
      });
  }

  /** Whether any caller still waits. */
  get awaited(): boolean {
    return this.#waiting > 0 && this.#clock.now() < this.#latestDeadline;
  }

  /** Aborted when the work is of no use any more. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Says that the work is of no use any more, unless a caller waits for it by now. */
  abandon(): void {
    if (!this.awaited) this.#abandoned.abort();
  }

  /** Whether the run is older than a run may be; its process was frozen, or its engine is stuck. */
  get overdue(): boolean {
    return this.startedAt !== undefined && this.#clock.now() >= this.startedAt + RUN_LIMIT_MS;
  }

  /** Whether the work is done, either way. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Whether the callers have gone while the work goes on. */
  get leftBehind(): boolean {
    return !this.#settled && !this.awaited;
  }

  /**
   * Says that others will be led to the run, before they are. Of this and {@link land} the first decides,
   * in one turn of the process, so that a run is either counted without asking or known elsewhere.
   *
   * @returns false when its rows have come already, so that nobody needs to be led to it.
   */
  leave(): boolean {
    if (this.#known === 'landed') return false;
    this.#known = 'elsewhere';
    return true;
  }

  /** Says that the rows have come; true when others have not been led to the run, and will not be. */
  land(): boolean {
    if (this.#known === 'here') this.#known = 'landed';
    return this.#known === 'landed';
  }

  /**
   * Waits until the work is done or the deadline has passed; the work goes on in that case.
   *
   * @param deadline milliseconds since the epoch.
   * @param gone aborted when the caller has hung up.
   * @throws ServiceError `query_timeout` (504).
   */
  async wait(deadline: number, gone?: AbortSignal): Promise<T> {
    this.#latestDeadline = Math.max(this.#latestDeadline, deadline);
    this.#waiting += 1;
    const arrived = new AbortController();
    const tooLate = this.#sleep(deadline - this.#clock.now(), arrived.signal).then(() => {
      throw stillRunning();
    });
    const { promise: hungUp, reject } = Promise.withResolvers<never>();
    const leave = () => reject(stillRunning());
    gone?.addEventListener('abort', leave, { once: true });
    if (gone?.aborted) leave();
    try {
      return await Promise.race([this.#promise, tooLate, hungUp]);
    } finally {
      this.#waiting -= 1;
      arrived.abort();
      gone?.removeEventListener('abort', leave);
    }
  }

  /** Calls back when the work has ended, either way. */
  onEnd(done: (error: unknown) => void): void {
    this.#promise.then(() => done(undefined), done);
  }
}

/** The work that this process has under way, by cache key. */
export class Flights<T> {
  readonly #logger: Logger;
  readonly #flights = new Map<string, Flight<T>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** A flight that is worth waiting for. */
  get(key: string): Flight<T> | undefined {
    const flight = this.#flights.get(key);
    return flight?.overdue ? undefined : flight;
  }

  /** Lets others find a flight until it ends. */
  add(key: string, flight: Flight<T>): void {
    this.#flights.set(key, flight);
    flight.onEnd((error) => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
      // With nobody waiting, nobody else would report it.
      if (error !== undefined && !flight.awaited) {
        this.#logger.warn('a query failed after its callers had gone', { key, error });
      }
    });
  }
}

export function stillRunning(): ServiceError {
  return new ServiceError(
    'query_timeout',
    504,
    `The query needs more than ${CALL_DEADLINE_MS / 1_000} seconds and goes on running. ` +
      `Send the same request again to get its result: it is kept for you until ` +
      `${RUN_LIMIT_MS / 60_000} minutes after the query began.`,
  );
}
