/** Hours of the landing table by their starts, milliseconds since the epoch. */
export interface HourRange {
  readonly from: number;
  /** Not part of the range. */
  readonly before: number;
}

/**
 * What compaction does to a lake. Every operation may be repeated, after it succeeded as after it
 * failed or its process died at any moment, and none ever takes a row away that a query still reads.
 * Athena and DuckDB each implement it; one contract test holds both.
 *
 * Hours are milliseconds since the epoch, days are UTC days of event time, `yyyy-MM-dd`.
 *
 * @throws ServiceError as `QueryEngine.run` does, from every method.
 */
export interface CompactionStore {
  /** Creates the compacted table, and adds the columns that it lacks. */
  prepare(): Promise<void>;
  /** Rows of the landing table by hour; hours without rows are absent. Reads no column. */
  landedRows(range: HourRange): Promise<ReadonlyMap<number, number>>;
  /**
   * Event days of rows that landed in the hour and have no copy in the compacted table, oldest first.
   * None means that the hour is complete.
   */
  missingDays(hour: number): Promise<readonly string[]>;
  /**
   * Copies the hour's rows of these event days, those that have no copy yet, in one commit. Of rows
   * with the same source, id, time and content one is copied, whichever hours they landed in.
   *
   * @param token 32 to 128 characters that name this copy. After an error the copy may still go on,
   *   where it runs outside of this process; called again with the same token, hour and days, that is
   *   what is waited for, and no second copy starts beside it.
   * @param statement what {@link copyStatement} said when the copy began: another release would say it
   *   in other words, which are not those of the token.
   */
  copy(hour: number, days: readonly string[], token: string, statement?: string): Promise<void>;
  /** What {@link copy} has the engine run; undefined where nothing outlives this process. */
  copyStatement(hour: number, days: readonly string[]): string | undefined;
  /** Event days that {@link copy} takes at once at most. */
  readonly maxDaysPerCopy: number;
  /**
   * Makes few large files of a day's many small ones, and files without them of those with deleted
   * rows. Its rows stay the same.
   */
  optimize(day: string): Promise<void>;
  /**
   * Deletes rows of events before the day, of one source, or of all for undefined.
   *
   * @param noteDays is waited for before any row is deleted, and given the event days whose files
   *   keep what is deleted until the days are optimized; when it throws, nothing is deleted. It is
   *   not called when there are none: where whole files go, or are written anew at once.
   */
  deleteBefore(
    day: string,
    sourceId: string | undefined,
    noteDays: (days: readonly string[]) => Promise<void>,
  ): Promise<void>;
  /** Frees the storage of what only superseded states of the table use. */
  expireSnapshots(): Promise<void>;
}
