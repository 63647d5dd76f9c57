import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FirehoseSink } from '../../../../src/ingest/delivery/firehose/firehose-sink.ts';
import { FirehoseStreams } from '../../../../src/ingest/delivery/firehose/firehose-streams.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { networkError, serviceError } from '../../../support/aws/failures.ts';
import { FakeFirehose } from '../../../support/aws/fake-firehose.ts';
import { FakeSpillQueue } from '../../../support/aws/fake-spill-queue.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

const NAMES = ['landing', 'landing-2', 'landing-3'];
const THROTTLED = serviceError('ServiceUnavailableException', 503);
const MISSING = serviceError('ResourceNotFoundException');

/** Streams of one account, each a stand-in of its own. */
function threeStreams(random: () => number = () => 0) {
  const streams = new Map(NAMES.map((name) => [name, new FakeFirehose()]));
  const clock = new TestClock();
  const logger = new LogRecorder();
  const spillQueue = new FakeSpillQueue();
  const client = {
    send: (command: { input: { DeliveryStreamName: string } }) => {
      const stream = streams.get(command.input.DeliveryStreamName);
      if (stream === undefined) throw MISSING;
      return stream.client.send(command as never);
    },
  } as never;
  const deps = { client, stream: NAMES, clock, logger, sleep: clock.sleep, random };
  return {
    clock,
    logger,
    spillQueue,
    sink: new FirehoseSink({ ...deps, spillQueue }),
    put: (records: Uint8Array[]) =>
      new FirehoseStreams(deps).put(records, { deadline: clock.now() + 4_000 }),
    stream: (number: 1 | 2 | 3) => streams.get(NAMES[number - 1] ?? '') as FakeFirehose,
    stored: () => [...streams.values()].flatMap(({ storedRows }) => storedRows),
    calls: () => [...streams.values()].map(({ calls }) => calls.length),
  };
}

const row = (n: number) => JSON.stringify({ n });

describe('writes over three streams', () => {
  test('take turns', async () => {
    const { sink, calls } = threeStreams();

    for (let n = 0; n < 9; n++) await sink.write([row(n)]);

    expect(calls()).toEqual([3, 3, 3]);
  });

  test('begin with a stream of chance: instances know nothing of each other', async () => {
    const { sink, calls } = threeStreams(() => 0.99);

    await sink.write([row(1)]);

    expect(calls()).toEqual([0, 0, 1]);
  });

  test.each([
    ['throttles', THROTTLED],
    ['is missing', MISSING],
    ['does not answer', networkError('ETIMEDOUT')],
  ])('lose and spill nothing, and do not wait, while one %s', async (_, outage) => {
    const { sink, spillQueue, stream, stored, clock } = threeStreams();
    stream(2).outage = outage;

    for (let n = 0; n < 30; n++) await sink.write([row(n)]);

    expect(stored().sort()).toEqual(Array.from({ length: 30 }, (_, n) => row(n)).sort());
    expect(spillQueue.calls).toEqual([]);
    expect(clock.naps).toEqual([]);
  });

  test('send to the next stream only what one has not taken', async () => {
    const { put, stream } = threeStreams();
    stream(1).next({ refuse: [1] });
    const records = [1, 2, 3].map((n) => Buffer.from(row(n)));

    expect(await put(records)).toBeUndefined();

    expect(stream(1).storedRows).toEqual([row(1), row(3)]);
    expect(stream(2).storedRows).toEqual([row(2)]);
  });

  test('wait and try all again when all refuse', async () => {
    const { put, stream, stored, clock, calls } = threeStreams();
    for (const number of [1, 2, 3] as const) stream(number).next({ throws: THROTTLED });

    expect(await put([Buffer.from(row(1))])).toBeUndefined();

    expect(stored()).toEqual([row(1)]);
    expect(calls()).toEqual([2, 1, 1]);
    expect(clock.naps).toHaveLength(1);
  });

  test('are spilled when none takes them in time', async () => {
    const { sink, stream, spillQueue } = threeStreams();
    for (const number of [1, 2, 3] as const) stream(number).outage = THROTTLED;

    await sink.write([row(1)]);

    expect(spillQueue.spilledRows).toEqual([row(1)]);
  });

  test('try each stream once while all refuse, and spill at once', async () => {
    const { sink, stream, spillQueue, clock, calls } = threeStreams();
    for (const number of [1, 2, 3] as const) stream(number).outage = THROTTLED;
    await sink.write([row(1)]);
    const [before, naps] = [calls(), clock.naps.length];

    await sink.write([row(2)]);

    expect(calls().map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1]);
    expect(clock.naps).toHaveLength(naps);
    expect(spillQueue.spilledRows).toEqual([row(1), row(2)]);
  });

  test('wait for a stream that throttles although another is missing, and say which', async () => {
    const { put, stream, stored, logger } = threeStreams();
    stream(1).outage = MISSING;
    for (const number of [2, 3] as const) stream(number).next({ throws: THROTTLED });

    expect(await put([Buffer.from(row(1))])).toBeUndefined();

    expect(stored()).toEqual([row(1)]);
    expect(logger.at('error')[0]?.fields).toMatchObject({
      stream: 'landing',
      codes: { ResourceNotFoundException: 1 },
    });
  });

  test('give up at once what every stream refuses for good', async () => {
    const { put, stream, clock } = threeStreams();
    for (const number of [1, 2, 3] as const) stream(number).outage = MISSING;

    expect(await put([Buffer.from(row(1))])).toMatchObject({ kind: 'permanent' });
    expect(clock.naps).toEqual([]);
  });
});

test('each row is stored once or left, whatever the streams refuse', async () => {
  const refusals = fc.array(fc.array(fc.nat(4), { maxLength: 5 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(refusals, refusals, fc.boolean(), async (one, two, down) => {
      const { put, stream, stored } = threeStreams();
      stream(1).next(...one.map((refuse) => ({ refuse })));
      stream(2).next(...two.map((refuse) => ({ refuse })));
      if (down) stream(3).outage = THROTTLED;
      const rows = Array.from({ length: 5 }, (_, n) => row(n));

      const left = await put(rows.map((text) => Buffer.from(text)));

      const undelivered = (left?.records ?? []).map((record) => Buffer.from(record).toString());
      expect([...stored(), ...undelivered].sort()).toEqual(rows);
    }),
  );
});

test('a sink without a stream is a mistake of the deployment', () => {
  const { clock, logger } = threeStreams();
  const client = new FakeFirehose().client;
  expect(() => new FirehoseStreams({ client, stream: [], clock, logger })).toThrow(RangeError);
});
