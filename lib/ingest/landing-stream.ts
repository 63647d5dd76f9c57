import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  DeliveryStream,
  EnableLogging,
  OpenXJsonInputFormat,
  ParquetCompression,
  ParquetOutputFormat,
  S3Bucket,
  SchemaConfiguration,
  StreamEncryption,
} from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Lake } from '../lake/lake.ts';
import { FAILED_FILES, FAILED_PREFIX, LANDING_FILES, LANDING_PREFIX } from '../lake/lake-layout.ts';
import { acknowledge, acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { ALARM_PERIOD, type AlarmDefinition } from '../shared/runbook-alarms.ts';
import type { ServiceProps } from '../shared/service-props.ts';

export interface LandingStreamProps extends ServiceProps {
  /** Which of the streams this is, from 1. */
  readonly number: number;
}

/** A Firehose stream that turns packed JSON rows into Parquet files of the landing table. */
export class LandingStream extends Construct {
  readonly stream: DeliveryStream;
  /**
   * How far a file's hour may lie behind the arrival of an event in it, for the query compiler. A
   * file is filed under its oldest record, so that is one buffer. Firehose buffers longer on its own
   * when delivery falls behind, and files written under an earlier, longer setting stay in the lake:
   * the longest interval it allows, 15 minutes, comes on top. It costs one more hour of partitions in
   * one query out of four.
   */
  readonly maxFilingDelay: Duration;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, { name, config, storage, number }: LandingStreamProps) {
    super(scope, id);
    const { lake } = storage;
    const streamName = number === 1 ? `${name}-landing` : `${name}-landing-${number}`;
    const buffer = Duration.seconds(config.bufferSeconds);
    this.maxFilingDelay = buffer.plus(Duration.minutes(15));

    const errors = new LogGroup(this, 'Errors', {
      logGroupName: `/aws/kinesisfirehose/${streamName}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const role = this.#role(lake, errors);
    this.stream = new DeliveryStream(this, 'Stream', {
      deliveryStreamName: streamName,
      encryption: StreamEncryption.awsOwnedKey(),
      destination: new S3Bucket(lake.bucket, {
        role: role.withoutPolicyUpdates(),
        dataOutputPrefix: LANDING_FILES,
        errorOutputPrefix: FAILED_FILES,
        bufferingInterval: buffer,
        // Counted before conversion: the largest allowed still makes Parquet files of 15 to 40 MB.
        bufferingSize: Size.mebibytes(128),
        loggingConfig: new EnableLogging(errors),
        dataFormatConversion: {
          schemaConfiguration: SchemaConfiguration.fromCfnTable(lake.cfnTable),
          // OpenX reads a number out of a string column's text; Hive's SerDe would fail the record.
          inputFormat: new OpenXJsonInputFormat({
            lowercaseColumnNames: true,
            convertDotsInJsonKeysToUnderscores: false,
          }),
          // GZIP files are 38 % smaller than SNAPPY's, in storage and in what queries scan.
          outputFormat: new ParquetOutputFormat({ compression: ParquetCompression.GZIP }),
        },
      }),
    });
    acknowledge(
      Stack.of(this),
      'CloudFormation-Validate::W7001',
      "CDK adds a map of Firehose's addresses to the stack, which only VPC security groups read.",
    );
    this.alarms = [
      {
        id: 'firehose-throttled',
        // Nothing is lost: what the stream refuses is spilled, and that has an alarm of its own.
        severity: 'ticket',
        says: 'The landing stream takes fewer records than ingest sends; its quota is too small.',
        metric: this.throttledRecords(),
        threshold: 1,
        periods: 2,
      },
      {
        id: 'lake-stale',
        severity: 'page',
        says: 'Events reach the lake late; queries do not see the newest ones.',
        metric: this.age().with({ period: ALARM_PERIOD }),
        threshold: 2 * buffer.toSeconds() + 300,
        periods: 2,
      },
      {
        id: 'conversion-failed',
        severity: 'page',
        says: 'Acknowledged events could not be converted and wait under the failed prefix.',
        metric: this.failedConversions(),
        threshold: 1,
      },
    ];
  }

  /** Seconds that the oldest event not yet in the lake has waited. */
  age(): Metric {
    return this.stream.metric('DeliveryToS3.DataFreshness', {
      statistic: 'Maximum',
      label: 'oldest',
    });
  }

  /** Records that could not be made into rows: acknowledged, and not in the lake. */
  failedConversions(): Metric {
    return this.stream.metric('FailedConversion.Records', { statistic: 'Sum', label: 'failed' });
  }

  /** Records that the stream refused to take for now. */
  throttledRecords(): Metric {
    return this.stream.metric('ThrottledRecords', { statistic: 'Sum', label: 'throttled' });
  }

  /**
   * What Firehose may do, and no more. CDK would grant deleting and reading every object. The policy
   * is inline, because Firehose tries the role while the stream is created.
   */
  #role(lake: Lake, errors: LogGroup): Role {
    const { bucket, database, table } = lake;
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: 'Firehose writes the landing table',
      assumedBy: new ServicePrincipal('firehose.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
      }),
      inlinePolicies: {
        Deliver: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
              resources: [bucket.bucketArn],
            }),
            new PolicyStatement({
              actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
              resources: [LANDING_PREFIX, FAILED_PREFIX].map((prefix) =>
                bucket.arnForObjects(`${prefix}*`),
              ),
            }),
            new PolicyStatement({
              actions: ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'],
              resources: [database.catalog.catalogArn, database.databaseArn, table.tableArn],
            }),
            new PolicyStatement({
              actions: ['logs:PutLogEvents'],
              resources: [errors.logGroupArn],
            }),
          ],
        }),
      },
    });
    for (const prefix of [LANDING_PREFIX, FAILED_PREFIX]) {
      acknowledgeObjects(role, bucket, prefix, 'Firehose names the files under it itself.');
    }
    return role;
  }
}
