import type { Sleep } from '../platform/concurrency/sleep.ts';
import { ServiceError } from '../platform/errors.ts';
import { keepLease } from '../platform/lease-renewal.ts';
import type { Lease } from '../platform/leases.ts';
import { type DepartureDeps, depart, leaveBehind } from './departure.ts';
import { Flight, Flights, stillRunning } from './flight.ts';
import { LEASE_POLL } from './limits.ts';
import type { ResultTimes, StoredResult } from './result-store.ts';
import type { Outcome, Run, StartedRun } from './run.ts';
import { countRun } from './run-count.ts';

export interface CacheCall {
  readonly key: string;
  /** How long rows are fresh, milliseconds. */
  readonly lifetimeMs: number;
  /** Rows made before this are not fresh enough for this caller; milliseconds since the epoch. */
  readonly notBefore: number;
  /** Whether rows that are too old may answer when the engine cannot. */
  readonly acceptsStale: boolean;
  /** When the caller stops waiting, milliseconds since the epoch. */
  readonly deadline: number;
  readonly run: Run;
  /** Told of rows that come when all callers have gone. Never throws. */
  readonly unseen: (outcome: Outcome) => Promise<void>;
}

export interface CacheDeps extends DepartureDeps {
  readonly sleep: Sleep;
}

/**
 * Rows of calls to endpoints that cache: fresh rows are answered from the store; else the query runs
 * once, however many callers in however many processes wait for it. Errors are never kept. Rows that
 * cannot be replaced answer for one more lifetime.
 */
export class ResultCache {
  readonly #deps: CacheDeps;
  readonly #flights: Flights<Outcome>;

  constructor(deps: CacheDeps) {
    this.#deps = deps;
    this.#flights = new Flights(deps.logger);
  }

  /** @throws ServiceError `query_timeout` (504) at the deadline, and whatever the run throws. */
  async resolve(call: CacheCall): Promise<Outcome> {
    const stored = await this.#deps.results.read(call.key);
    if (stored !== undefined && this.#isFresh(stored, call)) return found('hit', stored);
    try {
      return await this.#fetch(call);
    } catch (error) {
      if (stored === undefined || !this.#mayAnswer(stored, call, error)) throw error;
      this.#deps.logger.warn('a refresh failed; older rows were answered', {
        key: call.key,
        ageMs: this.#deps.clock.now() - stored.createdAt,
        error,
      });
      return found('stale', stored);
    }
  }

  /**
   * Replaces the rows of a call unless they are younger than `notBefore` or being replaced by
   * somebody else.
   *
   * @returns the new rows, or `running` when the deadline passed first; the run goes on and the next caller
   *   gets it.
   * @throws whatever the run throws.
   */
  async refresh(call: CacheCall): Promise<Outcome | 'busy' | 'running'> {
    const lease = await this.#deps.results.leases.acquire(call.key);
    if (lease === undefined) return 'busy';
    const flight = this.#start(call.key, (self) => this.#land(call, lease, self));
    try {
      const outcome = await flight.wait(call.deadline);
      return outcome.state === 'hit' ? 'busy' : outcome;
    } catch (error) {
      if (!flight.leftBehind) throw error;
      await leaveBehind(call, flight, this.#deps);
      return 'running';
    }
  }

  async #fetch(call: CacheCall): Promise<Outcome> {
    const flight =
      this.#flights.get(call.key) ??
      this.#start(call.key, async (self) =>
        this.#land(call, await this.#claim(call.key, self), self),
      );
    try {
      return await flight.wait(call.deadline);
    } catch (error) {
      return depart(call, flight, error, this.#deps);
    }
  }

  #start(key: string, work: (flight: Flight<Outcome>) => Promise<Outcome>): Flight<Outcome> {
    const flight = new Flight(this.#deps, work);
    this.#flights.add(key, flight);
    return flight;
  }

  /** Waits for the lease as long as anybody waits for the rows. */
  async #claim(key: string, flight: Flight<Outcome>): Promise<Lease> {
    for (let pause: number = LEASE_POLL.firstMs; ; ) {
      const lease = await this.#deps.results.leases.acquire(key);
      if (lease !== undefined) return lease;
      await this.#deps.sleep(pause);
      if (!flight.awaited) throw stillRunning();
      pause = Math.min(pause * LEASE_POLL.factor, LEASE_POLL.capMs);
    }
  }

  async #land(call: CacheCall, lease: Lease, flight: Flight<Outcome>): Promise<Outcome> {
    const { results } = this.#deps;
    const { leases } = results;
    const times = await results.times(call.key);
    if (times !== undefined && this.#isFresh(times, call)) {
      // Another process has replaced the rows while this one waited for the lease.
      const stored = await results.read(call.key);
      if (stored !== undefined) {
        await leases.end(lease.key, lease.startedAt);
        return found('hit', stored);
      }
    }
    if (lease.failure !== undefined) {
      await leases.end(lease.key, lease.startedAt);
      throw lease.failure;
    }
    // A run whose rows are there is over, though its process did not live to say so.
    const isOver = times?.startedAt === lease.startedAt;
    const current = isOver ? await leases.restart(lease) : lease;
    flight.startedAt = current.startedAt;
    const kept = keepLease(current, { ...this.#deps, leases });
    let wasAlone = false;
    const landed = await this.#run(call, current, flight).finally(async () => {
      wasAlone = await kept.end();
    });
    const counts = await countRun(flight, wasAlone && !current.resumed, this.#deps);
    const outcome = { ...landed, counts };
    if (!flight.awaited) await call.unseen(outcome);
    return outcome;
  }

  async #run(call: CacheCall, { startedAt, runId }: Lease, flight: Flight<Outcome>) {
    const onStarted = (run: StartedRun) => {
      flight.run = run;
    };
    const known = runId === undefined ? undefined : await this.#deps.results.left.find(runId);
    const { columns, rows, cost } = await call.run(startedAt, onStarted, known);
    const result = { columns, rows, startedAt, createdAt: this.#deps.clock.now() };
    const isKept = await this.#keep(call, result);
    return { state: isKept ? ('miss' as const) : ('off' as const), result, cost };
  }

  /** Rows are answered even when they cannot be kept: they were paid for. */
  async #keep({ key, lifetimeMs }: CacheCall, result: StoredResult): Promise<boolean> {
    try {
      return await this.#deps.results.write(key, result, result.createdAt + 2 * lifetimeMs);
    } catch (error) {
      this.#deps.logger.error('rows could not be written to the cache', { key, error });
      return false;
    }
  }

  /** Rows from the future were made before the clock was set back: how old they are is not known. */
  #isFresh({ createdAt }: ResultTimes, { notBefore }: CacheCall): boolean {
    return createdAt >= notBefore && createdAt <= this.#deps.clock.now();
  }

  /** Errors of the caller's own making are told to the caller, whatever rows there are. */
  #mayAnswer(stored: StoredResult, call: CacheCall, error: unknown): boolean {
    const age = this.#deps.clock.now() - stored.createdAt;
    const callersFault = error instanceof ServiceError && error.status < 500;
    return call.acceptsStale && !callersFault && age >= 0 && age < 2 * call.lifetimeMs;
  }
}

function found(state: 'hit' | 'stale', result: StoredResult): Outcome {
  return { state, result, cost: undefined, counts: false };
}
