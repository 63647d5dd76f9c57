import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { firehoseClient } from '../src/ingest/delivery/firehose/firehose-client.ts';
import { Redrive } from '../src/ingest/delivery/redrive/redrive.ts';
import { S3ObjectStore } from '../src/ingest/delivery/spill/s3-objects.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { readEnvironment } from './shared/environment.ts';

const environment = readEnvironment('redrive');
const client = firehoseClient();
const redrive = new Redrive({
  client,
  stream: environment.LANDING_STREAM,
  objects: new S3ObjectStore({ baseUrl: environment.SPILL_OBJECTS, config: client.config }),
  clock,
  logger: createLogger({ clock, level: environment.LOG_LEVEL }),
});

/** Called with messages of the parking queue. Lambda deletes those that the answer does not name. */
export async function handler({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> {
  const waiting = await redrive.run(
    Records.map(({ messageId, body, attributes }) => ({
      id: messageId,
      text: body,
      sentAt: Number(attributes.SentTimestamp),
    })),
  );
  return { batchItemFailures: waiting.map((itemIdentifier) => ({ itemIdentifier })) };
}
