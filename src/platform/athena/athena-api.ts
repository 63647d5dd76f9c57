import { createHash } from 'node:crypto';
import {
  type AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  type QueryExecution,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { type Backoff, fullJitter } from '../concurrency/backoff.ts';
import type { ServiceError } from '../errors.ts';
import { ExecutionGoesOn } from '../execution.ts';
import type { Logger } from '../log.ts';
import { classifySdkError } from '../sdk-error.ts';
import { MAX_CALL_MS } from './athena-client.ts';
import { loggable, refused, throttled } from './athena-errors.ts';
import { PAGE_ROWS } from './athena-results.ts';
import type { Patience } from './patience.ts';

const BACKOFF: Backoff = { baseMs: 200, capMs: 2_000 };
const goesOn = () => new ExecutionGoesOn();
const STOP_TIMEOUT_MS = 2_000;

/** How pauses between two looks at an execution grow, milliseconds. */
export interface Polling {
  readonly firstMs: number;
  readonly factor: number;
  readonly capMs: number;
}

export interface AthenaApiDeps {
  /** Build it with `athenaClient()`: the SDK's own retries must be off. */
  readonly client: Pick<AthenaClient, 'send'>;
  readonly workGroup: string;
  /** Glue database of unqualified table names. */
  readonly database: string;
  readonly logger: Logger;
  readonly random?: () => number;
}

/**
 * The Athena calls of one engine. Each is repeated with backoff for as long as Athena is out of
 * capacity or out of reach and a caller still waits; any other failure is logged and ends as
 * `query_failed`. Repeating is safe: a start carries an idempotency token, the others only read.
 */
export class AthenaApi {
  readonly #client: Pick<AthenaClient, 'send'>;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #workGroup: string;
  readonly #database: string;

  constructor({ client, logger, random = Math.random, workGroup, database }: AthenaApiDeps) {
    this.#client = client;
    this.#logger = logger;
    this.#random = random;
    this.#workGroup = workGroup;
    this.#database = database;
  }

  /**
   * @param token under which the same execution is found again, of this workgroup and database.
   * @returns the id of the execution.
   * @throws ServiceError `engine_throttled`, `query_failed`.
   */
  async start(text: string, token: string, patience: Patience): Promise<string> {
    const command = new StartQueryExecutionCommand({
      QueryString: text,
      ClientRequestToken: this.#ownToken(token),
      WorkGroup: this.#workGroup,
      QueryExecutionContext: { Database: this.#database },
    });
    const { QueryExecutionId: id } = await this.#repeat(
      'StartQueryExecution',
      (options) => this.#client.send(command, options),
      patience,
      throttled,
    );
    if (id === undefined) {
      this.#logger.error('athena start without an execution id');
      throw refused();
    }
    return id;
  }

  /**
   * Athena keeps tokens by account and Region: one that another deployment has used, with its own workgroup and
   * database, is refused there ("Idempotent parameters do not match").
   */
  #ownToken(token: string): string {
    const parts = JSON.stringify([this.#workGroup, this.#database, token]);
    return createHash('sha256').update(parts).digest('hex');
  }

  /**
   * Polls until an execution has ended, in whichever way.
   *
   * @param tell called after each look at an execution that goes on.
   * @throws ServiceError `query_timeout` when all callers have gone, `query_failed`.
   */
  async ended(
    id: string,
    polling: Polling,
    patience: Patience,
    tell: (state: 'queued' | 'running') => void = () => {},
  ): Promise<QueryExecution> {
    for (
      let delayMs = polling.firstMs;
      ;
      delayMs = Math.min(polling.capMs, delayMs * polling.factor)
    ) {
      const execution = await this.#execution(id, patience);
      const state = execution?.Status?.State;
      if (execution !== undefined && state !== 'QUEUED' && state !== 'RUNNING') return execution;
      tell(state === 'QUEUED' ? 'queued' : 'running');
      await patience.pause(delayMs, goesOn);
    }
  }

  async #execution(id: string, patience: Patience): Promise<QueryExecution | undefined> {
    const command = new GetQueryExecutionCommand({ QueryExecutionId: id });
    const output = await this.#repeat(
      'GetQueryExecution',
      (options) => this.#client.send(command, options),
      patience,
      goesOn,
    );
    return output.QueryExecution;
  }

  /** @throws ServiceError `query_timeout`, `query_failed`. */
  results(
    id: string,
    nextToken: string | undefined,
    patience: Patience,
  ): Promise<GetQueryResultsCommandOutput> {
    const command = new GetQueryResultsCommand({
      QueryExecutionId: id,
      MaxResults: PAGE_ROWS,
      NextToken: nextToken,
    });
    return this.#repeat(
      'GetQueryResults',
      (options) => this.#client.send(command, options),
      patience,
      goesOn,
    );
  }

  /** Cancels an execution, once and without throwing: its caller has an error to report already. */
  async stop(id: string): Promise<void> {
    const command = new StopQueryExecutionCommand({ QueryExecutionId: id });
    try {
      await this.#client.send(command, { requestTimeout: STOP_TIMEOUT_MS });
      this.#logger.warn('athena execution stopped', { executionId: id });
    } catch (error) {
      const { code, requestId } = classifySdkError(error);
      this.#logger.error('athena execution not stopped', { executionId: id, code, requestId });
    }
  }

  async #repeat<Output>(
    name: string,
    send: (options: { requestTimeout: number }) => Promise<Output>,
    patience: Patience,
    late: () => ServiceError,
  ): Promise<Output> {
    for (let attempt = 1; ; attempt++) {
      patience.check(goesOn);
      try {
        return await send({ requestTimeout: Math.min(MAX_CALL_MS, patience.remainingMs()) });
      } catch (error) {
        const { kind, code, requestId } = classifySdkError(error);
        if (kind === 'permanent') {
          const message = error instanceof Error ? error.message : undefined;
          const reason = loggable(message);
          this.#logger.error('athena call refused', { call: name, code, requestId, reason });
          throw refused(message);
        }
        const waitMs = fullJitter(BACKOFF, attempt, this.#random);
        this.#logger.warn('athena call retried', { call: name, attempt, code, requestId, waitMs });
        await patience.pause(waitMs, late);
      }
    }
  }
}
