import { randomUUID } from 'node:crypto';
import type { AthenaClient, QueryExecution } from '@aws-sdk/client-athena';
import type { ViewStatements } from '../lake/views/ports.ts';
import type { Clock, Logger } from '../ports.ts';
import { AthenaCalls, type Patience } from './athena-calls.ts';
import { executionFailed, loggable, timedOut } from './athena-errors.ts';
import { type Sleep, systemSleep } from './backoff.ts';

export interface AthenaViewStatementsDeps {
  /** Build it with `athenaClient()`: the SDK's own retries must be off. */
  readonly client: Pick<AthenaClient, 'send'>;
  readonly workGroup: string;
  /** Glue database of the views. */
  readonly database: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/** The account takes 100 polls a second, and a statement about a view takes a second or two. */
const POLL_MS = 500;

/**
 * Runs statements about views on Amazon Athena. Each call is an execution of its own: unlike a query's,
 * the effect of an earlier one may have been undone since, so it must not answer for a later one.
 */
export class AthenaViewStatements implements ViewStatements {
  readonly #calls: AthenaCalls;
  readonly #deps: AthenaViewStatementsDeps;
  readonly #sleep: Sleep;

  constructor(deps: AthenaViewStatementsDeps) {
    this.#deps = deps;
    this.#calls = new AthenaCalls(deps.client, deps.logger, deps.random ?? Math.random);
    this.#sleep = deps.sleep ?? systemSleep;
  }

  async run(text: string, deadline: number): Promise<void> {
    const { workGroup, database, logger } = this.#deps;
    const patience = this.#until(deadline);
    const id = await this.#calls.start(
      {
        QueryString: text,
        ClientRequestToken: randomUUID(),
        WorkGroup: workGroup,
        QueryExecutionContext: { Database: database },
      },
      patience,
    );
    const { Status: status = {} } = await this.#finished(id, patience);
    if (status.State === 'SUCCEEDED') return;
    logger.error('athena execution failed', {
      executionId: id,
      state: status.State,
      errorType: status.AthenaError?.ErrorType,
      reason: loggable(status.StateChangeReason),
    });
    throw executionFailed(status);
  }

  async #finished(id: string, patience: Patience): Promise<QueryExecution> {
    try {
      for (;;) {
        const execution = await this.#calls.execution(id, patience);
        const state = execution?.Status?.State;
        if (execution !== undefined && state !== 'QUEUED' && state !== 'RUNNING') return execution;
        await patience.pause(POLL_MS, timedOut);
      }
    } catch (error) {
      await this.#calls.stop(id);
      throw error;
    }
  }

  #until(deadline: number): Patience {
    const remainingMs = () => deadline - this.#deps.clock.now();
    return {
      remainingMs,
      pause: async (ms, late) => {
        await this.#sleep(Math.max(0, Math.min(ms, remainingMs())));
        if (remainingMs() <= 0) throw late();
      },
    };
  }
}
