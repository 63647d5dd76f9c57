import type { Parking } from '../src/aws/parking.ts';
import { SignedObjects } from '../src/aws/signed-objects.ts';
import { sqsClient } from '../src/aws/sqs-client.ts';
import { SqsParking, type SqsParkingDeps } from '../src/aws/sqs-parking.ts';
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
