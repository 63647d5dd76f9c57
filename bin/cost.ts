/**
 * What a deployment costs by the model in `src/cost`, with sizes from the real packer: per million
 * events by how many a request carries, and per month at three volumes. `npm run cost`
 */
import { measurePacking } from '../bench/pack-sizes.ts';
import { type CostLine, GB, ingestCost, total } from '../src/cost/ingest.ts';
import { landingFilesPerDay, monthlyCost, TYPICAL } from '../src/cost/month.ts';
import { otherServices } from '../src/cost/others.ts';
import { PRICE_LIST_DATE, PRICES } from '../src/cost/prices.ts';

const BATCHES = [1, 10, 100];
const VOLUMES: readonly (readonly [string, number])[] = [
  ['1 GB', GB],
  ['100 GB', 100 * GB],
  ['1 TB', 1_024 * GB],
];
const MEASURED_EVENTS = 2_000;
const MILLION = 1e6;

const packs = await Promise.all(BATCHES.map((size) => measurePacking(size, MEASURED_EVENTS)));

console.log(`List prices of us-east-1, US dollars, ${PRICE_LIST_DATE}. No free tiers.\n`);

console.log('A million events of 1 KB, by events in a request');
table(
  BATCHES.map(String),
  packs.map((pack) => ingestCost(MILLION, TYPICAL.eventBytes, pack)),
  3,
);
row(
  'Firehose bills, of what was sent',
  packs.map(({ billed, sent }) => (billed / sent).toFixed(2)),
);

console.log('\nElsewhere, the same million events and a month of keeping them (Datadog: 15 days)');
for (const { item, usd } of otherServices(MILLION, TYPICAL.eventBytes)) row(item, [usd.toFixed(3)]);

const pack = packs.at(-1);
if (pack === undefined) throw new Error('Nothing was measured.');
const workloads = VOLUMES.map(([, bytesPerDay]) => ({ ...TYPICAL, bytesPerDay, pack }));
console.log(
  `\nA month, by JSON a day: requests of ${pack.eventsPerRequest} events, files every ${TYPICAL.bufferSeconds} s, ` +
    `events kept ${TYPICAL.retentionDays} days, ${TYPICAL.calls} calls of saved queries, ${TYPICAL.cached * 100} % from the cache`,
);
table(
  VOLUMES.map(([name]) => name),
  workloads.map(monthlyCost),
  2,
);
row(
  'landing files a day',
  workloads.map((workload) => landingFilesPerDay(workload).toFixed(0)),
);

const unchecked = Object.values(PRICES)
  .filter(({ source }) => source !== 'list')
  .map(({ usd, per, source }) => `  $${usd} per ${per} (${source})`);
console.log(`\nPrices that were not read in a price list:\n${unchecked.join('\n')}`);

/** One column for each bill; all bills have the same lines. */
function table(heads: readonly string[], bills: readonly CostLine[][], digits: number): void {
  row('', heads);
  for (const [index, { item }] of (bills[0] ?? []).entries()) {
    row(
      item,
      bills.map((lines) => (lines[index]?.usd ?? 0).toFixed(digits)),
    );
  }
  row(
    'sum',
    bills.map((lines) => total(lines).toFixed(digits)),
  );
}

function row(head: string, cells: readonly string[]): void {
  console.log(head.padEnd(40) + cells.map((cell) => cell.padStart(12)).join(''));
}
