import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SignedObjects } from '../../../../src/ingest/delivery/spill/s3-objects.ts';
import { expandRecord, readMessage } from '../../../../src/ingest/delivery/spill/spilled-record.ts';
import { sqsClient } from '../../../../src/ingest/delivery/spill/sqs-client.ts';
import { SqsParking } from '../../../../src/ingest/delivery/spill/sqs-spill-queue.ts';
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

function parking(): SqsParking {
  const clock = new TestClock();
  return new SqsParking({
    client,
    queueUrl: landing.queueUrl,
    objects: new SignedObjects({ baseUrl: landing.objectsUrl, config: client.config }),
    clock,
    logger,
    sleep: clock.sleep,
  });
}

const record = (n: number) => Buffer.from(JSON.stringify({ n, text: 'x'.repeat(1_000) }));
const records = (count: number) => Array.from({ length: count }, (_, n) => record(n));
/** A record that no compression makes fit a message. */
const incompressible = () => randomBytes(1_000_000);
const always = (treatment: Treatment) => () => treatment;
const once = (treatment: Treatment) => (call: number) => (call === 1 ? treatment : 'ok');

/** The records that a redrive would find. */
async function parked(): Promise<Buffer[]> {
  const found = [...landing.queued.values()].map(async ({ body }) => {
    const message = readMessage(body);
    const bytes =
      'gzip' in message
        ? Buffer.from(message.gzip, 'base64')
        : landing.objects.get(`/lake/parked/${message.object}`);
    return Buffer.from(await expandRecord(bytes ?? Buffer.alloc(0)));
  });
  return (await Promise.all(found)).sort(Buffer.compare);
}

describe('parking', () => {
  test('makes a message of every record, ten to a call', async () => {
    await parking().park(records(25));

    expect(await parked()).toEqual(records(25).sort(Buffer.compare));
    expect(landing.calls).toMatchObject({ sqs: 3, s3: 0 });
  });

  test('keeps calls within 1 MiB', async () => {
    const halves = Array.from({ length: 5 }, () => randomBytes(400_000));

    await parking().park(halves);

    expect(await parked()).toEqual(halves.sort(Buffer.compare));
    expect(landing.calls).toMatchObject({ sqs: 5, s3: 0 });
  });

  test('puts on S3 what no message can hold', async () => {
    const large = incompressible();

    await parking().park([large, record(1)]);

    expect(await parked()).toEqual([large, record(1)].sort(Buffer.compare));
    expect(landing.objects.size).toBe(1);
    expect(landing.calls).toMatchObject({ sqs: 1, s3: 1 });
  });

  test('sends no message for an object that is not there', async () => {
    landing.treat.s3 = always({ error: 'AccessDenied', status: 403 });

    await expect(parking().park([incompressible()])).rejects.toMatchObject({
      name: 'ParkingFailed',
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

    await parking().park([incompressible()]);

    expect(await parked()).toHaveLength(1);
    expect(landing.calls).toMatchObject({ sqs: 1, s3: 2 });
  });

  test('sends again exactly the messages that the queue did not take', async () => {
    landing.treat.sqs = once([0, 3]);

    await parking().park(records(5));

    expect(await parked()).toEqual(records(5).sort(Buffer.compare));
    expect(landing.calls.sqs).toBe(2);
  });

  test.each([
    { error: 'RequestThrottled', status: 429 },
    { error: 'ServiceUnavailable', status: 503 },
    'reset',
  ] as const)('sends again after %j', async (treatment) => {
    landing.treat.sqs = once(treatment);

    await parking().park(records(1));

    expect(await parked()).toEqual(records(1));
    expect(logger.at('warn')).toHaveLength(1);
  });

  test('parks twice what was taken by a call whose answer got lost', async () => {
    landing.treat.sqs = once('lost');

    await parking().park(records(1));

    expect(await parked()).toEqual([record(0), record(0)]);
  });

  test.each(['AccessDeniedException', 'QueueDoesNotExist'])(
    'fails at once on %s',
    async (error) => {
      landing.treat.sqs = always({ error });

      await expect(parking().park(records(1))).rejects.toMatchObject({ code: error });

      expect(landing.calls.sqs).toBe(1);
    },
  );

  test('begins no further call once one has failed', async () => {
    landing.treat.sqs = always({ error: 'AccessDeniedException' });

    await expect(parking().park(records(200))).rejects.toThrow();

    expect(landing.calls.sqs).toBeLessThanOrEqual(4);
  });

  test('fails when the queue does not recover in time', async () => {
    landing.treat.sqs = always({ error: 'ServiceUnavailable', status: 503 });

    await expect(parking().park(records(1))).rejects.toMatchObject({ name: 'ParkingFailed' });

    expect(landing.calls.sqs).toBeGreaterThan(1);
  });

  test('fails when the queue takes only some of the messages', async () => {
    landing.treat.sqs = always([0]);

    await expect(parking().park(records(3))).rejects.toMatchObject({ code: 'InternalError' });

    expect(landing.queued.size).toBe(2);
  });

  test('ends a call that takes longer than parking may', async () => {
    landing.treat.sqs = always('silence');
    const place = new SqsParking({
      client,
      queueUrl: landing.queueUrl,
      objects: new SignedObjects({ baseUrl: landing.objectsUrl, config: client.config }),
      clock: { now: Date.now },
      logger,
      budgetMs: 200,
    });

    await expect(place.park(records(1))).rejects.toMatchObject({ code: 'AbortError' });

    expect(landing.calls.sqs).toBe(1);
  });

  test('logs no contents', async () => {
    landing.treat.sqs = once('reset');
    landing.treat.s3 = once({ error: 'SlowDown', status: 503 });

    await parking().park([incompressible(), Buffer.from('{"password":"hunter2"}')]);

    expect(logger.lines).not.toEqual([]);
    expect(logger.text).not.toContain('hunter2');
  });
});
