/**
 * Bytes that Firehose bills per byte of events as sent, by how many events a request carries.
 * `npm run bench:pack`
 *
 * Events of about 1 KB go through the ingest pipeline, and its rows into records as on AWS. Firehose
 * bills every record as a multiple of 5 KB, and so it does format conversion. AWS does not say which
 * KB; 1,024 bytes are assumed, and the column "of 5,000" shows the other reading. "unpacked" is what
 * one record for each row would be billed.
 */
import { packRecords } from '../src/ingest/pack.ts';
import { IngestPipeline } from '../src/ingest/pipeline.ts';
import { SchemaLearner } from '../src/lake/learner.ts';
import { edgeEvent } from './edge-event.ts';

const BATCHES = [1, 10, 100, 1000];
const EVENTS = 20_000;
const SOURCE = { token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10' };

interface Sizes {
  sent: number;
  rows: number;
  billed: number;
  billedOf5000: number;
  unpacked: number;
}

function fail(message: string): never {
  throw new Error(message);
}

function billed(bytes: number, unit = 5120): number {
  return Math.ceil(bytes / unit) * unit;
}

async function measure(eventsPerRequest: number): Promise<Sizes> {
  const sizes = { sent: 0, rows: 0, billed: 0, billedOf5000: 0, unpacked: 0 };
  const clock = { now: () => Date.now() };
  const logger = { info() {}, warn: fail, error: fail };
  const registry = {
    schema: async () => ({}),
    learn: async () => undefined,
    sourceByToken: async () => undefined,
  };
  const sink = {
    async write(rows: readonly string[]) {
      for (const row of rows) {
        sizes.rows += Buffer.byteLength(row);
        sizes.unpacked += billed(Buffer.byteLength(row));
      }
      for (const record of packRecords(rows)) {
        sizes.billed += billed(record.length);
        sizes.billedOf5000 += billed(record.length, 5000);
      }
    },
  };
  const learner = new SchemaLearner({ registry, logger, clock });
  const pipeline = new IngestPipeline({ sink, learner, registry, clock, logger });
  for (let first = 0; first < EVENTS; first += eventsPerRequest) {
    const events = Array.from({ length: eventsPerRequest }, (_, index) =>
      edgeEvent(first + index, 'clean'),
    );
    sizes.sent += Buffer.byteLength(events.join(''));
    const { stored } = await pipeline.store(
      SOURCE,
      events.map((text) => JSON.parse(text)),
    );
    if (stored !== eventsPerRequest) fail(`Only ${stored} events were stored.`);
  }
  return sizes;
}

console.log(
  'events/request   bytes/event  bytes/row   billed/sent  of 5,000  unpacked  billed/rows',
);
for (const eventsPerRequest of BATCHES) {
  const { sent, rows, billed, billedOf5000, unpacked } = await measure(eventsPerRequest);
  const cells = [
    String(eventsPerRequest).padStart(14),
    (sent / EVENTS).toFixed(0).padStart(13),
    (rows / EVENTS).toFixed(0).padStart(10),
    (billed / sent).toFixed(2).padStart(13),
    (billedOf5000 / sent).toFixed(2).padStart(9),
    (unpacked / sent).toFixed(2).padStart(9),
    (billed / rows).toFixed(2).padStart(12),
  ];
  console.log(cells.join(''));
}
