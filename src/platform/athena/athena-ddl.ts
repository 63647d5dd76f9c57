import { createHash } from 'node:crypto';
import type { QueryExecution } from '@aws-sdk/client-athena';
import type { Clock } from '../clock.ts';
import { type Sleep, systemSleep } from '../concurrency/sleep.ts';
import { AthenaApi, type AthenaApiDeps } from './athena-api.ts';
import { executionFailed, loggable } from './athena-errors.ts';
import { Patience } from './patience.ts';

export interface AthenaDdlRunnerDeps extends AthenaApiDeps {
  readonly clock: Clock;
  readonly sleep?: Sleep;
}

export interface DdlStatement {
  readonly text: string;
  /** Idempotency token, 32 to 128 characters. */
  readonly token: string;
  /** Milliseconds since the epoch; the statement goes on after it. */
  readonly deadline: number;
}

/** These run for seconds at the least. */
const POLL = { firstMs: 250, factor: 1.5, capMs: 5_000 } as const;
/** Dead executions that one call steps over; also what ends the loop if our clock runs ahead. */
const MAX_RESTARTS = 100;

/**
 * Runs statements that change something. Unlike a query, one is not cancelled when its caller gives
 * up: it goes on, and a caller who runs it again under the same token waits for the same execution. Only
 * when that has ended without success is another started, under a token that follows from the dead
 * execution; so of one token never two executions run at once.
 */
export class AthenaDdlRunner {
  readonly #deps: AthenaDdlRunnerDeps;
  readonly #calls: AthenaApi;
  readonly #sleep: Sleep;

  constructor(deps: AthenaDdlRunnerDeps) {
    this.#deps = deps;
    this.#calls = new AthenaApi(deps);
    this.#sleep = deps.sleep ?? systemSleep;
  }

  /**
   * @throws ServiceError `query_timeout` (504) when the statement goes on past the deadline,
   *   `engine_throttled` (503) when it could not be started by then, `query_failed` (502) and what
   *   else `QueryEngine.run` throws when it failed,
   *   `more_runs_needed` (502) when it did a part and asks to be run again.
   */
  async run({ text, token: first, deadline }: DdlStatement): Promise<void> {
    const { clock, logger } = this.#deps;
    const patience = new Patience({ until: deadline }, { clock, sleep: this.#sleep });
    const began = clock.now();
    let token = first;
    for (let restarts = 0; ; restarts++) {
      const id = await this.#calls.start(text, token, patience);
      const execution = await this.#calls.ended(id, POLL, patience);
      const status = execution.Status ?? {};
      const fields = { executionId: id, ...costOf(execution) };
      if (status.State === 'SUCCEEDED') {
        logger.info('athena statement done', fields);
        return;
      }
      const endedEarlier = (status.CompletionDateTime?.getTime() ?? Infinity) < began;
      if (!endedEarlier || restarts === MAX_RESTARTS) {
        const failure = executionFailed(status);
        const halfDone = failure.code === 'more_runs_needed';
        logger[halfDone ? 'info' : 'error']('athena statement failed', {
          ...fields,
          state: status.State,
          reason: loggable(status.StateChangeReason),
        });
        throw failure;
      }
      token = createHash('sha256').update(`${token} ${id}`).digest('hex');
    }
  }
}

function costOf({ Statistics: statistics = {} }: QueryExecution) {
  return {
    bytesScanned: statistics.DataScannedInBytes ?? 0,
    queueMs: statistics.QueryQueueTimeInMillis ?? 0,
    engineMs: statistics.EngineExecutionTimeInMillis ?? 0,
  };
}
