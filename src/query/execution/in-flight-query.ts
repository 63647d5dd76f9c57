import type { Clock } from '../../platform/clock.ts';
import type { Sleep } from '../../platform/concurrency/sleep.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ExecutionGoesOn, type Waiting } from '../../platform/execution.ts';
import { CALL_DEADLINE_MS, RUN_LIMIT_MS } from './timeouts.ts';

/** A query under way that callers of this process wait for, each as long as it likes. */
export class InFlightQuery<T> implements Waiting {
  /** When the query began; undefined until this process has or finds its lease. */
  startedAt: number | undefined;
  #state: 'leasing' | 'starting' | 'queued' | 'running' = 'leasing';
  #isSettled = false;
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #callers = new Set<{ readonly deadline: number }>();
  readonly #promise: Promise<T>;

  constructor(time: { clock: Clock; sleep: Sleep }, work: (query: InFlightQuery<T>) => Promise<T>) {
    this.#clock = time.clock;
    this.#sleep = time.sleep;
    // A turn later, so that the caller who starts the work has begun to wait for it.
    this.#promise = Promise.resolve()
      .then(() => work(this))
      .then(
        (answer) => {
          this.#isSettled = true;
          return answer;
        },
        (error) => {
          this.#isSettled = !(error instanceof ExecutionGoesOn);
          throw error;
        },
      );
  }

  /** See {@link Waiting}; no caller waits longer than a query may run. */
  get until(): number {
    const latest = Math.max(...[...this.#callers].map(({ deadline }) => deadline));
    return Math.min(latest, (this.startedAt ?? Number.POSITIVE_INFINITY) + RUN_LIMIT_MS);
  }

  /** See {@link Waiting}. */
  tell(state: 'starting' | 'queued' | 'running'): void {
    this.#state = state;
  }

  /** Whether there are rows, or a failure. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Whether the query is older than one may be: its process was frozen, or its engine is stuck. */
  get isOverdue(): boolean {
    return this.startedAt !== undefined && this.#clock.now() >= this.startedAt + RUN_LIMIT_MS;
  }

  /**
   * Waits for the rows until the caller's time is up.
   *
   * @param deadline milliseconds since the epoch.
   * @param gone aborted when the caller has hung up.
   * @throws whatever the work throws, and ServiceError `query_timeout` (504), `query_queued` (504) or
   *   `engine_throttled` (503) by what the engine does when the time is up.
   */
  async wait(deadline: number, gone?: AbortSignal): Promise<T> {
    const caller = { deadline };
    this.#callers.add(caller);
    const answered = new AbortController();
    const tooLate = this.#sleep(deadline - this.#clock.now(), answered.signal).then(() => {
      throw this.#notYet();
    });
    const { promise: hungUp, reject } = Promise.withResolvers<never>();
    const leave = () => reject(stillRunning());
    gone?.addEventListener('abort', leave, { once: true });
    if (gone?.aborted) leave();
    try {
      return await Promise.race([this.#promise, tooLate, hungUp]);
    } catch (error) {
      // The engine may have seen a moment earlier that the time was up.
      throw error instanceof ExecutionGoesOn ? this.#notYet() : error;
    } finally {
      this.#callers.delete(caller);
      answered.abort();
      gone?.removeEventListener('abort', leave);
    }
  }

  /** Calls back when the work has ended, either way. */
  onEnd(done: () => void): void {
    this.#promise.then(done, done);
  }

  #notYet(): ServiceError {
    if (this.#state === 'starting') return notStarted();
    return this.#state === 'queued' ? stillQueued() : stillRunning();
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

function stillQueued(): ServiceError {
  return new ServiceError(
    'query_queued',
    504,
    `The query has waited ${CALL_DEADLINE_MS / 1_000} seconds for a free place in the query engine, ` +
      'which is busy with others, and goes on waiting. Send the same request again to get its ' +
      `result: it is kept for you until ${RUN_LIMIT_MS / 60_000} minutes after the first one.`,
    { retryAfterSeconds: 15 },
  );
}

function notStarted(): ServiceError {
  return new ServiceError(
    'engine_throttled',
    503,
    `The query engine has taken no new query for ${CALL_DEADLINE_MS / 1_000} seconds, because too ` +
      'many are running. Send this one again shortly.',
    { retryAfterSeconds: 15 },
  );
}
