/**
 * Where records go that Firehose does not take in time: durable, so that their events count as stored,
 * and put on the stream later by the redrive (`redrive.ts`).
 */
export interface SpillQueue {
  /**
   * Makes records durable. When the promise resolves, each of them will reach the stream.
   *
   * @param records as they would be put on the stream, of `makeRecords`.
   * @throws SpillFailed when not all records could be spilled; some may have been.
   */
  spill(records: readonly Uint8Array[]): Promise<void>;
}

/** Records could not be spilled. */
export class SpillFailed extends Error {
  override readonly name = 'SpillFailed';
  /** The service's error name or the network's error code: fit for a log line. */
  readonly code: string;

  constructor(code: string) {
    super(`Records could not be spilled: ${code}.`);
    this.code = code;
  }
}
