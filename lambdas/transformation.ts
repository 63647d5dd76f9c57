import type { FirehoseTransformationEvent, FirehoseTransformationResult } from 'aws-lambda';
import { firehoseClient } from '../src/ingest/delivery/firehose/firehose-client.ts';
import { Transformation } from '../src/ingest/delivery/transformation/transformation.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { readEnvironment } from './shared/environment.ts';

const environment = readEnvironment('transformation');
const transformation = new Transformation({
  client: firehoseClient(),
  clock,
  logger: createLogger({ clock, level: environment.LOG_LEVEL }),
});

/** Called by Firehose with records of a stream, before it makes Parquet of them. */
export async function handler(
  event: FirehoseTransformationEvent,
): Promise<FirehoseTransformationResult> {
  const [, stream = ''] = event.deliveryStreamArn.split('/');
  const records = await transformation.transform(
    stream,
    event.records.map(({ recordId, data }) => ({
      id: recordId,
      bytes: Buffer.from(data, 'base64'),
    })),
  );
  return { records };
}
