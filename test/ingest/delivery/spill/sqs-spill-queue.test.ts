import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeRecords } from '../../../../src/ingest/delivery/record/make-records.ts';
import { S3ObjectStore } from '../../../../src/ingest/delivery/spill/s3-objects.ts';
import { readMessage } from '../../../../src/ingest/delivery/spill/spilled-record.ts';
import { sqsClient } from '../../../../src/ingest/delivery/spill/sqs-client.ts';
import { SqsSpillQueue } from '../../../../src/ingest/delivery/spill/sqs-spill-queue.ts';
import { TestClock } from '../../../support/aws/clock.ts';
import { FakeLanding, type Treatment } from '../../../support/aws/fake-landing.ts';
import { LogRecorder } from '../../../support/aws/log.ts';

let landing: FakeLanding;
let client: ReturnType<typeof sqsClient>;
let logger: LogRecorder;

beforeEach(async () => {
  landing = await FakeLanding.start();
  client = sqsClient();
  logger = new LogRecorder();
});

afterEach(async () => {
  client.destroy();
  await landing.close();
});

function spillQueue(): SqsSpillQueue {
  const clock = new TestClock();
  return new SqsSpillQueue({
    client,
    queueUrl: landing.queueUrl,
    objects: new S3ObjectStore({ baseUrl: landing.objectsUrl, config: client.config }),
    clock,
    logger,
    sleep: clock.sleep,
  });
}

const record = (n: number) => Buffer.from(JSON.stringify({ n, text: 'x'.repeat(1_000) }));
const records = (count: number) => Array.from({ length: count }, (_, n) => record(n));
/** A record that no message can hold. */
const large = () => randomBytes(1_000_000);
const always = (treatment: Treatment) => () => treatment;
const once = (treatment: Treatment) => (call: number) => (call === 1 ? treatment : 'ok');

/** The records that a redrive would find. */
function spilled(): Buffer[] {
  const found = [...landing.queued.values()].map(({ body }) => {
    const message = readMessage(body);
    return 'record' in message
      ? Buffer.from(message.record, 'base64')
      : (landing.objects.get(`/lake/parked/${message.object}`) ?? Buffer.alloc(0));
  });
  return found.sort(Buffer.compare);
}

describe('spilling', () => {
  test('makes a message of every record, ten to a call', async () => {
    await spillQueue().spill(records(25));

    expect(spilled()).toEqual(records(25).sort(Buffer.compare));
    expect(landing.calls).toMatchObject({ sqs: 3, s3: 0 });
  });

  test('keeps calls within 1 MiB', async () => {
    const halves = Array.from({ length: 5 }, () => randomBytes(400_000));

    await spillQueue().spill(halves);

    expect(spilled()).toEqual(halves.sort(Buffer.compare));
    expect(landing.calls).toMatchObject({ sqs: 5, s3: 0 });
  });

  test('keeps the bytes of records that are compressed as they are', async () => {
    const encoded = makeRecords(
      Array.from({ length: 300 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(2_000) })),
      true,
    );

    await spillQueue().spill(encoded);

    expect(spilled()).toEqual(encoded.map((one) => Buffer.from(one)).sort(Buffer.compare));
  });

  test('puts on S3 what no message can hold', async () => {
    const whole = large();

    await spillQueue().spill([whole, record(1)]);

    expect(spilled()).toEqual([whole, record(1)].sort(Buffer.compare));
    expect(landing.objects.size).toBe(1);
    expect(landing.calls).toMatchObject({ sqs: 1, s3: 1 });
  });

  test('sends no message for an object that is not there', async () => {
    landing.treat.s3 = always({ error: 'AccessDenied', status: 403 });

    await expect(spillQueue().spill([large()])).rejects.toMatchObject({
      name: 'SpillFailed',
      code: 'AccessDenied',
    });

    expect(landing.calls).toMatchObject({ sqs: 0, s3: 1 });
  });

  test.each([
    { error: 'SlowDown', status: 503 },
    { error: 'InternalError', status: 500 },
    'reset',
  ] as const)('puts an object again after %j', async (treatment) => {
    landing.treat.s3 = once(treatment);

    await spillQueue().spill([large()]);

    expect(spilled()).toHaveLength(1);
    expect(landing.calls).toMatchObject({ sqs: 1, s3: 2 });
  });

  test('sends again exactly the messages that the queue did not take', async () => {
    landing.treat.sqs = once([0, 3]);

    await spillQueue().spill(records(5));

    expect(spilled()).toEqual(records(5).sort(Buffer.compare));
    expect(landing.calls.sqs).toBe(2);
  });

  test.each([
    { error: 'RequestThrottled', status: 429 },
    { error: 'ServiceUnavailable', status: 503 },
    'reset',
  ] as const)('sends again after %j', async (treatment) => {
    landing.treat.sqs = once(treatment);

    await spillQueue().spill(records(1));

    expect(spilled()).toEqual(records(1));
    expect(logger.at('warn')).toHaveLength(1);
  });

  test('spills twice what was taken by a call whose answer got lost', async () => {
    landing.treat.sqs = once('lost');

    await spillQueue().spill(records(1));

    expect(spilled()).toEqual([record(0), record(0)]);
  });

  test.each(['AccessDeniedException', 'QueueDoesNotExist'])(
    'fails at once on %s',
    async (error) => {
      landing.treat.sqs = always({ error });

      await expect(spillQueue().spill(records(1))).rejects.toMatchObject({ code: error });

      expect(landing.calls.sqs).toBe(1);
    },
  );

  test('begins no further call once one has failed', async () => {
    landing.treat.sqs = always({ error: 'AccessDeniedException' });

    await expect(spillQueue().spill(records(200))).rejects.toThrow();

    expect(landing.calls.sqs).toBeLessThanOrEqual(4);
  });

  test('fails when the queue does not recover in time', async () => {
    landing.treat.sqs = always({ error: 'ServiceUnavailable', status: 503 });

    await expect(spillQueue().spill(records(1))).rejects.toMatchObject({ name: 'SpillFailed' });

    expect(landing.calls.sqs).toBeGreaterThan(1);
  });

  test('fails when the queue takes only some of the messages', async () => {
    landing.treat.sqs = always([0]);

    await expect(spillQueue().spill(records(3))).rejects.toMatchObject({ code: 'InternalError' });

    expect(landing.queued.size).toBe(2);
  });

  test('ends a call that takes longer than spilling may', async () => {
    landing.treat.sqs = always('silence');
    const place = new SqsSpillQueue({
      client,
      queueUrl: landing.queueUrl,
      objects: new S3ObjectStore({ baseUrl: landing.objectsUrl, config: client.config }),
      clock: { now: Date.now },
      logger,
      budgetMs: 200,
    });

    await expect(place.spill(records(1))).rejects.toMatchObject({ code: 'AbortError' });

    expect(landing.calls.sqs).toBe(1);
  });

  test('logs no contents', async () => {
    landing.treat.sqs = once('reset');
    landing.treat.s3 = once({ error: 'SlowDown', status: 503 });

    await spillQueue().spill([large(), Buffer.from('{"password":"hunter2"}')]);

    expect(logger.lines).not.toEqual([]);
    expect(logger.text).not.toContain('hunter2');
  });
});
