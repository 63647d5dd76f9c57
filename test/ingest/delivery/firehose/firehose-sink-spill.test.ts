import { describe, expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { eventSinkContract } from '../../../ports/event-sink.contract.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { networkError, serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose, type PutOutcome } from '../../../support/aws/fake-firehose.ts';
import { FakeSpillQueue } from '../../../support/aws/fake-spill-queue.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

/** Rows of about 100 KB fill a record each when it is plain. */
const row = (n: number, bytes = 100_000): string => JSON.stringify({ n, text: 'x'.repeat(bytes) });
const rows = (count: number, bytes?: number): string[] =>
  Array.from({ length: count }, (_, n) => row(n, bytes));

const throttled = serviceError('ServiceUnavailableException', 503);
const denied = serviceError('AccessDeniedException');
const silent = networkError('ETIMEDOUT');

function setUp(
  script: readonly PutOutcome[] = [],
  options: { callMs?: number; compress?: boolean } = {},
) {
  const clock = new TestClock();
  const firehose = new FakeFirehose(script, () => clock.advance(options.callMs ?? 0));
  const spillQueue = new FakeSpillQueue();
  const logger = new LogRecorder();
  const counted: [string, number][] = [];
  const sink = new FirehoseSink({
    client: firehose.client,
    stream: 'landing',
    spillQueue: spillQueue,
    compress: options.compress ?? false,
    clock,
    logger,
    sleep: clock.sleep,
    random: () => 0.5,
    metrics: { record: (name, value) => void counted.push([name, value]) },
  });
  return { sink, firehose, spillQueue, clock, logger, counted };
}

/** A sink that has spilled a write because of an error that goes on. */
async function refused(error: Error) {
  const parts = setUp();
  parts.firehose.outage = error;
  await parts.sink.write(rows(1));
  parts.firehose.calls.length = 0;
  parts.clock.naps.length = 0;
  return parts;
}

describe('a write that Firehose does not take', () => {
  test('is not spilled when Firehose recovers within the budget', async () => {
    const { sink, firehose, spillQueue } = setUp([{ throws: throttled }, { refuse: [0] }]);

    await sink.write(rows(3));

    expect(firehose.storedRows.toSorted()).toEqual(rows(3));
    expect(spillQueue.calls).toEqual([]);
  });

  test('is spilled at the end of the budget, and only what is not stored', async () => {
    const { sink, firehose, spillQueue, logger } = setUp(Array(1_000).fill({ refuse: [0] }));

    await sink.write(rows(20));

    expect(spillQueue.calls).toHaveLength(1);
    expect(spillQueue.spilled).toHaveLength(1);
    expect([...firehose.storedRows, ...spillQueue.spilledRows].toSorted()).toEqual(
      rows(20).toSorted(),
    );
    expect(logger.at('warn').at(-1)).toMatchObject({
      message: 'firehose records parked',
      fields: { stream: 'landing', records: 20, failed: 1 },
    });
    expect(logger.at('error')).toEqual([]);
  });

  test('is counted by its events', async () => {
    const { sink, firehose, counted } = setUp();
    await sink.write(rows(7, 10));
    expect(counted).toEqual([]);
    firehose.outage = throttled;

    await sink.write([...rows(1), ...rows(7, 10)]);

    expect(counted).toEqual([['EventsParked', 8]]);
  });

  test('is counted by its events when they are compressed, too', async () => {
    const { sink, firehose, spillQueue, counted } = setUp([], { compress: true });
    firehose.outage = throttled;

    await sink.write([...rows(1), ...rows(600, 1_000), row(0, 4)]);

    expect(spillQueue.spilled).toHaveLength(2);
    expect(counted).toEqual([['EventsParked', 602]]);
  });

  test('is spilled as it would have been put on the stream', async () => {
    const { sink, firehose, spillQueue } = setUp([], { compress: true });
    firehose.outage = denied;

    await sink.write(rows(20));

    expect(spillQueue.spilled).toEqual(firehose.calls[0]);
  });

  test.each([0, 1_500, 4_000])('leaves time for spilling when calls take %i ms', async (callMs) => {
    const { sink, firehose, spillQueue, clock } = setUp([], { callMs });
    firehose.outage = throttled;
    const start = clock.now();

    await sink.write(rows(1));

    expect(clock.now() - start).toBeLessThanOrEqual(4_000 + callMs);
    expect(spillQueue.spilledRows).toEqual(rows(1));
  });

  test('is spilled at once on an error that a person has to mend, and the log says so', async () => {
    const { sink, firehose, spillQueue, clock, logger } = setUp();
    firehose.outage = denied;

    await sink.write(rows(1));

    expect(firehose.calls).toHaveLength(1);
    expect(clock.naps).toEqual([]);
    expect(spillQueue.spilledRows).toEqual(rows(1));
    expect(logger.at('error')).toEqual([
      expect.objectContaining({
        message: 'firehose records parked',
        fields: expect.objectContaining({ codes: { AccessDeniedException: 1 } }),
      }),
    ]);
  });

  test('is spilled in one call, its unsent batches included', async () => {
    const { sink, firehose, spillQueue } = setUp();
    firehose.outage = denied;

    await sink.write(rows(60, 900_000));

    expect(firehose.calls.length).toBeLessThanOrEqual(2);
    expect(spillQueue.calls).toHaveLength(1);
    expect(spillQueue.spilledRows.toSorted()).toEqual(rows(60, 900_000).toSorted());
  });

  test.each([
    [throttled, 5],
    [denied, 60],
  ])('is refused when spilling fails too: %s', async (error, retryAfterSeconds) => {
    const { sink, firehose, spillQueue, logger } = setUp();
    firehose.outage = error;
    spillQueue.outage = 'QueueDoesNotExist';

    await expect(sink.write(rows(1))).rejects.toMatchObject({
      code: 'sink_unavailable',
      status: 503,
      retryAfterSeconds,
    });

    expect(logger.at('error')).toEqual([
      expect.objectContaining({
        message: 'firehose write given up',
        fields: expect.objectContaining({ parking: 'QueueDoesNotExist' }),
      }),
    ]);
  });
});

describe('while the stream refuses', () => {
  test.each([throttled, denied])('a write tries once and is spilled at once: %s', async (error) => {
    const { sink, firehose, spillQueue, clock } = await refused(error);

    await sink.write([row(1)]);

    expect(firehose.calls).toHaveLength(1);
    expect(clock.naps).toEqual([]);
    expect(spillQueue.spilledRows).toEqual([row(0), row(1)]);
  });

  test('a large write makes as many calls as run at once', async () => {
    const { sink, firehose, spillQueue } = await refused(throttled);

    await sink.write(rows(60, 900_000));

    expect(firehose.calls.length).toBeLessThanOrEqual(2);
    expect(spillQueue.calls).toHaveLength(2);
  });

  test('what the one try stores is not spilled', async () => {
    const { sink, firehose, spillQueue } = await refused(throttled);
    firehose.outage = undefined;
    firehose.next({ refuse: [1] });

    await sink.write(rows(3));

    expect(firehose.storedRows).toHaveLength(2);
    expect(spillQueue.calls.at(-1)).toHaveLength(1);
  });

  test('a write that is stored whole ends it', async () => {
    const { sink, firehose, spillQueue, clock } = await refused(throttled);
    firehose.outage = undefined;
    await sink.write([row(1)]);
    firehose.next({ throws: throttled });

    await sink.write([row(2)]);

    expect(clock.naps).toHaveLength(1);
    expect(firehose.storedRows).toEqual([row(1), row(2)]);
    expect(spillQueue.spilledRows).toEqual([row(0)]);
  });

  test('a call without an answer keeps writes from trying for five seconds', async () => {
    const { sink, firehose, spillQueue, clock, logger } = await refused(silent);

    await sink.write([row(1)]);
    clock.advance(4_999);
    await sink.write([row(2)]);
    expect(firehose.calls).toHaveLength(0);
    expect(logger.lines.at(-1)?.fields).toMatchObject({ codes: { NotTried: 1 } });
    clock.advance(1);
    await sink.write([row(3)]);

    expect(firehose.calls).toHaveLength(1);
    expect(spillQueue.spilledRows).toEqual(rows(4));
  });

  test('spilling that fails gives the next write its whole time', async () => {
    const { sink, firehose, spillQueue, clock } = await refused(throttled);
    spillQueue.outage = 'InternalError';
    await expect(sink.write([row(1)])).rejects.toMatchObject({ code: 'sink_unavailable' });
    firehose.outage = undefined;
    firehose.next({ throws: throttled });

    await sink.write([row(2)]);

    expect(clock.naps).toHaveLength(1);
    expect(firehose.storedRows).toEqual([row(2)]);
  });

  test('a minute without another refusal ends it', async () => {
    const { sink, firehose, spillQueue, clock } = await refused(throttled);
    firehose.outage = undefined;
    clock.advance(60_000);
    firehose.next({ throws: silent });

    await sink.write([row(1)]);

    expect(clock.naps).toHaveLength(1);
    expect(firehose.storedRows).toEqual([row(1)]);
    expect(spillQueue.calls).toHaveLength(1);
  });

  test('a write of no rows changes nothing', async () => {
    const { sink, firehose, spillQueue } = await refused(throttled);

    await sink.write([]);

    expect(firehose.calls).toEqual([]);
    expect(spillQueue.calls).toHaveLength(1);
  });
});

test('a fault of the spill queue that is none of its failures is not taken for one', async () => {
  const { sink, firehose, spillQueue } = setUp();
  firehose.outage = denied;
  spillQueue.spill = async () => {
    throw new TypeError('a bug of ours');
  };

  await expect(sink.write(rows(1))).rejects.toThrow(TypeError);
});

eventSinkContract('FirehoseSink with a spill queue', async () => {
  const { sink, firehose, spillQueue } = setUp([], { compress: true });
  return {
    sink,
    stored: async () =>
      [...firehose.storedRows, ...spillQueue.spilledRows].map((text) => JSON.parse(text).id),
    refuse: (refusing) => {
      firehose.outage = refusing ? throttled : undefined;
      spillQueue.outage = refusing ? 'ThrottlingException' : undefined;
    },
    close: async () => {},
  };
});
