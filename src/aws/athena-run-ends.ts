import type { AthenaClient } from '@aws-sdk/client-athena';
import type { RunEnd, RunEnds } from '../endpoints/run-finisher.ts';
import { AthenaCalls } from '../platform/athena/athena-api.ts';
import { executionFailed, loggable, mayEndDifferently } from '../platform/athena/athena-errors.ts';
import { type Sleep, systemSleep } from '../platform/concurrency/backoff.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Clock, Logger } from '../ports.ts';
import { hasEnded, readResult } from './athena-execution.ts';
import { SharedWait } from './shared-wait.ts';

export interface AthenaRunEndsDeps {
  /** Build it with `athenaClient()`: the SDK's own retries must be off. */
  readonly client: Pick<AthenaClient, 'send'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/** Executions that have ended, by their id. */
export class AthenaRunEnds implements RunEnds {
  readonly #deps: AthenaRunEndsDeps;
  readonly #calls: AthenaCalls;

  constructor(deps: AthenaRunEndsDeps) {
    this.#deps = deps;
    this.#calls = new AthenaCalls(deps.client, deps.logger, deps.random ?? Math.random);
  }

  async endOf(id: string, width: number, deadline: number): Promise<RunEnd> {
    const { clock, logger, sleep = systemSleep } = this.#deps;
    const wait = new SharedWait<never>(clock, sleep);
    // Only keeps the time; what goes wrong is thrown here and not through it.
    wait.join(deadline);
    const execution = await this.#calls.execution(id, wait);
    const status = execution?.Status ?? {};
    // Athena repeats some failed executions by itself, so that one may be queued again.
    if (execution === undefined || !hasEnded(status.State)) return { state: 'goes_on' };
    if (status.State === 'SUCCEEDED') {
      const deps = { calls: this.#calls, logger };
      const result = await readResult({ id, execution, width }, deps, wait).catch(refusal);
      if (result instanceof ServiceError) {
        return { state: 'failed', error: result, mayEndDifferently: false };
      }
      const endedAt = status.CompletionDateTime?.getTime() ?? clock.now();
      return { state: 'succeeded', result, endedAt };
    }
    logger.warn('athena execution failed after its callers had gone', {
      executionId: id,
      state: status.State,
      errorType: status.AthenaError?.ErrorType,
      reason: loggable(status.StateChangeReason),
    });
    const error = executionFailed(status);
    return { state: 'failed', error, mayEndDifferently: mayEndDifferently(status) };
  }
}

/** A result that no caller can have is the run's failure; that Athena could not be asked is not. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.status < 500) return error;
  throw error;
}
