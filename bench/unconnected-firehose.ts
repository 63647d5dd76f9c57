import { Readable } from 'node:stream';
import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { batchRecords } from '../src/ingest/delivery/record/pack.ts';

/** What Firehose answers, as far as reading it costs anything. */
const ANSWER = Buffer.from('{"FailedPutCount":0,"RequestResponses":[{"RecordId":"a"}]}');

const client = new FirehoseClient({
  region: 'eu-west-1',
  maxAttempts: 1,
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'none' },
  requestHandler: {
    handle: async () => ({
      response: {
        statusCode: 200,
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: Readable.from([ANSWER]),
      },
    }),
  },
});

/**
 * Makes the calls for records as they go to AWS, each with its body in base64 and JSON and its
 * signature, and takes them for answered.
 */
export async function putUnconnected(records: readonly Uint8Array[]): Promise<void> {
  for (const batch of batchRecords(records)) {
    await client.send(
      new PutRecordBatchCommand({
        DeliveryStreamName: 'landing',
        Records: batch.map((Data) => ({ Data })),
      }),
    );
  }
}
