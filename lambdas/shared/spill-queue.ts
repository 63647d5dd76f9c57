import { S3ObjectStore } from '../../src/ingest/delivery/spill/s3-objects.ts';
import type { SpillQueue } from '../../src/ingest/delivery/spill/spill-queue.ts';
import { sqsClient } from '../../src/ingest/delivery/spill/sqs-client.ts';
import {
  SqsSpillQueue,
  type SqsSpillQueueDeps,
} from '../../src/ingest/delivery/spill/sqs-spill-queue.ts';
import type { Environment } from './environment.ts';

/** Parking in the service's queue and lake bucket. */
export function spillQueue(
  environment: Environment<'ingest'>,
  deps: Pick<SqsSpillQueueDeps, 'clock' | 'logger'>,
): SpillQueue {
  const client = sqsClient();
  return new SqsSpillQueue({
    ...deps,
    client,
    queueUrl: environment.SPILL_QUEUE,
    objects: new S3ObjectStore({ baseUrl: environment.SPILL_OBJECTS, config: client.config }),
  });
}
