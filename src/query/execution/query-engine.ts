import type { ExecutionResult, Waiting } from '../../platform/execution.ts';
import type { SqlTarget } from '../../sql/common/result-schema.ts';

/**
 * Runs compiled SQL. An execution goes on whether or not a caller waits for it; its id leads every caller to
 * its rows.
 */
export interface QueryEngine {
  readonly target: SqlTarget;
  /** Whether executions outlive this process. */
  readonly durable: boolean;
  /**
   * Starts a statement, or finds the execution that was started under its token.
   *
   * @returns the id of the execution.
   * @throws ServiceError `sql_too_large` (400), `query_failed` (502) when the engine refuses it, and
   *   `engine_throttled` (503, retryAfterSeconds) when the engine took none for as long as callers waited.
   */
  start(query: EngineQuery, waiting: Waiting): Promise<string>;
  /**
   * Waits for the end of an execution, and reads its rows.
   *
   * @param width number of columns.
   * @throws ServiceError `query_data_error` (400) when the query fails on a value, `sql_too_large`,
   *   `scan_limit_exceeded`, `query_too_large` and `result_too_large` (400) past the engine's limits,
   *   `query_failed` (502) when the engine fails, `too_many_queries` (429, retryAfterSeconds) when the caller
   *   has too many of its own under way, `engine_throttled` (503, retryAfterSeconds) when the engine has no
   *   capacity; as a RetryableFailure where another execution might end differently. ExecutionGoesOn
   *   `query_timeout` (504) when all callers have gone. Messages never carry the engine's own text.
   */
  collect(id: string, width: number, waiting: Waiting): Promise<ExecutionResult>;
  /** Ends an execution for which nothing waits but the caller of this. Never throws. */
  cancel(id: string): Promise<void>;
}

/** A statement for an engine. */
export interface EngineQuery {
  readonly text: string;
  /** Number of columns. */
  readonly width: number;
  /** Idempotency token, 32 to 128 characters; equal tokens mean the same statement and data window. */
  readonly token: string;
  /** Whose query it is, for engines that share their places among callers. */
  readonly caller: string;
  /**
   * Milliseconds for which an execution goes on, and its rows are kept, while no caller waits for it; for
   * engines whose executions end with this process.
   */
  readonly keepMs: number;
}
