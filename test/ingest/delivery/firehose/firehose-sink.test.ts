import { describe, expect, test } from 'vitest';
import {
  FirehoseSink,
  type FirehoseSinkDeps,
} from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { recordHeader } from '../../../../src/ingest/delivery/record/record-encoding.ts';
import { eventSinkContract } from '../../../ports/event-sink.contract.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { networkError, serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose, type PutOutcome } from '../../../support/aws/fake-firehose.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** Rows of about 100 KB fill a record each when it is plain, so that a handful makes several records. */
const row = (n: number, bytes = 100_000): string => JSON.stringify({ n, text: 'x'.repeat(bytes) });
const rows = (count: number, bytes?: number): string[] =>
  Array.from({ length: count }, (_, n) => row(n, bytes));

function setUp(
  script: readonly PutOutcome[] = [],
  options: Partial<FirehoseSinkDeps> & { callMs?: number } = {},
): { sink: FirehoseSink; firehose: FakeFirehose; clock: TestClock; logger: LogRecorder } {
  const clock = new TestClock();
  const firehose = new FakeFirehose(script, () => clock.advance(options.callMs ?? 0));
  const logger = new LogRecorder();
  const sink = new FirehoseSink({
    client: firehose.client,
    stream: 'sluice-landing',
    compress: false,
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
    ...options,
  });
  return { sink, firehose, clock, logger };
}

const outage = (error: Error): PutOutcome[] => Array(1_000).fill({ throws: error });

describe('a record', () => {
  const bytesOf = ({ stored }: FakeFirehose) => stored.map(({ length }) => length);

  test('is compressed, and a request of hundreds of events makes a single one', async () => {
    const { sink, firehose } = setUp([], { compress: true });
    const written = rows(250, 2_000);

    await sink.write(written);

    expect(firehose.stored.map(recordHeader)).toEqual([
      { encoding: 'zstd', rows: 250, bytes: written.join('\n').length },
    ]);
    expect(firehose.storedRows).toEqual(written);
  });

  test('is compressed unless told otherwise', async () => {
    const firehose = new FakeFirehose();
    const { client } = firehose;
    const deps = { client, stream: 'landing', clock: new TestClock(), logger: new LogRecorder() };

    await new FirehoseSink(deps).write(rows(5, 2_000));

    expect(firehose.stored.map(recordHeader)).toMatchObject([{ encoding: 'zstd', rows: 5 }]);
  });

  test('is plain where compression is off, and of at most 25 billing units', async () => {
    const { sink, firehose } = setUp();

    await sink.write(rows(250, 2_000));

    expect(firehose.stored.map(recordHeader)).toEqual(Array(4).fill(undefined));
    expect(Math.max(...bytesOf(firehose))).toBeLessThanOrEqual(25 * 5_120);
    expect(firehose.storedRows).toEqual(rows(250, 2_000));
  });

  test('shares its call with others by the bytes that are put on the stream', async () => {
    const { sink, firehose } = setUp([], { compress: true });

    await sink.write(rows(60, 300_000));

    expect(firehose.calls).toHaveLength(1);
    expect(firehose.stored).toHaveLength(60);
  });
});

