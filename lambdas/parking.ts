import { SignedObjects } from '../src/ingest/delivery/spill/s3-objects.ts';
import type { Parking } from '../src/ingest/delivery/spill/spill-queue.ts';
import { sqsClient } from '../src/ingest/delivery/spill/sqs-client.ts';
import { SqsParking, type SqsParkingDeps } from '../src/ingest/delivery/spill/sqs-spill-queue.ts';
import type { Environment } from './environment.ts';

/** Parking in the service's queue and lake bucket. */
export function sqsParking(
  environment: Environment<'ingest'>,
  deps: Pick<SqsParkingDeps, 'clock' | 'logger'>,
): Parking {
  const client = sqsClient();
  return new SqsParking({
    ...deps,
    client,
    queueUrl: environment.PARKING_QUEUE,
    objects: new SignedObjects({ baseUrl: environment.PARKING_OBJECTS, config: client.config }),
  });
}
