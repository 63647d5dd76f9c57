import { type Parking, ParkingFailed } from '../../../src/ingest/delivery/spill/spill-queue.ts';
import { rowsOf } from './fake-firehose.ts';

/** A parking place in memory. */
export class FakeParking implements Parking {
  /** The records of every call. */
  readonly calls: (readonly Uint8Array[])[] = [];
  readonly parked: Uint8Array[] = [];
  /** While set, calls park nothing and fail with this code. */
  outage: string | undefined;

  /** Rows that are parked, copies included. */
  get parkedRows(): string[] {
    return this.parked.flatMap(rowsOf);
  }

  async park(records: readonly Uint8Array[]): Promise<void> {
    this.calls.push(records);
    if (this.outage !== undefined) throw new ParkingFailed(this.outage);
    this.parked.push(...records);
  }
}
