import { Duration } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption, type QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MAX_MESSAGE_BYTES } from '../../src/ingest/delivery/spill/spilled-record.ts';
import { SPILL_PREFIX } from '../lake/lake-layout.ts';
import { acknowledge } from '../shared/nag-suppressions.ts';
import { RETAIN } from '../shared/removal-policy.ts';

export interface SpillQueueProps {
  /** Bucket for records that no message can hold; `Lake` gives their prefix its lifetime. */
  readonly bucket: IBucket;
}

/** How long one call of the redrive may take: reading for 8 s, putting for 14 s, and some air. */
export const REDRIVE_TIMEOUT = Duration.seconds(30);

/** How long Lambda collects messages for a call. */
export const REDRIVE_WINDOW = Duration.seconds(5);

/** The longest that SQS keeps a message. */
const KEPT_FOR = Duration.days(14);

/**
 * Where acknowledged events wait that Firehose has not taken. It holds the only copy of them, so it
 * belongs to the storage stack and outlives it.
 */
export class SpillQueue extends Construct {
  readonly queue: Queue;
  /** URL that the names of spilled objects are appended to. */
  readonly objectsUrl: string;

  constructor(scope: Construct, id: string, props: SpillQueueProps) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: KEPT_FOR,
      maxMessageSizeBytes: MAX_MESSAGE_BYTES,
      // Also the time after which a record that the stream refused is tried again. Lambda asks for six
      // time limits of the function (Lambda developer guide, "Configuring a queue").
      visibilityTimeout: Duration.seconds(6 * REDRIVE_TIMEOUT.toSeconds()).plus(REDRIVE_WINDOW),
      removalPolicy: RETAIN,
    });
    // A queue that stays refuses connections without TLS for as long as it does.
    (this.queue.node.findChild('Policy') as QueuePolicy).applyRemovalPolicy(RETAIN);
    acknowledge(
      this.queue,
      'AwsSolutions-SQS3',
      'A dead-letter queue takes messages away after some attempts, which a long outage uses up; these hold acknowledged events, so they stay, are tried until they succeed, and ring an alarm meanwhile.',
    );
    this.objectsUrl = `https://${props.bucket.bucketRegionalDomainName}/${SPILL_PREFIX}`;
  }
}
