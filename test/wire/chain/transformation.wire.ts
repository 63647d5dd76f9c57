/**
 * Records in every encoding on their way through the deployed transformation, and what becomes of them when it
 * fails: a row is in the lake, or its record lies under `failed/` and `redrive-failed` brings it there.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firehoseClient } from '../../../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseStream } from '../../../src/ingest/delivery/firehose/firehose-stream.ts';
import { packRecords } from '../../../src/ingest/delivery/record/pack.ts';
import { encodeRecord } from '../../../src/ingest/delivery/record/record-encoding.ts';
import { redriveFailed } from '../../../src/ingest/delivery/redrive/redrive-conversion-failures.ts';
import { SingleRowSink } from '../../../src/ingest/delivery/redrive/single-row-sink.ts';
import { MAX_ANSWER_BYTES } from '../../../src/ingest/delivery/transformation/transformation-answer.ts';
import { Client, type Source } from '../../e2e/support/client.ts';
import { ADMIN_KEY, temporaryDirectory } from '../../e2e/support/server.ts';
import { unknownEncoding } from '../../support/aws/encoded-records.ts';
import { landedRow } from '../../support/aws/failed-records.ts';
import { LogRecorder } from '../../support/aws/log.ts';
import type { Chain } from './chain.ts';
import type { CallTreatment } from './firehose/transformation.ts';
import { startChain } from './service.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let chain: Chain;
let sluice: Client;
let source: Source;
beforeEach(async () => {
  directory = await temporaryDirectory();
  chain = await startChain({ directory: directory.path });
  sluice = new Client(chain.url, ADMIN_KEY, () => chain.settle());
  source = await sluice.createSource('transformed');
});
afterEach(async () => {
  await chain.close();
  await directory.remove();
});

let made = 0;

/** A row of the source, of about so many bytes. */
function row(text: string): string {
  const at = new Date(chain.clock.now());
  const timestamp = at.toISOString().replace('T', ' ').replace('Z', '');
  made += 1;
  return landedRow({
    source_id: source.token,
    id: `event-${String(made).padStart(6, '0')}`,
    timestamp,
    timestamp_us: at.getTime() * 1_000,
    ingested_at: timestamp,
    event_message: text,
  });
}

const zeros = (bytes: number) => row('0'.repeat(bytes));
const noise = (bytes: number) => row(randomBytes(bytes).toString('base64').slice(0, bytes));
const encoded = (rows: readonly string[]) => packRecords(rows).map(encodeRecord);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const idsOf = (rows: readonly string[]) => rows.map((text) => JSON.parse(text).id).sort();

function deps() {
  return {
    client: firehoseClient(),
    stream: 'landing',
    clock: chain.clock,
    logger: new LogRecorder(),
  };
}

/** Puts records on the stream, as ingest does once it has answered. */
async function put(records: readonly Uint8Array[]): Promise<void> {
  const left = await new FirehoseStream(deps()).put(records, {
    deadline: chain.clock.now() + 10_000,
  });
  expect(left).toBeUndefined();
}

/** Ids of all events in the lake, copies included. */
async function stored(): Promise<unknown[]> {
  const { token } = await sluice.createEndpoint({
    name: `ids.${randomUUID()}`,
    query: `select id from \`${source.name}\` order by id`,
    max_limit: 10_000,
  });
  return (await sluice.rows(token)).map(({ id }) => id);
}

/** What lies under the failed prefix. */
async function failedFiles(): Promise<string[]> {
  const files = await readdir(directory.path, { recursive: true });
  return files
    .filter((file) => /^failed\/processing-failed\/dt=[-\d]+\/[^/]+$/.test(file))
    .map((file) => join(directory.path, file));
}

/** The records of failed files, as Firehose keeps them. */
async function failedLines() {
  const texts = await Promise.all((await failedFiles()).map((file) => readFile(file, 'utf8')));
  return texts.map((text) => JSON.parse(text));
}

