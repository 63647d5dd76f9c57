/** What a source was refused, for those who ask where their events are. */

/** One or more refusals of one kind: of a request, or in a flood of about a second. */
export interface RejectionRecord {
  /** Of the first one; RFC 3339, UTC. */
  readonly rejected_at: string;
  /** Why, as the sender was told; never a value of an event. */
  readonly reason: string;
  readonly code: string;
  /** Position of the first one in its batch, from 0; null where a request was refused as a whole. */
  readonly index: number | null;
  /** How many events, or whole requests, were refused. */
  readonly count: number;
  /** Of the first one. */
  readonly request_id: string;
  /** Path of the request. */
  readonly route: string;
  /** The first one's event, where its source keeps them. */
  readonly sample?: EventSample;
}

/** An event as JSON text, or the beginning of it. */
export interface EventSample {
  readonly text: string;
  /** Of the whole text, in UTF-8. */
  readonly bytes: number;
}

/** Seven days: long enough to look on Monday after what failed on Friday. */
export const KEEP_REJECTIONS_MS = 7 * 86_400_000;

/** Where refusals are kept, for {@link KEEP_REJECTIONS_MS}. */
export interface RejectionLog {
  /**
   * Adds records to those of a source; what other instances add stays.
   *
   * @throws Error when the log cannot be reached, or not in time.
   */
  append(sourceToken: string, records: readonly RejectionRecord[]): Promise<void>;
  /** The newest first, at most `limit` of them. */
  latest(sourceToken: string, limit: number): Promise<readonly RejectionRecord[]>;
}
