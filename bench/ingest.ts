/**
 * CPU time per event of ingest in process (decode, normalise, row, pack), as a ratio to
 * JSON.parse + JSON.stringify of the same events as JSON. `npm run bench:ingest [case ...]`
 */
import { decodeRequest } from '../src/ingest/decode.ts';
import { FORMATS, type IngestFormat } from '../src/ingest/formats/index.ts';
import { batchRecords, packRecords } from '../src/ingest/pack.ts';
import { IngestPipeline } from '../src/ingest/pipeline.ts';
import { SchemaLearner } from '../src/lake/learner.ts';
import type { EventSink, Logger } from '../src/ports.ts';
import { type EventShape, edgeEvent } from './edge-event.ts';
import { otlpJson, otlpProtobuf } from './otlp-request.ts';

const EVENTS_PER_BATCH = 100;
const BATCHES = 20;
const ROUNDS = 60;
const WARM_UP_ROUNDS = 30;
const SOURCE = { token: '3d6f0a4e-9f0c-4a52-8f5e-2b7d1c9e4a10' };

interface Batch {
  /** What is sent. */
  readonly body: Uint8Array;
  /** The same as JSON. */
  readonly json: Uint8Array;
}

interface Case {
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  /** A batch of events; `first` is the number of the first. */
  readonly batch: (first: number) => Batch;
}

const CASES: readonly Case[] = [
  jsonCase('raw', '', edgeEvents('clean')),
  jsonCase('json', '/json', edgeEvents('clean')),
  // Header names with dashes and empty values: the walk has to copy.
  jsonCase('raw-renamed', '', edgeEvents('renamed')),
  jsonCase('json-renamed', '/json', edgeEvents('renamed')),
  // Nanoseconds do not fit a double: the parse has to keep their digits.
  jsonCase('raw-nanoseconds', '', edgeEvents('nanoseconds')),
  jsonCase('otlp-json', '/v1/logs', (first) => otlpJson(first, EVENTS_PER_BATCH)),
  {
    name: 'otlp-protobuf',
    path: '/v1/logs',
    contentType: 'application/x-protobuf',
    batch: (first) => ({
      body: otlpProtobuf(first, EVENTS_PER_BATCH),
      json: Buffer.from(otlpJson(first, EVENTS_PER_BATCH)),
    }),
  },
];

function jsonCase(name: string, path: string, json: (first: number) => string): Case {
  const batch = (first: number): Batch => {
    const body = Buffer.from(json(first));
    return { body, json: body };
  };
  return { name, path, contentType: 'application/json', batch };
}

function edgeEvents(shape: EventShape) {
  return (first: number): string => {
    const events = Array.from({ length: EVENTS_PER_BATCH }, (_, index) =>
      edgeEvent(first + index, shape),
    );
    return `[${events.join(',')}]`;
  };
}

const clock = { now: () => Date.now() };
const silent: Logger = { info() {}, warn() {}, error: fail };

function fail(message: string): never {
  throw new Error(message);
}

let packedBytes = 0;
const sink: EventSink = {
  async write(rows) {
    for (const batch of batchRecords(packRecords(rows))) {
      for (const record of batch) packedBytes += record.length;
    }
  },
};
const registry = { schema: async () => ({}), learn: async () => undefined };
const learner = new SchemaLearner({ registry, logger: silent, clock });
const pipeline = new IngestPipeline({ sink, learner, clock, logger: silent });

async function ingest(format: IngestFormat, contentType: string, { body }: Batch): Promise<void> {
  const { events } = await decodeRequest({
    format,
    contentType,
    contentEncoding: undefined,
    headers: () => ({}),
    body,
    maxInflatedBytes: 20_000_000,
  });
  const { stored } = await pipeline.store(SOURCE, events);
  if (stored !== EVENTS_PER_BATCH) fail(`Only ${stored} events were stored.`);
}

let baselineChars = 0;
function baseline({ json }: Batch): void {
  baselineChars += JSON.stringify(JSON.parse(Buffer.from(json).toString())).length;
}

/** Microseconds of CPU time per event. */
async function cost(batches: readonly Batch[], run: (batch: Batch) => unknown) {
  const before = process.cpuUsage();
  for (const batch of batches) await run(batch);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (batches.length * EVENTS_PER_BATCH);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function measure({ name, path, contentType, batch }: Case): Promise<void> {
  const format = FORMATS.find((candidate) => candidate.path === path);
  if (format === undefined) return fail(`There is no format at ${path}.`);
  const batches = Array.from({ length: BATCHES }, (_, index) => batch(index * EVENTS_PER_BATCH));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const ingestCost = await cost(batches, (sent) => ingest(format, contentType, sent));
    const baselineCost = await cost(batches, baseline);
    if (round >= 0) {
      ours.push(ingestCost);
      theirs.push(baselineCost);
    }
  }
  const bytes =
    batches.reduce((sum, { body }) => sum + body.length, 0) / (BATCHES * EVENTS_PER_BATCH);
  const ratio = median(ours) / median(theirs);
  console.log(
    `ingest ${name.padEnd(16)} ratio ${ratio.toFixed(2)}  ` +
      `${median(ours).toFixed(2)} us/event, JSON.parse + JSON.stringify ${median(theirs).toFixed(2)} us, ` +
      `${bytes.toFixed(0)} bytes/event`,
  );
}

const wanted = process.argv.slice(2);
for (const candidate of CASES) {
  if (wanted.length === 0 || wanted.includes(candidate.name)) await measure(candidate);
}
if (packedBytes === 0 || baselineChars === 0) fail('Nothing was measured.');
