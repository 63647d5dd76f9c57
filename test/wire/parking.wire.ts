/**
 * The way into the lake against moto: what the stand-ins of the other tests may have misunderstood
 * about Firehose, SQS and S3 shows here. moto does not fail on demand and checks no signatures; those
 * do.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { CreateDeliveryStreamCommand, DeleteDeliveryStreamCommand } from '@aws-sdk/client-firehose';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { firehoseClient } from '../../src/ingest/delivery/firehose/firehose-client.ts';
import { FirehoseSink } from '../../src/ingest/delivery/firehose/firehose-sink.ts';
import { makeRecords } from '../../src/ingest/delivery/record/make-records.ts';
import { Redrive } from '../../src/ingest/delivery/redrive/redrive.ts';
import { S3ObjectStore } from '../../src/ingest/delivery/spill/s3-objects.ts';
import { MAX_MESSAGE_BYTES } from '../../src/ingest/delivery/spill/spilled-record.ts';
import { sqsClient } from '../../src/ingest/delivery/spill/sqs-client.ts';
import { SqsSpillQueue } from '../../src/ingest/delivery/spill/sqs-spill-queue.ts';
import { systemClock as clock } from '../../src/platform/clock.ts';
import { pointSdkAt } from '../support/aws/aws-environment.ts';
import { LogRecorder } from '../support/aws/log.ts';

const url = inject('moto');

let bucket: string;
let stream: string;
let queueUrl: string;
let firehose: ReturnType<typeof firehoseClient>;
let sqs: ReturnType<typeof sqsClient>;
let logger: LogRecorder;
let sink: FirehoseSink;
let redrive: Redrive;

beforeEach(async () => {
  pointSdkAt(url);
  firehose = firehoseClient();
  sqs = sqsClient();
  logger = new LogRecorder();
  bucket = `lake-${randomUUID()}`;
  stream = `landing-${randomUUID()}`;
  await s3(
    'PUT',
    '',
    '<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>',
  );
  await createStream();
  const { QueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({
      QueueName: randomUUID(),
      Attributes: { MaximumMessageSize: String(MAX_MESSAGE_BYTES) },
    }),
  );
  queueUrl = QueueUrl;
  const objects = new S3ObjectStore({ baseUrl: `${url}/${bucket}/parked/`, config: sqs.config });
  const parking = new SqsSpillQueue({ client: sqs, queueUrl, objects, clock, logger });
  sink = new FirehoseSink({ client: firehose, stream, spillQueue: parking, clock, logger });
  redrive = new Redrive({ client: firehose, stream, objects, clock, logger });
});

afterEach(() => {
  firehose.destroy();
  sqs.destroy();
  vi.unstubAllEnvs();
});

async function s3(method: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(`${url}/${bucket}${path}`, { method, ...(body && { body }) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

/** moto delivers every call to S3 at once. */
async function createStream(): Promise<void> {
  await firehose.send(
    new CreateDeliveryStreamCommand({
      DeliveryStreamName: stream,
      ExtendedS3DestinationConfiguration: {
        RoleARN: 'arn:aws:iam::123456789012:role/firehose',
        BucketARN: `arn:aws:s3:::${bucket}`,
        Prefix: 'log_events/',
      },
    }),
  );
}

/** Contents of the files that the stream has written. */
async function delivered(): Promise<Buffer[]> {
  const objects = new S3ObjectStore({ baseUrl: `${url}/${bucket}/`, config: sqs.config });
  const list = await s3('GET', '');
  const keys = [...list.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  return Promise.all(
    keys
      .filter((key) => key.startsWith('log_events/'))
      .map(async (key) => Buffer.from(await objects.get(key, AbortSignal.timeout(5_000)))),
  );
}

async function queued(): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages);
}

/** What Lambda does with the queue, once. */
async function poll(): Promise<void> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['SentTimestamp'],
    }),
  );
  const waiting = await redrive.run(
    Messages.map(({ MessageId = '', Body = '', Attributes }) => ({
      id: MessageId,
      text: Body,
      sentAt: Number(Attributes?.SentTimestamp),
    })),
  );
  for (const { MessageId = '', ReceiptHandle } of Messages) {
    if (!waiting.includes(MessageId)) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ n, text: 'ü'.repeat(20_000) }));

/** A row that no compression makes fit a message. */
function incompressible(): string {
  const letters = Array.from({ length: 90 }, (_, n) => String.fromCharCode(35 + n)).filter(
    (letter) => letter !== '\\',
  );
  const text = Array.from(randomBytes(985_000), (n) => letters[n % letters.length]).join('');
  return JSON.stringify({ text });
}

test('rows reach the lake through the stream, as their records', async () => {
  await sink.write(rows(20));

  expect(await delivered()).toEqual([Buffer.concat(makeRecords(rows(20), true))]);
  expect(await queued()).toBe(0);
});

test('without the stream they are parked, and reach it when it is back', async () => {
  await firehose.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: stream }));
  const large = incompressible();

  await sink.write([...rows(20), large]);
  const parked = await queued();
  await createStream();
  for (let round = 0; round < 5; round++) await poll();

  expect(parked).toBeGreaterThan(1);
  expect(logger.at('error')[0]?.fields.codes).toHaveProperty('ResourceNotFoundException');
  const files = await delivered();
  for (const record of makeRecords([...rows(20), large], true)) {
    expect(files.filter((file) => file.includes(Buffer.from(record)))).toHaveLength(1);
  }
  expect(await s3('GET', '')).toContain('<Key>parked/');
  expect(await queued()).toBe(0);
});

test('without stream and queue the write fails', async () => {
  await firehose.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: stream }));
  const parking = new SqsSpillQueue({
    client: sqs,
    queueUrl: `${queueUrl}-gone`,
    objects: { put: async () => {} },
    clock,
    logger,
  });
  const nowhere = new FirehoseSink({
    client: firehose,
    stream,
    spillQueue: parking,
    clock,
    logger,
  });

  await expect(nowhere.write(rows(1))).rejects.toMatchObject({ code: 'sink_unavailable' });

  expect(String(logger.at('error')[0]?.fields.parking)).toMatch(
    /QueueDoesNotExist|NonExistentQueue/,
  );
});
