import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packRecords } from '../../../../src/ingest/delivery/record/pack.ts';
import { encodeRecord } from '../../../../src/ingest/delivery/record/record-encoding.ts';
import { Transformation } from '../../../../src/ingest/delivery/transformation/transformation.ts';
import {
  MAX_ANSWER_BYTES,
  type SourceRecord,
  type TransformedRecord,
} from '../../../../src/ingest/delivery/transformation/transformation-answer.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { unknownEncoding } from '../../../support/aws/encoded-records.ts';
import { landedRow } from '../../../support/aws/failed-records.ts';
import { serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose, type PutOutcome } from '../../../support/aws/fake-firehose.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** The size hint of a call, 0.2 MiB. */
const HINT_BYTES = Math.floor(0.2 * 1024 * 1024);

/** Firehose's ids are 56 characters long. */
const idOf = (index: number) => String(index).padStart(56, '0');

const source = (...records: Uint8Array[]): SourceRecord[] =>
  records.map((bytes, index) => ({ id: idOf(index), bytes }));

function started(outcomes: readonly PutOutcome[] = []) {
  const firehose = new FakeFirehose(outcomes);
  const clock = new TestClock();
  const logger = new LogRecorder();
  const transformation = new Transformation({
    client: firehose.client,
    clock,
    logger,
    sleep: clock.sleep,
  });
  return { firehose, clock, logger, transformation };
}

const encoded = (rows: readonly string[]) => packRecords(rows).map(encodeRecord);
const results = (answers: readonly TransformedRecord[]) => answers.map(({ result }) => result);
const bytesOf = (answers: readonly TransformedRecord[]) =>
  Buffer.byteLength(JSON.stringify({ records: answers }));
const rowsOf = (answers: readonly TransformedRecord[]) =>
  answers.flatMap(({ data }) => (data === undefined ? [] : atob(data).split('\n')));

const zeros = (bytes: number) => landedRow({ event_message: '0'.repeat(bytes) });
const noise = (bytes: number) =>
  landedRow({ event_message: randomBytes(bytes).toString('base64').slice(0, bytes) });

/** Records of one kind until a call of Firehose is full. */
function callOf(make: (index: number) => Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const record = make(records.length);
    bytes += record.length;
    if (bytes > HINT_BYTES) return records;
    records.push(record);
  }
}

const [only = new Uint8Array()] = encoded([zeros(500_000)]);
const [small = new Uint8Array()] = encoded([zeros(4_900)]);
const loads: [name: string, make: (index: number) => Uint8Array][] = [
  ['zeros in the largest records', () => only],
  ['zeros in the smallest records that are compressed', () => small],
  ['random bytes', () => encoded([noise(100_000)])[0] ?? small],
  ['single events, which stay plain', () => encoded([landedRow({})])[0] ?? small],
  [
    'a mixed load',
    (index) => encoded([index % 2 === 0 ? zeros(90_000) : noise(3_000)])[0] ?? small,
  ],
];

describe('a call with as many records as Firehose gives', () => {
  test.each(loads)('is answered whole: %s', async (_, make) => {
    const { firehose, transformation } = started();

    const answers = await transformation.transform('landing', source(...callOf(make)));

    expect(new Set(results(answers))).toEqual(new Set(['Ok']));
    expect(bytesOf(answers)).toBeLessThan(MAX_ANSWER_BYTES);
    expect(firehose.calls).toEqual([]);
  });

  test('gives all rows, plain and compressed, in the order of their records', async () => {
    const { transformation } = started();
    const plain = [landedRow({ id: 'a' }), landedRow({ id: 'b' })];
    const many = Array.from({ length: 60 }, (_, id) => landedRow({ id: String(id) }));

    const answers = await transformation.transform(
      'landing',
      source(...encoded(plain), ...encoded(many)),
    );

    expect(answers.map(({ recordId }) => recordId)).toEqual([idOf(0), idOf(1)]);
    expect(rowsOf(answers)).toEqual([...plain, ...many]);
  });
});

