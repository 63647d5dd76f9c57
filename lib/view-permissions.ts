/** What the function that makes the views of the lake may do. */
import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { COMPACTED_TABLE, LANDING_TABLE } from '../src/lake/layout/columns.ts';
import { VIEW_LEASE_PARTITION, VIEW_PARTITION } from '../src/lake/views/dynamo-view-records.ts';
import { acknowledgeArn } from './acknowledge.ts';
import { FAILED_TABLE } from './failed-events.ts';
import type { Lake } from './lake.ts';
import { COMPACTED_PREFIX } from './lake-layout.ts';
import { allow, listing, onPartitions } from './permissions.ts';
import { CATALOG_RESULTS_PREFIX } from './query-results.ts';

/** Tables of the lake's database that hold rows, which the upkeep of views never changes. */
const TABLES_WITH_ROWS = [LANDING_TABLE, COMPACTED_TABLE, FAILED_TABLE];

export interface MakeViewsProps {
  readonly workgroup: CfnWorkGroup;
  readonly lake: Lake;
  readonly results: IBucket;
}

/**
 * Making and dropping views. A view is a table to Glue, and views have the names of sources, which
 * nobody knows in advance: so all tables of the database but those that hold rows. No event can be
 * read: what is read of the compacted table is its metadata, without which no view of it can be made.
 */
export function makeViews({ workgroup, lake, results }: MakeViewsProps): PolicyStatement[] {
  const stack = Stack.of(workgroup);
  const arn = (service: string, resource: string, resourceName: string): string =>
    stack.formatArn({ service, resource, resourceName });
  const { database, bucket } = lake;
  return [
    allow(
      ['athena:GetQueryExecution', 'athena:StartQueryExecution'],
      arn('athena', 'workgroup', workgroup.name),
    ),
    allow(
      [
        'glue:CreateTable',
        'glue:DeleteTable',
        'glue:GetDatabase',
        'glue:GetTable',
        'glue:UpdateTable',
      ],
      database.catalog.catalogArn,
      database.databaseArn,
      tablesOf(lake),
    ),
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ['glue:CreateTable', 'glue:DeleteTable', 'glue:UpdateTable'],
      resources: TABLES_WITH_ROWS.map((table) =>
        arn('glue', 'table', `${database.databaseName}/${table}`),
      ),
    }),
    allow(['glue:GetDatabase'], arn('glue', 'database', 'default')),
    allow(['s3:GetBucketLocation'], bucket.bucketArn, results.bucketArn),
    allow(['s3:ListBucketMultipartUploads'], results.bucketArn),
    allow(['s3:GetObject'], bucket.arnForObjects(`${COMPACTED_PREFIX}metadata/*`)),
    listing(results, CATALOG_RESULTS_PREFIX),
    allow(
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      results.arnForObjects(`${CATALOG_RESULTS_PREFIX}*`),
    ),
  ];
}

/** Keeping the records of what was made. */
export function recordViews(table: TableV2): PolicyStatement[] {
  return [
    onPartitions(
      table,
      [VIEW_PARTITION, VIEW_LEASE_PARTITION],
      ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
    ),
  ];
}

/** Being called when the registry changes. Lambda reads the stream in the function's name. */
export function followRegistry(streamArn: string): PolicyStatement[] {
  return [
    allow(
      [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
      streamArn,
    ),
  ];
}

/** All tables and views of the lake's database. */
export function tablesOf({ database }: Lake): string {
  return Stack.of(database).formatArn({
    service: 'glue',
    resource: 'table',
    resourceName: `${database.databaseName}/*`,
  });
}

/** Accepts that a policy of another stack names all tables and views of the lake's database. */
export function acknowledgeTables(construct: IConstruct, lake: Lake, reason: string): void {
  const { 'Fn::ImportValue': database } = Stack.of(construct).resolve(
    Stack.of(lake.database).exportValue(lake.database.databaseName),
  );
  // cdk-nag names the finding by what the template says: the export of the database's name.
  const tables = { service: 'glue', resource: 'table', resourceName: `${database}/*` };
  acknowledgeArn(construct, tables, reason);
}
