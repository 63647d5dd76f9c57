/**
 * Bytes that Firehose bills per byte of events as sent, by how many events a request carries.
 * `npm run bench:pack`
 *
 * Events of about 1 KB go through the ingest pipeline, and its rows into records as on AWS, which are
 * compressed. Firehose bills every record as a multiple of 5 KB, and so it does format conversion. AWS
 * does not say which KB; 1,024 bytes are assumed, and the column "of 5,000" shows the other reading.
 * "plain" is what is billed with compression off, and "unpacked" what one plain record for each row
 * would be. "rows/put" is how much smaller compression makes the rows.
 */
import { measurePacking } from './pack-sizes.ts';

const BATCHES = [1, 10, 100, 1000];
const EVENTS = 20_000;

console.log(
  'events/request   bytes/event  bytes/row   billed/sent  of 5,000     plain  unpacked  rows/put',
);
for (const eventsPerRequest of BATCHES) {
  const sizes = await measurePacking(eventsPerRequest, EVENTS);
  const { sent, rows, put, billed, billedOf5000, plain, unpacked } = sizes;
  const cells = [
    String(eventsPerRequest).padStart(14),
    (sent / EVENTS).toFixed(0).padStart(13),
    (rows / EVENTS).toFixed(0).padStart(10),
    (billed / sent).toFixed(2).padStart(13),
    (billedOf5000 / sent).toFixed(2).padStart(9),
    (plain / sent).toFixed(2).padStart(9),
    (unpacked / sent).toFixed(2).padStart(9),
    (rows / put).toFixed(2).padStart(9),
  ];
  console.log(cells.join(''));
}
