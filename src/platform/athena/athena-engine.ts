import type { Clock } from '../clock.ts';
import { type Sleep, systemSleep } from '../concurrency/sleep.ts';
import { ServiceError } from '../errors.ts';
import { ExecutionGoesOn, type ExecutionResult, type Waiting } from '../execution.ts';
import { AthenaApi, type AthenaApiDeps } from './athena-api.ts';
import { executionFailed, loggable } from './athena-errors.ts';
import { readRows } from './athena-results.ts';
import { Patience } from './patience.ts';

/** The workgroup decides scan limit and result location. */
export interface AthenaEngineDeps extends AthenaApiDeps {
  readonly clock: Clock;
  readonly sleep?: Sleep;
}

/** Longest StartQueryExecution text. */
const MAX_TEXT_BYTES = 262_144;
/**
 * Short queries answer fast. Of long ones each caller's process looks once a second, and of these there are
 * as many as `queryConcurrency` and the warmer's four: far from the account's 100 calls a second.
 */
const POLL = { firstMs: 100, factor: 1.5, capMs: 1_000 } as const;

/**
 * Runs queries on Amazon Athena, whose executions outlive this process. It knows only of the callers that it
 * is told of: an execution is left alone when they have gone, and goes on under its id.
 *
 * Athena's own reuse of results stays off: it does not notice new data, so ages would lie.
 */
export class AthenaEngine {
  readonly target = 'athena';
  readonly durable = true;
  readonly #deps: AthenaEngineDeps;
  readonly #api: AthenaApi;

  constructor(deps: AthenaEngineDeps) {
    this.#deps = deps;
    this.#api = new AthenaApi(deps);
  }

  /** See `QueryEngine`. A token leads to its first execution also when that has failed. */
  async start(query: { text: string; token: string }, waiting: Waiting): Promise<string> {
    checkLength(query.text);
    return this.#api.start(query.text, query.token, this.#patience(waiting));
  }

  /** See `QueryEngine`. */
  async collect(id: string, width: number, waiting: Waiting): Promise<ExecutionResult> {
    const { clock, logger } = this.#deps;
    const patience = this.#patience(waiting);
    const execution = await this.#api.ended(id, POLL, patience, (state) => waiting.tell?.(state));
    const { Status: status = {}, Statistics: statistics = {} } = execution;
    if (status.State !== 'SUCCEEDED') {
      const failure = executionFailed(status);
      // Running into the scan limit is the caller's doing, not a fault to wake an operator for.
      logger[failure.status < 500 ? 'warn' : 'error']('athena execution failed', {
        executionId: id,
        state: status.State,
        errorType: status.AthenaError?.ErrorType,
        reason: loggable(status.StateChangeReason),
      });
      throw failure;
    }
    const rows = await readRows((token) => this.#api.results(id, token, patience), width);
    const cost = {
      bytesScanned: statistics.DataScannedInBytes ?? 0,
      queueMs: statistics.QueryQueueTimeInMillis ?? 0,
      engineMs: statistics.EngineExecutionTimeInMillis ?? 0,
    };
    logger.info('athena execution read', { executionId: id, rows: rows.length, ...cost });
    return { rows, ...cost, endedAt: status.CompletionDateTime?.getTime() ?? clock.now() };
  }

  cancel(id: string): Promise<void> {
    return this.#api.stop(id);
  }

  /**
   * Runs a statement of which nothing but this call knows, and cancels it when the time is up: Athena bills
   * what it reads whether or not its rows are wanted.
   *
   * @param query `deadline`: milliseconds since the epoch.
   * @throws ServiceError as {@link start} and {@link collect}.
   */
  async run(query: {
    readonly text: string;
    readonly token: string;
    readonly width: number;
    readonly deadline: number;
  }): Promise<ExecutionResult> {
    const waiting = { until: query.deadline };
    const id = await this.start(query, waiting);
    try {
      return await this.collect(id, query.width, waiting);
    } catch (error) {
      if (error instanceof ExecutionGoesOn) await this.cancel(id);
      throw error;
    }
  }

  #patience(waiting: Waiting): Patience {
    const { clock, sleep = systemSleep } = this.#deps;
    return new Patience(waiting, { clock, sleep });
  }
}

function checkLength(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) {
    throw new ServiceError(
      'sql_too_large',
      400,
      `The query is ${bytes} bytes long once compiled, and ${MAX_TEXT_BYTES} is the most that can run. Shorten it.`,
    );
  }
}
