import { ServiceError } from '../platform/errors.ts';
import type { ResultTimes, StoredResult } from './cache/result-cache-store.ts';
import type { InFlightDeps, InFlightQueries, QueryCall } from './execution/in-flight-queries.ts';
import type { Outcome } from './execution/outcome.ts';

/** A call of an endpoint that caches. */
export interface CachedCall extends QueryCall {
  /** Rows made before this are not fresh enough for this caller; milliseconds since the epoch. */
  readonly notBefore: number;
  /** Whether rows that are too old may answer when the engine cannot. */
  readonly acceptsStale: boolean;
}

/**
 * Rows of calls to endpoints that cache: fresh rows are answered from the store; else the query runs.
 * Errors are never kept. Rows that cannot be replaced answer for one more lifetime.
 */
export class ResultCache {
  readonly #deps: InFlightDeps;
  readonly #inFlight: InFlightQueries;

  constructor(deps: InFlightDeps, inFlight: InFlightQueries) {
    this.#deps = deps;
    this.#inFlight = inFlight;
  }

  /** @throws as {@link InFlightQueries.share}. */
  async resolve(call: CachedCall): Promise<Outcome> {
    const { results } = this.#deps;
    const recent = await results.recent(call.key);
    if (recent !== undefined && this.#isFresh(recent, call)) return found('hit', recent);
    const stored = await results.read(call.key);
    if (stored !== undefined && this.#isFresh(stored, call)) return found('hit', stored);
    try {
      return await this.#query(call).wait(call.deadline);
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
   * Replaces the rows of a call, or collects those by which another process replaces them.
   *
   * @returns the new rows, `busy` when another process has kept them, or `running` when the deadline passed
   *   first: the next caller, or the next refresh, collects them.
   * @throws whatever the query throws.
   */
  async refresh(call: CachedCall): Promise<Outcome | 'busy' | 'running'> {
    const query = this.#query(call);
    try {
      const outcome = await query.wait(call.deadline);
      return outcome.state === 'hit' ? 'busy' : outcome;
    } catch (error) {
      if (query.isSettled) throw error;
      return 'running';
    }
  }

  #query(call: CachedCall) {
    return this.#inFlight.share(call, (times) => this.#isFresh(times, call));
  }

  /** Rows from the future were made before the clock was set back: how old they are is not known. */
  #isFresh({ createdAt }: ResultTimes, { notBefore }: CachedCall): boolean {
    return createdAt >= notBefore && createdAt <= this.#deps.clock.now();
  }

  /** Errors of the caller's own making are told to the caller, whatever rows there are. */
  #mayAnswer(stored: StoredResult, call: CachedCall, error: unknown): boolean {
    const age = this.#deps.clock.now() - stored.createdAt;
    const callersFault = error instanceof ServiceError && error.status < 500;
    return call.acceptsStale && !callersFault && age >= 0 && age < 2 * call.lifetimeMs;
  }
}

function found(state: 'hit' | 'stale', result: StoredResult): Outcome {
  return { state, result, cost: undefined, recordsCost: false };
}
