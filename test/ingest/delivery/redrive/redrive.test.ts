import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firehoseClient } from '../../../../src/ingest/delivery/firehose/firehose-client.ts';
import { type QueuedMessage, Redrive } from '../../../../src/ingest/delivery/redrive/redrive.ts';
import { S3ObjectStore } from '../../../../src/ingest/delivery/spill/s3-objects.ts';
import { messageText, readMessage } from '../../../../src/ingest/delivery/spill/spilled-record.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { FakeLanding } from '../../../support/aws/fake-landing.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

let landing: FakeLanding;
let client: ReturnType<typeof firehoseClient>;
let clock: TestClock;
let logger: LogRecorder;
let redrive: Redrive;
let objects: S3ObjectStore;

beforeEach(async () => {
  landing = await FakeLanding.start();
  client = firehoseClient();
  clock = new TestClock();
  logger = new LogRecorder();
  objects = new S3ObjectStore({ baseUrl: landing.objectsUrl, config: client.config });
  redrive = new Redrive({ client, stream: 'landing', objects, clock, logger, sleep: clock.sleep });
});

afterEach(async () => {
  client.destroy();
  await landing.close();
});

const row = (n: number) => JSON.stringify({ n });
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const message = (id: number, text?: string): QueuedMessage => ({
  id: String(id),
  text: text ?? messageText({ v: 2, record: base64(row(id)) }),
  sentAt: clock.now() - 90_000,
});
const messages = (count: number) => Array.from({ length: count }, (_, id) => message(id));
const OBJECT = '2026-11-20/3f1b2c4d-0000-4000-8000-000000000000';

describe('the redrive', () => {
  test('puts the records of all messages on the stream', async () => {
    const waiting = await redrive.run(messages(3));

    expect(waiting).toEqual([]);
    expect(landing.storedRows).toEqual([row(0), row(1), row(2)]);
    expect(landing.calls.firehose).toBe(1);
  });

  test('fetches a record that a message points to', async () => {
    const large = randomBytes(1_000_000);
    await objects.put(OBJECT, large, AbortSignal.timeout(5_000));

    const waiting = await redrive.run([message(0, messageText({ v: 2, object: OBJECT }))]);

    expect(waiting).toEqual([]);
    expect(landing.stored).toEqual([large]);
  });

  test('resends what the stream refuses, and nothing else', async () => {
    landing.treat.firehose = (call) => (call === 1 ? [1] : 'ok');

    expect(await redrive.run(messages(3))).toEqual([]);

    expect(landing.storedRows.toSorted()).toEqual([row(0), row(1), row(2)]);
  });

  test('leaves in the queue exactly what the stream keeps refusing', async () => {
    landing.treat.firehose = (call) => (call === 1 ? [0, 2] : [0, 1]);

    expect(await redrive.run(messages(4))).toEqual(['0', '2']);

    expect(landing.storedRows).toEqual([row(1), row(3)]);
    expect(logger.lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'parked records wait',
      fields: { waiting: 2, codes: { ServiceUnavailableException: 2 } },
    });
  });

  test('makes one call at a time, and none after one that was given up', async () => {
    landing.treat.firehose = () => ({ error: 'AccessDeniedException' });
    const large = Array.from({ length: 12 }, (_, id) =>
      message(id, messageText({ v: 2, record: base64(Buffer.alloc(1_000_000, 'x')) })),
    );

    expect(await redrive.run(large)).toHaveLength(12);

    expect(landing.calls.firehose).toBe(1);
  });

  test.each([
    ['no JSON', 'record'],
    ['of the release before', '{"v":1,"gzip":"H4sI"}'],
    ['of another shape', '{"v":2,"rows":[]}'],
    ['empty', messageText({ v: 2, record: base64('') })],
    ['too large for a record', messageText({ v: 2, record: base64(Buffer.alloc(1_024_001)) })],
    ['a name that leads elsewhere', messageText({ v: 2, object: '../log_events/x' })],
    ['an object that is not there', messageText({ v: 2, object: OBJECT })],
  ])('keeps a message that is %s, and stores the others', async (_, text) => {
    const waiting = await redrive.run([message(0), message(1, text), message(2)]);

    expect(waiting).toEqual(['1']);
    expect(landing.storedRows).toEqual([row(0), row(2)]);
    expect(logger.at('error')).toEqual([
      expect.objectContaining({
        message: 'parked record not read',
        fields: expect.objectContaining({ messageId: '1' }),
      }),
    ]);
    expect(logger.at('warn')[0]?.fields).toMatchObject({ waiting: 1, oldestSeconds: 90 });
  });

  test('keeps a message whose object cannot be had now', async () => {
    landing.treat.s3 = () => ({ error: 'SlowDown', status: 503 });

    const waiting = await redrive.run([message(0, messageText({ v: 2, object: OBJECT }))]);

    expect(waiting).toEqual(['0']);
    expect(logger.at('error')).toEqual([]);
    expect(landing.calls.firehose).toBe(0);
  });

  test('logs no contents', async () => {
    await redrive.run([message(0, '{"password":"hunter2"'), message(1, '{"v":"hunter2"}')]);

    expect(logger.lines).not.toEqual([]);
    expect(logger.text).not.toContain('hunter2');
  });
});

test('whatever a message says, it is read or refused, and names no path out of the prefix', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        { v: fc.constantFrom(1, 2, '2'), record: fc.string(), object: fc.string() },
        {
          requiredKeys: [],
        },
      )
      .map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.constantFrom('', '../', '/', '%2e%2e/', 'https://x/'), fc.constant(OBJECT))
      .map(([prefix, name]) => JSON.stringify({ v: 2, object: prefix + name })),
  );
  let read = 0;
  fc.assert(
    fc.property(anything, (text) => {
      let found: ReturnType<typeof readMessage>;
      try {
        found = readMessage(text);
      } catch {
        return;
      }
      read += 1;
      if ('object' in found) {
        const base = 'https://lake.s3.eu-west-1.amazonaws.com/parked/';
        expect(new URL(found.object, base).href).toBe(base + found.object);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(read).toBeGreaterThan(0);
});
