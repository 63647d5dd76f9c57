import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  DeliveryStream,
  EnableLogging,
  LambdaFunctionProcessor,
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
import {
  TRANSFORMATION_ATTEMPTS,
  TRANSFORMATION_INTERVAL,
  TRANSFORMATION_SIZE,
  TRANSFORMATION_TIMEOUT,
  type TransformationFunction,
} from './transformation-function.ts';

export interface LandingStreamProps extends ServiceProps {
  readonly transformation: TransformationFunction;
  /** Which of the streams this is, from 1. */
  readonly number: number;
}

/**
 * Name of a stream, for what has to exist before it.
 *
 * @param number from 1
 */
export function landingStreamName(name: string, number: number): string {
  return number === 1 ? `${name}-landing` : `${name}-landing-${number}`;
}

/**
 * How long a record may be on its way through the transformation: Firehose collects a call's records, and
 * makes the call again when it fails.
 */
const TRANSFORMING = TRANSFORMATION_INTERVAL.plus(
  Duration.seconds(TRANSFORMATION_ATTEMPTS * TRANSFORMATION_TIMEOUT.toSeconds()),
);

/** A Firehose stream that turns records of packed JSON rows into Parquet files of the landing table. */
export class LandingStream extends Construct {
  readonly stream: DeliveryStream;
  readonly #number: number;
  /** What Firehose could not deliver or transform, with the reason. */
  readonly logs: LogGroup;
  /**
   * How far a file's hour may lie behind the arrival of an event in it, for the query compiler. A
   * file is filed under its oldest record, so that is one buffer and what the transformation of that
   * record took. Firehose buffers longer on its own when delivery falls behind, and files written under
   * an earlier, longer setting stay in the lake: the longest interval it allows, 15 minutes, comes on top. It costs one more hour of partitions in
   * one query out of four.
   */
  readonly maxFilingDelay: Duration;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: LandingStreamProps) {
    super(scope, id);
    const { name, config, storage, transformation, number } = props;
    this.#number = number;
    const { lake } = storage;
    const streamName = landingStreamName(name, number);
    const buffer = Duration.seconds(config.bufferSeconds);
    this.maxFilingDelay = buffer.plus(TRANSFORMING).plus(Duration.minutes(15));

    this.logs = new LogGroup(this, 'Errors', {
      logGroupName: `/aws/kinesisfirehose/${streamName}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const role = this.#role(lake, transformation);
    // The stream comes after the function, so both function and its own role come between role and stream.
    transformation.node.addDependency(role);
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
        loggingConfig: new EnableLogging(this.logs),
        processors: [
          new LambdaFunctionProcessor(transformation.function, {
            bufferSize: TRANSFORMATION_SIZE,
            bufferInterval: TRANSFORMATION_INTERVAL,
            retries: TRANSFORMATION_ATTEMPTS - 1,
          }),
        ],
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
        threshold: 2 * buffer.toSeconds() + TRANSFORMING.toSeconds() + 300,
        periods: 2,
      },
      {
        id: 'transformation-failing',
        severity: 'page',
        says: 'Firehose calls the transformation in vain; acknowledged events reach the lake late, or wait under the failed prefix.',
        metric: this.failedTransformations(),
        // One call in two. Firehose makes each up to four times, so some come through below that.
        threshold: 0.5,
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

  /** Share of the calls of the transformation, from 0 to 1, that had no answer. */
  failedTransformations(): IMetric {
    // Unique among the streams, whose metrics meet in one alarm.
    const success = this.#number === 1 ? 'success' : `success${this.#number}`;
    return new MathExpression({
      expression: `1 - ${success}`,
      usingMetrics: {
        [success]: this.stream.metric('ExecuteProcessing.Success', { statistic: 'Average' }),
      },
      period: ALARM_PERIOD,
      label: 'failed',
    });
  }

  /** Records that the stream refused to take for now. */
  throttledRecords(): Metric {
    return this.stream.metric('ThrottledRecords', { statistic: 'Sum', label: 'throttled' });
  }

  /**
   * What Firehose may do, and no more. CDK would grant deleting and reading every object. The policy
   * is inline, because Firehose tries the role while the stream is created.
   *
   * IAM needs some seconds until a new role can be assumed everywhere, and a stream that is created before
   * that fails now and then ("The security token included in the request is invalid",
   * terraform-provider-aws#47937). Terraform tries again; nothing says that CloudFormation does. So the role is the first of
   * a chain: after it come the function's own role, the function, and then the stream. Each of them is waited
   * for until IAM or Lambda calls it ready.
   */
  #role(lake: Lake, transformation: TransformationFunction): Role {
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
              resources: [this.logs.logGroupArn],
            }),
            new PolicyStatement({
              actions: ['lambda:InvokeFunction', 'lambda:GetFunctionConfiguration'],
              // AWS's documents name the version, and Firehose calls the newest one.
              resources: [transformation.arn, `${transformation.arn}:$LATEST`],
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
