import { ServiceError } from '../platform/errors.ts';
import type { Lease } from '../platform/leases.ts';
import type { CacheDeps } from './cache.ts';
import { depart } from './departure.ts';
import { Flight, Flights } from './flight.ts';
import { ABANDONED_MS, CALL_DEADLINE_MS, RUN_LIMIT_MS } from './limits.ts';
import type { Outcome, Run, StartedRun } from './run.ts';
import { countRun } from './run-count.ts';

export interface UncachedCall {
  readonly key: string;
  /** When the caller stops waiting, milliseconds since the epoch. */
  readonly deadline: number;
  /** Aborted when the caller has hung up. */
  readonly gone?: AbortSignal | undefined;
  readonly run: Run;
  /** See `CacheCall`. */
  readonly unseen: (outcome: Outcome) => Promise<void>;
}

/**
 * Runs of endpoints that do not cache: every call runs, except that a run which outlived its caller
 * answers the next identical call, in this process or another.
 *
 * Such a run has a lease item that nobody owns. Its rows, once there, are good as long as that item
 * is, and the caller who gets them removes both.
 *
 * Where runs end with this process they share its few places. There a run goes on for
 * {@link ABANDONED_MS} after its callers' time was up, and not at all after they have hung up.
 */
export class UncachedRuns {
  readonly #deps: CacheDeps;
  readonly #leftBehind: Flights<Outcome>;

  constructor(deps: CacheDeps) {
    this.#deps = deps;
    this.#leftBehind = new Flights(deps.logger);
  }

  /** @throws ServiceError `query_timeout` (504) at the deadline, and whatever the run throws. */
  async resolve(call: UncachedCall): Promise<Outcome> {
    const { results, clock } = this.#deps;
    const underWay = this.#leftBehind.get(call.key);
    if (underWay !== undefined) return this.#wait(call, underWay);
    const left = await results.leases.left(call.key);
    if (left === undefined)
      return this.#wait(call, this.#start(call, { startedAt: clock.now() }, false));
    const { startedAt, failure } = left;
    if (failure !== undefined) {
      await results.leases.end(call.key, startedAt);
      throw failure;
    }
    const result = await results.read(call.key);
    if (result?.startedAt !== startedAt) return this.#wait(call, this.#start(call, left, true));
    await results.leases.end(call.key, startedAt);
    await results.discard(call.key);
    return { state: 'off', result, cost: undefined, counts: false };
  }

  async #wait(call: UncachedCall, flight: Flight<Outcome>): Promise<Outcome> {
    try {
      return await flight.wait(call.deadline, call.gone);
    } catch (error) {
      const departing = { key: call.key, lifetimeMs: 0 };
      if (flight.leftBehind && call.gone?.aborted && !this.#deps.engine.runsApart) {
        flight.abandon();
        throw error;
      }
      if (flight.leftBehind && this.#leftBehind.get(call.key) !== flight) {
        this.#leftBehind.add(call.key, flight);
      }
      if (!flight.leftBehind || this.#deps.engine.runsApart) {
        return depart(departing, flight, error, this.#deps);
      }
      this.#endLater(flight);
      return depart(departing, flight, endsSoon(), this.#deps);
    }
  }

  #endLater(flight: Flight<Outcome>): void {
    const ended = new AbortController();
    flight.onEnd(() => ended.abort());
    void this.#deps.sleep(ABANDONED_MS, ended.signal).then(() => flight.abandon());
  }

  /** @param resumes whether another process left this run behind. */
  #start(
    call: UncachedCall,
    { startedAt, runId }: Pick<Lease, 'startedAt' | 'runId'>,
    resumes: boolean,
  ): Flight<Outcome> {
    const { results, clock } = this.#deps;
    const flight = new Flight<Outcome>(this.#deps, async () => {
      const wasLeft = () => resumes || this.#leftBehind.get(call.key) === flight;
      try {
        const onStarted = (run: StartedRun) => {
          flight.run = run;
        };
        const known = runId === undefined ? undefined : await results.left.find(runId);
        const { columns, rows, cost } = await call.run(startedAt, onStarted, known, flight.signal);
        const result = { columns, rows, startedAt, createdAt: clock.now() };
        if (!flight.awaited) await results.write(call.key, result, startedAt + RUN_LIMIT_MS);
        else if (wasLeft()) await results.leases.end(call.key, startedAt);
        const counts = await countRun(flight, !resumes, this.#deps);
        const outcome: Outcome = { state: 'off', result, cost, counts };
        if (!flight.awaited) await call.unseen(outcome);
        return outcome;
      } catch (error) {
        if (wasLeft()) await results.leases.end(call.key, startedAt);
        throw error;
      }
    });
    flight.startedAt = startedAt;
    return flight;
  }
}

function endsSoon(): ServiceError {
  return new ServiceError(
    'query_timeout',
    504,
    `The query needs more than ${CALL_DEADLINE_MS / 1_000} seconds and goes on running for ` +
      `${ABANDONED_MS / 1_000} more. Send the same request again until then to get its result.`,
  );
}
