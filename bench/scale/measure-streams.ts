import { makeRecords } from '../../src/ingest/delivery/record/make-records.ts';
import type { StreamSizes } from '../../src/scale/load.ts';
import { eventRows } from './event-rows.ts';

/** Requests that are measured; their events differ. */
const REQUESTS = 20;

/** What requests of so many events put on the stream, by the real packer and compression. */
export async function measureStream(eventsPerRequest: number): Promise<StreamSizes> {
  const rows = await eventRows(REQUESTS * eventsPerRequest);
  const records = Array.from({ length: REQUESTS }, (_, request) =>
    makeRecords(rows.slice(request * eventsPerRequest, (request + 1) * eventsPerRequest), true),
  ).flat();
  const bytes = records.reduce((sum, record) => sum + record.length, 0);
  return {
    eventsPerRequest,
    bytesPerEvent: bytes / rows.length,
    recordsPerRequest: records.length / REQUESTS,
  };
}
