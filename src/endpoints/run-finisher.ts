import type { ServiceError } from '../platform/errors.ts';
import type { Clock, EngineResult, Logger } from '../ports.ts';
import { failureFields, leftRecord } from './call-recorder.ts';
import type { LeftRun } from './left-runs.ts';
import { RUN_LIMIT_MS } from './limits.ts';
import type { QueryLog } from './query-record.ts';
import type { ResultStore } from './result-store.ts';

/** What became of a run in an engine whose runs go on without us. */
export type RunEnd =
  | { readonly state: 'goes_on' }
  | {
      readonly state: 'succeeded';
      readonly result: EngineResult;
      /** Milliseconds since the epoch. */
      readonly endedAt: number;
    }
  | {
      readonly state: 'failed';
      readonly error: ServiceError;
      /** Whether the same query might end differently when it is run again. */
      readonly mayEndDifferently: boolean;
    };

type Ended = Exclude<RunEnd, { state: 'goes_on' }>;

/** Reads what runs brought, starting none. */
export interface RunEnds {
  /**
   * @param width number of columns.
   * @param deadline milliseconds since the epoch.
   * @throws ServiceError `query_timeout` or `query_failed` when the engine cannot be asked.
   */
  endOf(id: string, width: number, deadline: number): Promise<RunEnd>;
}

export interface RunFinisherDeps {
  readonly runs: RunEnds;
  readonly results: ResultStore;
  readonly queryLog: QueryLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds that reading a run's rows may take. */
  readonly budgetMs: number;
}

/**
 * - `unknown`: nobody left this run behind, or it has been finished and counted before
 * - `goes_on`: it has not ended after all; the engine tries some runs again by itself
 * - `over`: somebody else has had its rows, or they are of no use any more
 * - `kept`: its rows answer the next identical call
 * - `too_large`: its rows cannot be kept; the next identical call reads them from the engine
 * - `failed`: the next identical call is told, or runs the query anew where that may help
 */
export type Finish = 'unknown' | 'goes_on' | 'over' | 'kept' | 'too_large' | 'failed';

/**
 * Finishes runs that their callers left behind, when the engine says that they have ended: keeps the rows
 * as the run itself would have, without compiling or running anything.
 *
 * May be told of the same run twice, at once or later, and of a run that a caller is picking up: rows of
 * one run are the same rows, a lease is ended only for the run it is on, and its cost is recorded by whoever
 * takes that right from its note, which is the last thing before. So a run that was cut short is finished by
 * the next attempt, and only one that dies between the two goes without a record.
 */
export class RunFinisher {
  readonly #deps: RunFinisherDeps;

  constructor(deps: RunFinisherDeps) {
    this.#deps = deps;
  }

  /** @throws what the tables or the engine throw; calling again then does what is left to do. */
  async finish(id: string): Promise<Finish> {
    const { results, runs, clock, logger, budgetMs } = this.#deps;
    const run = await results.left.find(id);
    if (run === undefined || run.counted) return 'unknown';
    const isWanted = await this.#isWanted(run);
    const end = await runs.endOf(id, run.columns.length, clock.now() + budgetMs);
    if (end.state === 'goes_on') return 'goes_on';
    const finish = isWanted ? await this.#settle(run, end) : 'over';
    if (await results.left.count(id)) await this.#record(run, end, finish);
    const { endpoint_token: endpoint } = run.usage;
    logger.info('a run that was left behind has ended', { executionId: id, endpoint, finish });
    return finish;
  }

  async #record({ usage, lifetimeMs }: LeftRun, end: Ended, finish: Finish): Promise<void> {
    const { queryLog } = this.#deps;
    if (end.state === 'failed') {
      return queryLog.record({ ...usage, origin: 'left', ...failureFields(end.error) });
    }
    const state = finish === 'kept' && lifetimeMs > 0 ? 'miss' : 'off';
    const rows = end.result.rows.length;
    return queryLog.record(leftRecord(usage, { state, rows }, end.result, 'athena'));
  }

  /** Whether the rows are neither there nor taken by somebody, nor too old to be picked up. */
  async #isWanted({ key, startedAt, lifetimeMs }: LeftRun): Promise<boolean> {
    const { results, clock } = this.#deps;
    if (lifetimeMs > 0) {
      const known = await results.times(key);
      return known === undefined || known.startedAt < startedAt;
    }
    // Where nothing is cached, the lease is the claim on the rows, and ends with whoever gets them.
    const left = await results.leases.left(key);
    return left?.startedAt === startedAt && clock.now() < startedAt + RUN_LIMIT_MS;
  }

  async #settle(run: LeftRun, end: Ended): Promise<Finish> {
    if (end.state === 'succeeded') return this.#keep(run, end);
    await this.#fail(run, end);
    return 'failed';
  }

  async #keep(run: LeftRun, end: Extract<RunEnd, { state: 'succeeded' }>): Promise<Finish> {
    const { results } = this.#deps;
    const { key, columns, startedAt, lifetimeMs } = run;
    const { rows } = end.result;
    const isCached = lifetimeMs > 0;
    const keepUntil = isCached ? end.endedAt + 2 * lifetimeMs : startedAt + RUN_LIMIT_MS;
    const stored = { columns, rows, startedAt, createdAt: end.endedAt };
    const isKept = await results.write(key, stored, keepUntil);
    // Rows that cannot be kept leave the lease as it is: it leads the next caller to this run.
    if (isKept && isCached) await results.leases.end(key, startedAt);
    return isKept ? 'kept' : 'too_large';
  }

  async #fail(run: LeftRun, end: Extract<RunEnd, { state: 'failed' }>): Promise<void> {
    const { results } = this.#deps;
    const { key, startedAt } = run;
    if (end.mayEndDifferently) await results.leases.end(key, startedAt);
    else await results.leases.fail(key, startedAt, end.error);
  }
}
