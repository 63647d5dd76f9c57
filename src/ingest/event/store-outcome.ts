export interface StoreOutcome {
  /** Events of the request that are stored, whatever rules copy elsewhere. */
  readonly stored: number;
  /** Events that the drop filter of the source fits; absent where there are none. */
  readonly dropped?: number;
  readonly rejected: readonly Rejection[];
}

export interface Rejection {
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly reason: string;
}

/** Rejections listed in an answer; a batch can hold a hundred thousand. */
const MAX_LISTED = 100;

/** What an answer says of each rejected event, and how many are not listed. */
export function listRejections(rejected: StoreOutcome['rejected']): string[] {
  const listed = rejected
    .slice(0, MAX_LISTED)
    .map(({ index, reason }) => `event ${index}: ${reason}`);
  if (rejected.length > MAX_LISTED) listed.push(`and ${rejected.length - MAX_LISTED} more`);
  return listed;
}

/** The same in one sentence, for protocols that have room for no more. */
export function describeRejected({ stored, dropped = 0, rejected }: StoreOutcome): string {
  return (
    `Of ${stored + dropped + rejected.length} events ${rejected.length} were rejected (counted from 0) ` +
    `and all others stored: ${listRejections(rejected).join('; ')}`
  );
}
