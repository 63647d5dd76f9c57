import type { CacheState } from '../execution/outcome.ts';

/** What a run was for. Nothing of the query's text or its parameters is kept. */
export interface Usage {
  /** Name of the endpoint, or of the alert whose own query ran; `/api/query` for a text that is not saved. */
  readonly endpoint: string;
  /** Its UUID; that of a text that is not saved is made of the text. */
  readonly endpoint_token: string;
  /** Id of the access key, which is no secret; absent for callers without one. */
  readonly key_id?: string;
  /** Language of the caller's own query over the endpoint's tables. */
  readonly language: 'sql' | 'lql' | 'none';
  /** Milliseconds. */
  readonly compile_ms?: number;
}

/**
 * One call of a saved query, as it is kept in the log source {@link QUERY_LOG_SOURCE}. What does not
 * apply is absent: a refused call has no rows, and an answer from the cache took no time in the engine.
 */
export interface QueryLogRecord extends Usage {
  /**
   * `call`: a caller asked; `query`: a caller sent a text that is not saved; `warmer`: rows were replaced
   * before they expired; `alert`: a check of an alert.
   */
  readonly origin: 'call' | 'query' | 'warmer' | 'alert';
  /** HTTP status; that of the query where the warmer ran it. */
  readonly status_code: number;
  /** Code of the error that was answered. */
  readonly error_code?: string;
  readonly cache?: CacheState;
  /** Seconds since the rows were made. */
  readonly age_seconds?: number;
  readonly rows?: number;
  /** Bytes that the run read; absent where nothing ran, the run failed, or another record has them. */
  readonly bytes_scanned?: number;
  /** US dollars by list price, see `src/cost/athena-price.ts`. */
  readonly cost_usd?: number;
  /** Milliseconds, as are the next two. */
  readonly queue_ms?: number;
  readonly engine_ms?: number;
  readonly decode_ms?: number;
}

/** The service's own source, where each call of a saved query is an event. */
export const QUERY_LOG_SOURCE = 'sluice.queries';

/** Keeps records of calls. */
export interface QueryLog {
  /** Resolves when the record is kept or given up, within about a second. Never throws. */
  record(record: QueryLogRecord): Promise<void>;
}

/** For where calls are not recorded. */
export const noQueryLog: QueryLog = { record: async () => {} };
