import { createHash } from 'node:crypto';
import { makeRecords } from '../src/ingest/delivery/record/make-records.ts';
import { edgeEvent } from './edge-event.ts';
import { fail, ingestPipeline, SOURCE } from './ingest-pipeline.ts';

const AT_MS = Date.UTC(2026, 10, 20, 14);

/** Bytes that many requests of one size come to, on their way from the client to Firehose's bill. */
export interface MeasuredSizes {
  readonly eventsPerRequest: number;
  readonly sent: number;
  readonly rows: number;
  /** Bytes of the records, which are compressed. */
  readonly put: number;
  /** Records rounded up to 5,120 bytes each. */
  readonly billed: number;
  /** Records rounded up to 5,000 bytes each: AWS does not say which KB it means. */
  readonly billedOf5000: number;
  /** The same where compression is off. */
  readonly plain: number;
  /** What one record for each row would be billed, compression off. */
  readonly unpacked: number;
}

/**
 * Puts events of about 1 KB through the ingest pipeline, and its rows into records as on AWS.
 *
 * @param count events in all
 */
export async function measurePacking(
  eventsPerRequest: number,
  count: number,
): Promise<MeasuredSizes> {
  const sizes = { sent: 0, rows: 0, put: 0, billed: 0, billedOf5000: 0, plain: 0, unpacked: 0 };
  const sink = {
    async write(rows: readonly string[]) {
      for (const row of rows) {
        sizes.rows += Buffer.byteLength(row);
        sizes.unpacked += billed(Buffer.byteLength(row));
      }
      for (const record of makeRecords(rows, false)) sizes.plain += billed(record.length);
      for (const record of makeRecords(rows, true)) {
        sizes.put += record.length;
        sizes.billed += billed(record.length);
        sizes.billedOf5000 += billed(record.length, 5000);
      }
    },
  };
  const pipeline = ingestPipeline(sink, { clock: { now: () => AT_MS } });
  for (let first = 0; first < count; first += eventsPerRequest) {
    const events = Array.from({ length: eventsPerRequest }, (_, index) =>
      edgeEvent(first + index, 'clean'),
    );
    sizes.sent += Buffer.byteLength(events.join(''));
    const { stored } = await pipeline.store(
      SOURCE,
      events.map((text, index) => ({ ...JSON.parse(text), id: idOf(first + index) })),
    );
    if (stored !== eventsPerRequest) fail(`Only ${stored} events were stored.`);
  }
  return { eventsPerRequest, ...sizes };
}

/**
 * An id as senders give them, random and hard to compress, but the same each time: compressed sizes lie near
 * a step of 5 KB, and what `npm run cost` prints must not depend on chance.
 */
function idOf(number: number): string {
  const hex = createHash('sha256').update(String(number)).digest('hex');
  return `01973b2a-0844-7${hex.slice(0, 3)}-a${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

function billed(bytes: number, unit = 5120): number {
  return Math.ceil(bytes / unit) * unit;
}
