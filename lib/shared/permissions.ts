/**
 * What several functions may do. No action is a wildcard, and no resource but objects under a prefix.
 */
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IBucket } from 'aws-cdk-lib/aws-s3';

export function putEvents(...streams: DeliveryStream[]): PolicyStatement {
  return allow(['firehose:PutRecordBatch'], ...streams.map((stream) => stream.deliveryStreamArn));
}

export function readRegistry(table: TableV2): PolicyStatement {
  return allow(['dynamodb:GetItem', 'dynamodb:Query'], table.tableArn);
}

/**
 * Reading the registry, and adding to inferred schemas: what writes rows, be they records of queries, gives
 * new paths their slots. It is what strangers reach first, so it cannot write the partitions that hold keys,
 * sources and endpoints.
 */
export function learnSchemas(table: TableV2): PolicyStatement[] {
  return [readRegistry(table), onPartitions(table, [SCHEMA_PARTITIONS], ['dynamodb:UpdateItem'])];
}

/** Partition keys of inferred schemas, as `src/catalog/inferred-schemas.ts` forms them. */
export const SCHEMA_PARTITIONS = 'schema *';

/** Reading and changing all items of a table. */
export function changeItems(table: TableV2): PolicyStatement {
  const actions = ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
  return allow(
    actions.map((action) => `dynamodb:${action}`),
    table.tableArn,
  );
}

export function onPartitions(table: TableV2, keys: string[], actions: string[]): PolicyStatement {
  return new PolicyStatement({
    actions,
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}

/** Finding and reading the objects under a prefix. */
export function readObjects(bucket: IBucket, prefix: string): PolicyStatement[] {
  return [listing(bucket, prefix), allow(['s3:GetObject'], bucket.arnForObjects(`${prefix}*`))];
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
