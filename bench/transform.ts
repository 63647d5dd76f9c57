/**
 * What the transformation of records costs and makes: CPU time of one call, from Firehose's event to the JSON of
 * the answer, as a ratio to the least that any transformation does, which is to parse the event and to write an
 * answer with the same bytes; and how large that answer is. `npm run bench:transform`
 *
 * A call has as many records as Firehose's hint lets it have, 0.2 MiB. The answer may have 6,000,000 bytes.
 */
import { randomBytes } from 'node:crypto';
import { TRANSFORMATION_SIZE } from '../lib/ingest/transformation-function.ts';
import { packRecords } from '../src/ingest/delivery/record/pack.ts';
import { encodeRecord } from '../src/ingest/delivery/record/record-encoding.ts';
import { Transformation } from '../src/ingest/delivery/transformation/transformation.ts';
import { MAX_ANSWER_BYTES } from '../src/ingest/delivery/transformation/transformation-answer.ts';
import { edgeEvent } from './edge-event.ts';
import { fail, ingestPipeline, failing as logger, SOURCE } from './ingest-pipeline.ts';

const HINT_BYTES = TRANSFORMATION_SIZE.toMebibytes() * 1024 * 1024;
const ROUNDS = 25;

const clock = { now: () => Date.now() };
const transformation = new Transformation({
  client: { send: () => fail('Nothing is put back in this benchmark.') },
  clock,
  logger,
});

/** Rows that ingest makes of edge events, in one request. */
async function edgeRows(first: number, count: number): Promise<string[]> {
  const rows: string[] = [];
  const pipeline = ingestPipeline({ write: async (written) => void rows.push(...written) });
  const events = Array.from({ length: count }, (_, index) => edgeEvent(first + index, 'clean'));
  await pipeline.store(
    SOURCE,
    events.map((text) => JSON.parse(text)),
  );
  return rows;
}

const filled = (text: string) =>
  `{"source_id":"${SOURCE.token}","id":"a","event_message":"${text}"}`;

type Rows = (call: number) => string[] | Promise<string[]>;
const LOADS: readonly (readonly [name: string, rows: Rows])[] = [
  ['100 events a request', (call) => edgeRows(call * 100, 100)],
  ['10 events a request', (call) => edgeRows(call * 10, 10)],
  ['1 event a request', (call) => edgeRows(call, 1)],
  ['zeros', () => [filled('0'.repeat(900_000))]],
  ['zeros, smallest', () => [filled('0'.repeat(5_050))]],
  ['random bytes', () => [filled(randomBytes(60_000).toString('base64'))]],
];

/** Records of requests until a call is full, and how many rows are in them. */
async function callOf(rowsOf: Rows): Promise<{ records: Uint8Array[]; rows: number }> {
  const records: Uint8Array[] = [];
  let [bytes, rows] = [0, 0];
  for (let call = 0; ; call++) {
    const made = await rowsOf(call);
    for (const record of packRecords(made).map(encodeRecord)) {
      if (bytes + record.length > HINT_BYTES) return { records, rows };
      records.push(record);
      bytes += record.length;
    }
    rows += made.length;
  }
}

function microseconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

console.log(
  'load                     records    rows  on stream     answer  of 6 MB  times   us/row  ratio',
);
for (const [name, rowsOf] of LOADS) {
  const { records, rows } = await callOf(rowsOf);
  const event = JSON.stringify({
    records: records.map((record, index) => ({
      recordId: String(index).padStart(56, '0'),
      approximateArrivalTimestamp: clock.now(),
      data: Buffer.from(record).toString('base64'),
    })),
  });
  const [ours, theirs]: [number[], number[]] = [[], []];
  let answer = '';
  for (let round = 0; round < ROUNDS; round++) {
    let before = process.cpuUsage();
    const parsed: { records: { recordId: string; data: string }[] } = JSON.parse(event);
    const sources = parsed.records.map(({ recordId, data }) => ({
      id: recordId,
      bytes: Buffer.from(data, 'base64'),
    }));
    const records = await transformation.transform('landing', sources);
    answer = JSON.stringify({ records });
    ours.push(microseconds(before));
    const rowsAlone = records.map(({ data = '' }) => Buffer.from(data, 'base64'));
    before = process.cpuUsage();
    JSON.parse(event);
    JSON.stringify({ records: rowsAlone.map((bytes) => ({ data: bytes.toString('base64') })) });
    theirs.push(microseconds(before));
  }
  const onStream = records.reduce((sum, { length }) => sum + length, 0);
  const cells = [
    name.padEnd(23),
    String(records.length).padStart(7),
    String(rows).padStart(8),
    String(onStream).padStart(11),
    String(answer.length).padStart(11),
    `${((100 * answer.length) / MAX_ANSWER_BYTES).toFixed(0)} %`.padStart(9),
    (answer.length / onStream).toFixed(1).padStart(7),
    (median(ours) / rows).toFixed(2).padStart(9),
    (median(ours) / median(theirs)).toFixed(2).padStart(7),
  ];
  console.log(cells.join(''));
}
