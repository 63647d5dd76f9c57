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
