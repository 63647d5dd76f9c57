/**
 * CPU time per event of ingest in process (decode, normalise, row, pack, compress), as a ratio to
 * JSON.parse + JSON.stringify of the same events as JSON, and as one to the same with compression off.
 * "Up to the network" has the call of Firehose as well, its body in base64 and its signature, which
 * cost by the byte that is put on the stream. `npm run bench:ingest [case ...]`
 */

import { decodeRequest } from '../src/ingest/decode/decode.ts';
import type { IngestFormat } from '../src/ingest/decode/format.ts';
import { makeRecords } from '../src/ingest/delivery/record/make-records.ts';
import { FORMATS } from '../src/ingest/formats/index.ts';
import type { EventSink } from '../src/lake/rows/event-sink.ts';
import type { Logger } from '../src/platform/log.ts';
import { CASES, type IngestCase } from './ingest-cases.ts';
import { fail, ingestPipeline, SOURCE } from './ingest-pipeline.ts';
import { putUnconnected } from './unconnected-firehose.ts';

const EVENTS_PER_BATCH = 100;
const BATCHES = 20;
const ROUNDS = 40;
const WARM_UP_ROUNDS = 20;

const silent: Logger = { info() {}, warn() {}, error: fail };

/** What happens to rows: these are measured beside each other. */
const WAYS = {
  compressed: { compress: true, put: false },
  plain: { compress: false, put: false },
  compressedPut: { compress: true, put: true },
  plainPut: { compress: false, put: true },
} as const;
type Way = keyof typeof WAYS;

let way: Way = 'compressed';
let packedBytes = 0;
const sink: EventSink = {
  async write(rows) {
    const { compress, put } = WAYS[way];
    const records = makeRecords(rows, compress);
    for (const record of records) packedBytes += record.length;
    if (put) await putUnconnected(records);
  },
};
const pipeline = ingestPipeline(sink, { logger: silent });

async function ingest(format: IngestFormat, contentType: string, body: Uint8Array): Promise<void> {
  const { events, hasPlainTexts } = await decodeRequest({
    format,
    contentType,
    contentEncoding: undefined,
    headers: () => ({}),
    body,
    maxInflatedBytes: 20_000_000,
  });
  const { stored } = await pipeline.store(SOURCE, events, hasPlainTexts);
  if (stored !== EVENTS_PER_BATCH) fail(`Only ${stored} events were stored.`);
}

let baselineChars = 0;
function baseline(body: Uint8Array): void {
  baselineChars += JSON.stringify(JSON.parse(Buffer.from(body).toString())).length;
}

/** Microseconds of CPU time per event. */
async function cost(bodies: readonly Uint8Array[], run: (body: Uint8Array) => unknown) {
  const before = process.cpuUsage();
  for (const body of bodies) await run(body);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (bodies.length * EVENTS_PER_BATCH);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function measure({ name, path, contentType, body, json }: IngestCase): Promise<void> {
  const format = FORMATS.find((candidate) => candidate.path === path);
  if (format === undefined) return fail(`There is no format at ${path}.`);
  const batches = (make: IngestCase['body']) =>
    Array.from({ length: BATCHES }, (_, batch) =>
      bytesOf(make(batch * EVENTS_PER_BATCH, (batch + 1) * EVENTS_PER_BATCH)),
    );
  const bodies = batches(body);
  const texts = json === undefined ? bodies : batches(json);
  const ways = Object.keys(WAYS) as Way[];
  const costs: Record<Way, number[]> = {
    compressed: [],
    plain: [],
    compressedPut: [],
    plainPut: [],
  };
  const baselines: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (way of ways) {
      const ingestCost = await cost(bodies, (bytes) => ingest(format, contentType, bytes));
      if (round >= 0) costs[way].push(ingestCost);
    }
    const baselineCost = await cost(texts, baseline);
    if (round >= 0) baselines.push(baselineCost);
  }
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0) / (BATCHES * EVENTS_PER_BATCH);
  const floor = median(baselines);
  const of = (one: Way) => median(costs[one]);
  const times = (one: Way, other: Way) => (of(one) / of(other)).toFixed(2);
  console.log(
    `ingest ${name.padEnd(16)} ratio ${(of('compressed') / floor).toFixed(2)}  ` +
      `${of('compressed').toFixed(2)} us/event, JSON.parse + JSON.stringify ${floor.toFixed(2)} us, ` +
      `${bytes.toFixed(0)} bytes/event; compression off: ratio ${(of('plain') / floor).toFixed(2)}, ` +
      `on is ${times('compressed', 'plain')} times that; up to the network: ${of('compressedPut').toFixed(2)} us/event, ` +
      `compression off ${of('plainPut').toFixed(2)}, on is ${times('compressedPut', 'plainPut')} times that`,
  );
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

const wanted = process.argv.slice(2);
for (const candidate of CASES) {
  if (wanted.length === 0 || wanted.includes(candidate.name)) await measure(candidate);
}
if (packedBytes === 0 || baselineChars === 0) fail('Nothing was measured.');
