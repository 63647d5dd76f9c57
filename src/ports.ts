/**
 * The seams between the service and what it runs on. Each port has two real implementations, one for
 * AWS (`src/platform/athena`) and one for a laptop (`src/local`), held together by one contract test.
 */

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
