import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { REDRIVE_WINDOW } from './parking.ts';

export interface RedriveMappingProps {
  readonly queue: IQueue;
  readonly redrive: IFunction;
}

/** Hands parked messages to the redrive, which names those that are not done. */
export class RedriveMapping extends Construct {
  constructor(scope: Construct, id: string, props: RedriveMappingProps) {
    super(scope, id);
    new EventSourceMapping(this, 'Mapping', {
      target: props.redrive,
      eventSourceArn: props.queue.queueArn,
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
