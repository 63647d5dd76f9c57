import { SpillFailed, type SpillQueue } from '../../../src/ingest/delivery/spill/spill-queue.ts';
import { rowsOf } from './fake-firehose.ts';

/** A spill queue in memory. */
export class FakeSpillQueue implements SpillQueue {
  /** The records of every call. */
  readonly calls: (readonly Uint8Array[])[] = [];
  readonly spilled: Uint8Array[] = [];
  /** While set, calls spill nothing and fail with this code. */
  outage: string | undefined;

  /** Rows that are spilled, copies included. */
  get spilledRows(): string[] {
    return this.spilled.flatMap(rowsOf);
  }

  async spill(records: readonly Uint8Array[]): Promise<void> {
    this.calls.push(records);
    if (this.outage !== undefined) throw new SpillFailed(this.outage);
    this.spilled.push(...records);
  }
}
