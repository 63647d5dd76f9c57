import { ServiceError } from './errors.ts';

/**
 * One row as text, one cell per output column, in order. int64 in decimal, float64 in any spelling
 * (`1.0E10`, `NaN`, `Infinity`), bool as `true`/`false`, everything else as its text; JSON-valued
 * columns hold JSON text. Both engines deliver this shape, so one decoder serves both.
 */
export type WireRow = readonly (string | null)[];

/** What one execution of a statement brought, and what it took. */
export interface ExecutionResult {
  readonly rows: readonly WireRow[];
  readonly bytesScanned: number;
  readonly queueMs: number;
  readonly engineMs: number;
  /** When the execution ended, milliseconds since the epoch. */
  readonly endedAt: number;
}

/** The callers who wait for an execution. */
export interface Waiting {
  /** When the last of them leaves, milliseconds since the epoch; it moves as callers come and go. */
  readonly until: number;
  /** Told what the execution does, as often as the engine says so. */
  tell?(state: 'queued' | 'running'): void;
}

/** An execution that ended without rows, where the same statement might end differently when it runs anew. */
export class RetryableFailure extends ServiceError {
  constructor({ code, status, message }: Pick<ServiceError, 'code' | 'status' | 'message'>) {
    super(code, status, message);
  }
}

/** The engine does not read a statement as it is worded; in other words it may do the same. */
export class StatementRefused extends ServiceError {
  constructor({ code, status, message }: Pick<ServiceError, 'code' | 'status' | 'message'>) {
    super(code, status, message);
  }
}

/** All callers have gone, and the execution goes on. */
export class ExecutionGoesOn extends ServiceError {
  constructor() {
    super(
      'query_timeout',
      504,
      'The query did not finish in time. Narrow its time range, or ask for fewer rows or columns.',
    );
  }
}
