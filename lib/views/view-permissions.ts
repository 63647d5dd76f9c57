/** What the function that makes the views of the lake may do. */
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { COMPACTED_TABLE, LANDING_TABLE } from '../../src/lake/layout/columns.ts';
import { VIEW_LEASE_PARTITION, VIEW_PARTITION } from '../../src/lake/views/dynamo-view-records.ts';
import { FAILED_TABLE } from '../lake/failed-events.ts';
import type { Lake } from '../lake/lake.ts';
import { tablesOf } from '../lake/lake-access.ts';
import { COMPACTED_PREFIX } from '../lake/lake-layout.ts';
import { type AthenaWorkgroup, useDefaults } from '../shared/athena-workgroup.ts';
import { allow, onPartitions } from '../shared/permissions.ts';

/** Tables of the lake's database that hold rows, which the upkeep of views never changes. */
const TABLES_WITH_ROWS = [LANDING_TABLE, COMPACTED_TABLE, FAILED_TABLE];

/**
 * Making and dropping views. A view is a table to Glue, and views have the names of sources, which
 * are not known in advance: so all tables of the database but those that hold rows. No event can be
 * read: what is read of the compacted table is its metadata, without which no view of it can be made.
 */
export function makeViews(workgroup: AthenaWorkgroup, lake: Lake): PolicyStatement[] {
  const { database, bucket } = lake;
  return [
    allow(['athena:GetQueryExecution', 'athena:StartQueryExecution'], workgroup.arn),
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
        workgroup.stack.formatArn({
          service: 'glue',
          resource: 'table',
          resourceName: `${database.databaseName}/${table}`,
        }),
      ),
    }),
    ...useDefaults(workgroup),
    allow(['s3:GetBucketLocation'], bucket.bucketArn),
    allow(['s3:GetObject'], bucket.arnForObjects(`${COMPACTED_PREFIX}metadata/*`)),
  ];
}

/** Keeping the records of what was made. */
export function recordViews(table: TableV2): PolicyStatement {
  const partitions = [VIEW_PARTITION, VIEW_LEASE_PARTITION];
  return onPartitions(table, partitions, ['dynamodb:DeleteItem', 'dynamodb:PutItem']);
}

/** Being called when the registry changes. Lambda reads the stream in the function's name. */
export function followRegistry(streamArn: string): PolicyStatement {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  return allow(
    actions.map((action) => `dynamodb:${action}`),
    streamArn,
  );
}
