import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface StorageBucketProps {
  /**
   * Bucket that records who read and wrote this one.
   *
   * @default none; only right for the bucket that holds those records
   */
  readonly accessLogs?: IBucket;
  /** What happens to the bucket and its policy when they leave the stack. */
  readonly removalPolicy: RemovalPolicy;
  /**
   * Keep deleted and overwritten objects as noncurrent versions.
   *
   * @default false
   */
  readonly versioned?: boolean;
  /**
   * Rules beyond the one that every bucket has, which drops uploads that were never completed.
   *
   * @default none
   */
  readonly lifecycleRules?: readonly LifecycleRule[];
}

/** A private bucket: encrypted by S3's own keys, TLS only, no public access, no ACLs. */
export class StorageBucket extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: StorageBucketProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      // SSE-KMS would add a key call to every object that Athena opens; S3's own keys are free.
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: props.versioned ?? false,
      removalPolicy: props.removalPolicy,
      ...(props.accessLogs === undefined
        ? {}
        : {
            serverAccessLogsBucket: props.accessLogs,
            serverAccessLogsPrefix: `${id.toLowerCase()}/`,
          }),
      lifecycleRules: [
        { id: 'abandoned-uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
        ...(props.lifecycleRules ?? []),
      ],
    });
    // A bucket that stays refuses connections without TLS, and takes access logs, for as long as it does.
    bucket.policy?.applyRemovalPolicy(props.removalPolicy);
    // Bucket implements IBucket, but not to the letter of exactOptionalPropertyTypes.
    this.bucket = bucket as IBucket;
  }
}
