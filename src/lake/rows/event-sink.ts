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
