/**
 * What the functions may do, by purpose. No action is a wildcard, and no resource but objects under
 * a prefix.
 */
import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { QUOTA_PARTITIONS } from '../src/ingest/limits/dynamo-buckets.ts';
import { REJECTED_PARTITIONS } from '../src/ingest/rejections/dynamo-rejections.ts';
import type { Lake } from './lake.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX, PARKED_PREFIX } from './lake-layout.ts';
import { API_RESULTS_PREFIX } from './query-results.ts';

export function putEvents(stream: DeliveryStream): PolicyStatement[] {
  return [allow(['firehose:PutRecordBatch'], stream.deliveryStreamArn)];
}

/** Putting records into the parking place; what lies there cannot be read or removed. */
export function parkRecords(queue: IQueue, bucket: IBucket): PolicyStatement[] {
  return [
    allow(['sqs:SendMessage'], queue.queueArn),
    allow(['s3:PutObject'], bucket.arnForObjects(`${PARKED_PREFIX}*`)),
  ];
}

/** Taking records out of the parking place. Lambda polls the queue in the function's name. */
export function takeParkedRecords(queue: IQueue, bucket: IBucket): PolicyStatement[] {
  return [
    allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], queue.queueArn),
    allow(['s3:GetObject'], bucket.arnForObjects(`${PARKED_PREFIX}*`)),
  ];
}

export function readRegistry(table: TableV2): PolicyStatement[] {
  return [allow(['dynamodb:GetItem', 'dynamodb:Query'], table.tableArn)];
}

/**
 * Reading the registry, and adding to learned schemas: what writes rows, be they records of queries, gives
 * new paths their slots. It is what strangers reach first, so it cannot write the partitions that hold keys,
 * sources and endpoints.
 */
export function learnSchemas(table: TableV2): PolicyStatement[] {
  return [
    ...readRegistry(table),
    onPartitions(table, [SCHEMA_PARTITIONS], ['dynamodb:UpdateItem']),
  ];
}

/** Partition keys of learned schemas, as `src/catalog/inferred-schemas.ts` forms them. */
export const SCHEMA_PARTITIONS = 'schema *';

/**
 * Drawing from rate limits and recording rejections. Neither partition holds what a query answers,
 * and ingest can read no rejection.
 */
export function limitIngest(cache: TableV2): PolicyStatement[] {
  return [
    onPartitions(cache, [`${QUOTA_PARTITIONS}*`], ['dynamodb:GetItem', 'dynamodb:UpdateItem']),
    onPartitions(cache, [`${REJECTED_PARTITIONS}*`], ['dynamodb:PutItem']),
  ];
}

/** Reading what sources were refused. */
export function readRejections(cache: TableV2): PolicyStatement[] {
  return [onPartitions(cache, [`${REJECTED_PARTITIONS}*`], ['dynamodb:Query'])];
}

export function manageRegistry(table: TableV2): PolicyStatement[] {
  return [allow([...READ_WRITE_ITEMS], table.tableArn)];
}

/** Secrets Manager's own key encrypts the secret, for whoever may read it. */
export function readSecret(secret: Secret): PolicyStatement[] {
  return [allow(['secretsmanager:GetSecretValue'], secret.secretArn)];
}

export function useCache(table: TableV2): PolicyStatement[] {
  return [allow([...READ_WRITE_ITEMS], table.tableArn)];
}

const READ_WRITE_ITEMS = [
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

export interface QueryLakeProps {
  readonly workgroup: CfnWorkGroup;
  readonly lake: Lake;
  readonly results: IBucket;
}

/**
 * Running queries in the API's workgroup. Athena reads the catalog and the files, and writes the
 * result, in the caller's name; so the caller needs those permissions too.
 */
export function queryLake({ workgroup, lake, results }: QueryLakeProps): PolicyStatement[] {
  return [
    ...runInWorkgroup({ workgroup, results, prefix: API_RESULTS_PREFIX }),
    allow(
      ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable'],
      lake.database.catalog.catalogArn,
      lake.database.databaseArn,
      lake.table.tableArn,
      lake.compactedTableArn(Stack.of(workgroup)),
    ),
    allow(['s3:GetBucketLocation'], lake.bucket.bucketArn),
    ...[LANDING_PREFIX, COMPACTED_PREFIX].flatMap((prefix) => [
      listing(lake.bucket, prefix),
      allow(['s3:GetObject'], lake.bucket.arnForObjects(`${prefix}*`)),
    ]),
  ];
}

export interface RunInWorkgroupProps {
  readonly workgroup: CfnWorkGroup;
  readonly results: IBucket;
  /** Where the workgroup puts results. */
  readonly prefix: string;
}

/** Running statements in a workgroup and reading their results, whatever they are about. */
export function runInWorkgroup({
  workgroup,
  results,
  prefix,
}: RunInWorkgroupProps): PolicyStatement[] {
  const stack = Stack.of(workgroup);
  const defaultDatabaseArn = stack.formatArn({
    service: 'glue',
    resource: 'database',
    resourceName: 'default',
  });
  return [
    allow(
      [
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
      ],
      workgroupArn(workgroup),
    ),
    // Athena looks this one up whatever database a query names (Athena user guide, "Configure access
    // to databases and tables in the Glue Data Catalog").
    allow(['glue:GetDatabase'], defaultDatabaseArn),
    // Large results are uploaded in parts (AWS managed policy AmazonAthenaFullAccess).
    allow(['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'], results.bucketArn),
    listing(results, prefix),
    allow(
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      results.arnForObjects(`${prefix}*`),
    ),
  ];
}

function workgroupArn(workgroup: CfnWorkGroup): string {
  return Stack.of(workgroup).formatArn({
    service: 'athena',
    resource: 'workgroup',
    resourceName: workgroup.name,
  });
}

export function onPartitions(table: TableV2, keys: string[], actions: string[]): PolicyStatement {
  return new PolicyStatement({
    actions,
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}

export function listing(bucket: IBucket, prefix: string): PolicyStatement {
  return new PolicyStatement({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { 's3:prefix': `${prefix}*` } },
  });
}

export function allow(actions: string[], ...resources: string[]): PolicyStatement {
  return new PolicyStatement({ actions, resources });
}