describe('records on the stream', () => {
  test.each<[string, () => string[][]]>([
    ['of zeros, in the largest records', () => times(12, () => [zeros(600_000)])],
    ['of zeros, in the smallest that are compressed', () => times(400, () => [zeros(4_900)])],
    ['of random bytes', () => times(12, () => [noise(90_000)])],
    [
      'of every kind at once',
      () => [
        [zeros(900_000)],
        times(80, () => noise(900)),
        [zeros(10)],
        times(100, () => zeros(1_000)),
        [noise(300_000)],
        times(3, () => noise(40)),
      ],
    ],
  ])('%s are all in the lake, once, and no answer is too large', async (_, make) => {
    const records = make();

    await put(records.flatMap(encoded));

    expect(await stored()).toEqual(idsOf(records.flat()));
    expect(chain.delivery.failed).toEqual([]);
    expect(chain.delivery.transformation.largestAnswer).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(chain.output).not.toContain('records put back');
  });

  test('whose rows one answer cannot hold go round once more', async () => {
    // Just under the hint, and then the largest record there is: 7 MB of answer.
    const rows = [...times(6, () => zeros(680_000)), zeros(990_000)];

    await put(rows.flatMap((one) => encoded([one])));

    expect(await stored()).toEqual(idsOf(rows));
    await expect.poll(() => chain.output).toContain('records put back');
    expect(chain.delivery.transformation.largestAnswer).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(chain.delivery.failed).toEqual([]);
  });
});

describe('a transformation that fails', () => {
  /** Sends what lies under the failed prefix again, as its operator does. */
  async function redrive(): Promise<void> {
    const sink = new SingleRowSink({ ...deps(), budgetMs: 10_000 });
    for (const file of await failedFiles()) await redriveFailed(await readFile(file, 'utf8'), sink);
  }

  test.each<[CallTreatment, string]>([
    ['missing', 'Lambda.ResourceNotFound'],
    ['throttled', 'Lambda.InvokeLimitExceeded'],
    ['out of memory', 'Lambda.FunctionError'],
  ])('%s for long: what was sent is kept, and re-driven', async (treatment, code) => {
    const rows = times(50, () => noise(900));
    chain.delivery.transformation.treat = () => treatment;

    await put(encoded(rows));
    const early = await stored();
    const kept = await failedLines();
    chain.delivery.transformation.treat = () => 'ok';
    await redrive();

    expect(early).toEqual([]);
    expect(kept).toEqual(
      encoded(rows).map((record) =>
        expect.objectContaining({
          attemptsMade: 4,
          errorCode: code,
          rawData: Buffer.from(record).toString('base64'),
        }),
      ),
    );
    expect(await stored()).toEqual(idsOf(rows));
  });

  test.each<CallTreatment>(['missing', 'throttled', 'out of memory'])(
    '%s for three calls: the fourth takes it',
    async (treatment) => {
      const rows = times(50, () => noise(900));
      chain.delivery.transformation.treat = (call) => (call <= 3 ? treatment : 'ok');

      await put(encoded(rows));

      expect(await stored()).toEqual(idsOf(rows));
      expect(await failedFiles()).toEqual([]);
    },
  );

  test('by losing its answer after it put records back: they are there twice, and none is missing', async () => {
    const rows = [...times(6, () => zeros(680_000)), zeros(990_000)];
    chain.delivery.transformation.treat = (call) => (call === 1 ? 'lost' : 'ok');

    await put(rows.flatMap((one) => encoded([one])));

    const ids = await stored();
    expect([...new Set(ids)]).toEqual(idsOf(rows));
    expect(ids.length).toBeGreaterThan(rows.length);
  });

  test('to put records back: they are kept, and re-driven', async () => {
    const rows = [...times(6, () => zeros(680_000)), zeros(990_000)];
    await put(rows.flatMap((one) => encoded([one])));
    chain.landing.treat.firehose = () => ({ error: 'AccessDeniedException' });

    const early = await stored();
    chain.landing.treat.firehose = () => 'ok';
    await redrive();

    expect(early).toHaveLength(rows.length - 1);
    await expect.poll(() => chain.output).toContain('records not put back');
    expect(await stored()).toEqual(idsOf(rows));
  });

  test('is older than the writer: records that it cannot read are kept as they were sent', async () => {
    const good = times(50, () => noise(900));
    const newer = unknownEncoding([zeros(10)]);

    await put([...encoded(good), newer]);

    expect(await stored()).toEqual(idsOf(good));
    expect(await failedLines()).toEqual([
      expect.objectContaining({
        attemptsMade: 1,
        errorCode: 'Lambda.ProcessingFailedStatus',
        rawData: Buffer.from(newer).toString('base64'),
      }),
    ]);
    await expect.poll(() => chain.output).toContain('"unknown_encoding":1');
  });
});