describe('a record that cannot be read', () => {
  test('fails alone; its code is logged and nothing of it', async () => {
    const { transformation, logger } = started();
    const good = landedRow({ id: 'good' });
    const damaged = Buffer.from(only);
    damaged.writeUInt8(1 ^ (damaged.at(-1) ?? 0), damaged.length - 1);

    const answers = await transformation.transform(
      'landing',
      source(
        unknownEncoding([landedRow({ event_message: 'pineapple' })]),
        ...encoded([good]),
        damaged,
        Buffer.from('pineapple'),
      ),
    );

    expect(results(answers)).toEqual([
      'ProcessingFailed',
      'Ok',
      'ProcessingFailed',
      'ProcessingFailed',
    ]);
    expect(rowsOf(answers)).toEqual([good]);
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: 'records not read',
        fields: {
          stream: 'landing',
          records: 4,
          failed: 3,
          codes: { unknown_encoding: 1, damaged_record: 2 },
        },
      },
    ]);
  });
});

describe('records whose rows one answer cannot hold', () => {
  const many = source(...Array.from({ length: 12 }, () => only), ...encoded([landedRow({})]));

  test('go back on the stream as they were sent, and smaller ones do not', async () => {
    const { firehose, transformation, logger } = started();

    const answers = await transformation.transform('landing', many);

    const dropped = results(answers).filter((result) => result === 'Dropped');
    expect(dropped).toHaveLength(4);
    expect(firehose.stored).toEqual(dropped.map(() => only));
    expect(firehose.streams).toEqual(new Set(['landing']));
    expect(results(answers).at(-1)).toBe('Ok');
    expect(bytesOf(answers)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(logger.lines).toMatchObject([
      { message: 'records put back', fields: { stream: 'landing', records: 4 } },
    ]);
  });

  test('are dropped only once the stream has them: what it refuses comes again', async () => {
    const { firehose, transformation } = started([{ refuse: [1, 2] }]);

    const answers = await transformation.transform('landing', many);

    expect(results(answers).filter((result) => result === 'Dropped')).toHaveLength(4);
    expect(firehose.stored).toHaveLength(4);
  });

  test('fail when the stream does not take them, so that Firehose keeps them', async () => {
    const { firehose, transformation, logger } = started();
    firehose.outage = serviceError('AccessDeniedException');

    const answers = await transformation.transform('landing', many);

    expect(results(answers)).not.toContain('Dropped');
    expect(results(answers).filter((result) => result === 'ProcessingFailed')).toHaveLength(4);
    expect(logger.lines).toMatchObject([{ level: 'error', message: 'records not put back' }]);
  });

  test('are given up before the function runs out of time', async () => {
    const { firehose, clock, transformation } = started();
    firehose.outage = serviceError('ServiceUnavailableException');
    const startedAt = clock.now();

    await transformation.transform('landing', many);

    expect(clock.now() - startedAt).toBeLessThanOrEqual(10_000);
  });
});

test('whatever the records are, each has one answer, within the limit, and none is lost', async () => {
  const record = fc.oneof(
    fc.constant(only),
    fc.constant(small),
    fc.constant(unknownEncoding([landedRow({})])),
    fc.uint8Array({ maxLength: 50 }),
    fc.integer({ min: 1, max: 400_000 }).map((bytes) => encoded([zeros(bytes)])[0] ?? small),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 30 }), async (records) => {
      const { firehose, transformation } = started();

      const answers = await transformation.transform('landing', source(...records));

      expect(answers.map(({ recordId }) => recordId)).toEqual(
        records.map((_, index) => idOf(index)),
      );
      expect(bytesOf(answers)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      const dropped = records.filter((_, index) => answers[index]?.result === 'Dropped');
      expect(firehose.stored).toEqual(dropped);
      for (const { result, data } of answers) expect(data !== undefined).toBe(result === 'Ok');
    }),
    { numRuns: 40 },
  );
});