describe('a write that Firehose takes', () => {
  test('stores every row, in order, on the stream', async () => {
    const { sink, firehose } = setUp();

    await sink.write(rows(20));

    expect(firehose.storedRows).toEqual(rows(20));
    expect([...firehose.streams]).toEqual(['sluice-landing']);
  });

  test('makes no call for no rows', async () => {
    const { sink, firehose } = setUp();

    await sink.write([]);

    expect(firehose.calls).toEqual([]);
  });

  test('keeps every call within 500 records and 4 MiB', async () => {
    const { sink, firehose } = setUp();

    await sink.write(rows(15, 900_000));

    expect(firehose.calls.length).toBeGreaterThan(1);
    for (const call of firehose.calls) {
      expect(call.length).toBeLessThanOrEqual(500);
      expect(call.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(
        4 * 1024 * 1024,
      );
    }
    expect(firehose.storedRows.toSorted()).toEqual(rows(15, 900_000).toSorted());
  });

  test('has two calls under way at most', async () => {
    const { sink, firehose } = setUp();

    await sink.write(rows(30, 900_000));

    expect(firehose.calls.length).toBeGreaterThan(4);
    expect(firehose.busiest).toBe(2);
  });
});

describe('a write that Firehose takes in part', () => {
  test('resends exactly the failed records, in order', async () => {
    const { sink, firehose } = setUp([{ refuse: [1, 3] }]);

    await sink.write(rows(20));

    const [first = [], second] = firehose.calls;
    expect(first.length).toBeGreaterThan(4);
    expect(second).toEqual([first[1], first[3]]);
    expect(firehose.storedRows.toSorted()).toEqual(rows(20).toSorted());
  });

  test('counts positions anew in every answer', async () => {
    const { sink, firehose } = setUp([{ refuse: [0, 2, 3] }, { refuse: [1] }]);

    await sink.write(rows(20));

    const [first = [], second, third] = firehose.calls;
    expect(second).toEqual([first[0], first[2], first[3]]);
    expect(third).toEqual([first[2]]);
  });

  test('retries records that failed with InternalFailure too', async () => {
    const { sink, firehose } = setUp([{ refuse: [0], code: 'InternalFailure' }]);

    await sink.write(rows(1));

    expect(firehose.storedRows).toEqual(rows(1));
  });

  test.each([
    ['answers some', { FailedPutCount: 0, RequestResponses: [{ RecordId: 'record-1' }] }],
    ['answers none', { FailedPutCount: 1, RequestResponses: undefined }],
  ])('resends all when an answer that should cover every record %s', async (_, answers) => {
    const { sink, firehose } = setUp([{ answers }]);

    await sink.write(rows(20));

    expect(firehose.calls[0]?.length).toBeGreaterThan(1);
    expect(firehose.calls[1]).toEqual(firehose.calls[0]);
  });

  test('resends a record that got no record id, though none is said to have failed', async () => {
    const { sink, firehose } = setUp([{ answers: { FailedPutCount: 0, RequestResponses: [{}] } }]);

    await sink.write(rows(1));

    expect(firehose.calls).toHaveLength(2);
  });

  test('is refused when the rest stays refused, though part is stored', async () => {
    const { sink, firehose } = setUp(Array(1_000).fill({ refuse: [0] }));

    await expect(sink.write(rows(20))).rejects.toMatchObject({ code: 'sink_unavailable' });

    expect(firehose.stored.length).toBeGreaterThan(0);
  });
});

describe('a write that Firehose does not take at first', () => {
  test.each([
    serviceError('ServiceUnavailableException', 503),
    serviceError('LimitExceededException'),
    serviceError('ThrottlingException'),
    serviceError('InternalFailure', 500),
    networkError('ECONNRESET'),
    networkError('ETIMEDOUT'),
  ])('is sent again after $name $code', async (error) => {
    const { sink, firehose } = setUp([{ throws: error }, { throws: error }]);

    await sink.write(rows(3));

    expect(firehose.calls).toHaveLength(3);
    expect(firehose.storedRows).toEqual(rows(3));
  });

  test('is stored twice when only the answer was lost', async () => {
    const { sink, firehose } = setUp([{ losesAnswer: networkError('ECONNRESET') }]);

    await sink.write(rows(1));

    expect(firehose.storedRows).toEqual([row(0), row(0)]);
  });

  test('draws each wait from twice the last range, up to two seconds', async () => {
    const { sink, clock } = setUp(outage(networkError('EPIPE')), { budgetMs: 6_000 });

    await expect(sink.write(rows(1))).rejects.toThrow();

    expect(clock.naps).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000]);
  });

  test.each([0, 1_500])('is refused within the budget when calls take %i ms', async (callMs) => {
    const { sink, clock } = setUp(outage(serviceError('ServiceUnavailableException', 503)), {
      callMs,
    });
    const start = clock.now();

    const write = sink.write(rows(1));

    await expect(write).rejects.toMatchObject({
      code: 'sink_unavailable',
      status: 503,
      retryAfterSeconds: 5,
    });
    expect(clock.now() - start).toBeLessThanOrEqual(8_000 + callMs);
  });

  test('leaves batches unsent once one has failed', async () => {
    const { sink, firehose } = setUp([{ throws: serviceError('AccessDeniedException') }]);

    await expect(sink.write(rows(60, 900_000))).rejects.toMatchObject({ code: 'sink_unavailable' });

    expect(firehose.calls.length).toBeLessThanOrEqual(2);
  });
});

describe('a write that Firehose will never take', () => {
  test.each([
    'AccessDeniedException',
    'ResourceNotFoundException',
    'InvalidArgumentException',
    'InvalidKMSResourceException',
    'UnrecognizedClientException',
  ])('is refused at once on %s', async (name) => {
    const { sink, firehose, clock, logger } = setUp([{ throws: serviceError(name) }]);

    await expect(sink.write(rows(1))).rejects.toMatchObject({
      code: 'sink_unavailable',
      status: 503,
      retryAfterSeconds: 60,
    });

    expect(firehose.calls).toHaveLength(1);
    expect(clock.naps).toEqual([]);
    expect(logger.at('error')[0]?.fields).toMatchObject({ codes: { [name]: 1 } });
  });
});

describe('the log', () => {
  test('tells attempts, failed records and codes of a retried write', async () => {
    const { sink, firehose, logger } = setUp([{ refuse: [0, 1] }]);

    await sink.write(rows(20));

    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'firehose write retried',
        fields: expect.objectContaining({
          stream: 'sluice-landing',
          attempt: 1,
          records: firehose.calls[0]?.length,
          failed: 2,
          codes: { ServiceUnavailableException: 2 },
        }),
      },
    ]);
  });

  test('holds no contents, not even those that an error quotes', async () => {
    const secret = JSON.stringify({ password: 'hunter2' });
    const quoting = serviceError('ValidationException', 400, `Value '${secret}' is not valid`);
    const { sink, logger } = setUp([{ throws: networkError('EPIPE') }, { throws: quoting }]);

    const error = await sink.write([secret]).catch((thrown: Error) => thrown);

    expect(logger.lines).toHaveLength(2);
    expect(logger.text).not.toContain('hunter2');
    expect(error).toMatchObject({ code: 'sink_unavailable' });
    expect(error).not.toHaveProperty('cause');
  });
});

eventSinkContract('FirehoseSink', async () => {
  const { sink, firehose } = setUp([], { compress: true });
  return {
    sink,
    stored: async () => firehose.storedRows.map((text) => JSON.parse(text).id),
    refuse: (refusing) => {
      firehose.outage = refusing ? serviceError('ServiceUnavailableException', 503) : undefined;
    },
    close: async () => {},
  };
});
