import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { SPILL_PREFIX } from '../lake/lake-layout.ts';
import { acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { allow } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import type { LandingStreams } from './landing-streams.ts';
import { REDRIVE_TIMEOUT, REDRIVE_WINDOW } from './spill-queue.ts';

export interface RedriveProps extends ServiceProps {
  readonly landing: LandingStreams;
}

/** Takes records out of the spill queue and puts them on the landing stream; names those that are not done. */
export class Redrive extends ServiceFunction<'redrive'> {
  readonly alarms = [this.failureAlarm('ticket')];

  constructor(scope: Construct, id: string, props: RedriveProps) {
    const { landing, storage } = props;
    const { queue, objectsUrl } = storage.spillQueue;
    const { bucket } = storage.lake;
    super(scope, id, props, {
      entry: 'redrive',
      description: 'Puts parked records on the landing stream',
      environment: {
        LANDING_STREAM: landing.names,
        SPILL_OBJECTS: objectsUrl,
        LOG_LEVEL: 'info',
      },
      permissions: [
        landing.putEvents,
        // Lambda polls the queue in the function's name.
        allow(
          ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
          queue.queueArn,
        ),
        allow(['s3:GetObject'], bucket.arnForObjects(`${SPILL_PREFIX}*`)),
      ],
      // 6 MB of messages may hold a hundred records of 1 MB, compressed.
      memorySize: 1024,
      timeout: REDRIVE_TIMEOUT,
    });
    acknowledgeObjects(this.role, bucket, SPILL_PREFIX, 'Ingest names the objects it spills.');
    new EventSourceMapping(this, 'Mapping', {
      target: this.function,
      eventSourceArn: queue.queueArn,
      reportBatchItemFailures: true,
      // Two is the least that Lambda allows: a stream that has just recovered gets its backlog beside
      // the new events, not in front of them.
      maxConcurrency: 2,
      // Many small requests make many small messages. Lambda itself ends a batch at 6 MB.
      batchSize: 100,
      maxBatchingWindow: REDRIVE_WINDOW,
    });
  }
}
