import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
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
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeObjects } from './acknowledge.ts';
import type { Lake } from './lake.ts';
import { FAILED_FILES, FAILED_PREFIX, LANDING_FILES, LANDING_PREFIX } from './lake-layout.ts';

export interface LandingStreamProps {
  readonly lake: Lake;
  /** Time that events are collected before a file is written, 60 s to 15 minutes. */
  readonly buffer: Duration;
  /** Name of the stream and start of its log group's name. */
  readonly name: string;
  readonly logRetention: RetentionDays;
}

/** The Firehose stream that turns packed JSON rows into Parquet files of the landing table. */
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

  constructor(scope: Construct, id: string, props: LandingStreamProps) {
    super(scope, id);
    this.maxFilingDelay = props.buffer.plus(Duration.minutes(15));

    const errors = new LogGroup(this, 'Errors', {
      logGroupName: `/aws/kinesisfirehose/${props.name}`,
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const role = this.#role(props.lake, errors);
    this.stream = new DeliveryStream(this, 'Stream', {
      deliveryStreamName: props.name,
      encryption: StreamEncryption.awsOwnedKey(),
      destination: new S3Bucket(props.lake.bucket, {
        role: role.withoutPolicyUpdates(),
        dataOutputPrefix: LANDING_FILES,
        errorOutputPrefix: FAILED_FILES,
        bufferingInterval: props.buffer,
        // Counted before conversion: the largest allowed still makes Parquet files of 15 to 40 MB.
        bufferingSize: Size.mebibytes(128),
        loggingConfig: new EnableLogging(errors),
        dataFormatConversion: {
          schemaConfiguration: SchemaConfiguration.fromCfnTable(props.lake.cfnTable),
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
