/**
 * The seams between the service and what it runs on. Each port has two real implementations, one for
 * AWS (`src/aws`) and one for a laptop (`src/local`), held together by one contract test.
 */
import type { OutputColumn, SqlTarget } from './sql/output.ts';

/** Wall clock, injected so that tests and the SQL compiler agree on "now". */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Structured log line writer. Fields must never hold event contents. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Where accepted events go. */
export interface EventSink {
  /**
   * Makes rows durable. When the promise resolves, every row survives a crash of this process.
   *
   * @param rows one landing-table row each, as compact JSON text without a newline
   *   (see `src/lake/rows/row.ts`), at most {@link MAX_ROW_BYTES} bytes of UTF-8.
   * @throws ServiceError `sink_unavailable` (503, with retryAfterSeconds) when the rows could not be
   *   made durable; the caller must then not acknowledge any of them.
   */
  write(rows: readonly string[]): Promise<void>;
}

/** A Firehose record holds at most 1,024,000 bytes; the margin is for its framing. */
export const MAX_ROW_BYTES = 1_000_000;

/** Runs compiled SQL. */
export interface QueryEngine {
  readonly target: SqlTarget;
  /** Whether runs outlive this process, and are told of by {@link EngineQuery.onStarted}. */
  readonly runsApart?: boolean;
  /**
   * Runs one statement to completion.
   *
   * @throws ServiceError `query_data_error` (400) when the query fails on a value, `sql_too_large`,
   *   `scan_limit_exceeded`, `query_too_large` and `result_too_large` (400) past the engine's limits,
   *   `query_timeout` (504) past the deadline, `query_failed` (502) when the engine refuses or fails,
   *   `too_many_queries` (429, retryAfterSeconds) when the caller has too many of its own under way,
   *   `engine_throttled` (503, retryAfterSeconds) when the engine has no capacity.
   *   Messages never carry the engine's own text.
   */
  run(query: EngineQuery): Promise<EngineResult>;
}

export interface EngineQuery {
  readonly text: string;
  readonly columns: readonly OutputColumn[];
  /** Idempotency token, 32 to 128 characters; equal tokens mean the same statement and data window. */
  readonly token: string;
  /** Milliseconds since the epoch after which the answer is of no use. */
  readonly deadline: number;
  /** Whose query it is, for engines that share their places among callers. */
  readonly caller?: string;
  /** Aborted when no caller wants the rows any more; for engines whose runs end with this process. */
  readonly signal?: AbortSignal;
  /**
   * Told once the run has begun, and again when it is begun anew, by an engine whose runs outlive this
   * process. Others never call it.
   */
  readonly onStarted?: (run: EngineRun) => void;
}

/** A run that goes on whether or not this process does. */
export interface EngineRun {
  /** The engine's own id of the run. */
  readonly id: string;
  /** What has become of it by now, in one look; `running` where that cannot be told. Never throws. */
  state(): Promise<'queued' | 'running' | 'ended'>;
}

export interface EngineResult {
  readonly rows: readonly WireRow[];
  readonly bytesScanned: number;
  readonly queueMs: number;
  readonly engineMs: number;
}

/**
 * One row as text, one cell per output column, in order. int64 in decimal, float64 in any spelling
 * (`1.0E10`, `NaN`, `Infinity`), bool as `true`/`false`, everything else as its text; JSON-valued
 * columns hold JSON text. Both engines deliver this shape, so one decoder serves both.
 */
export type WireRow = readonly (string | null)[];
