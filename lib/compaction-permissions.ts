import { Stack } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { COMPACTION_PARTITION } from '../src/catalog/compaction-state.ts';
import { COMPACTION_LEASE } from '../src/lake/compaction/compactor.ts';
import { resultKey } from '../src/platform/dynamo/cache-table.ts';
import type { Lake } from './lake.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX } from './lake-layout.ts';
import { allow, listing, onPartitions, runInWorkgroup } from './permissions.ts';
import { COMPACTION_RESULTS_PREFIX } from './query-results.ts';

export interface CompactLakeProps {
  readonly workgroup: CfnWorkGroup;
  readonly lake: Lake;
  readonly results: IBucket;
  readonly registry: TableV2;
  readonly cache: TableV2;
}

/** Partition of the registry that the sources are in, as `src/catalog/named-store.ts` calls it. */
export const SOURCE_PARTITION = 'source';

/**
 * What the job of compaction may do: read landing files and change nothing of them, write and delete
 * in the compacted table, and keep its own state. Athena does all of it in the job's name.
 */
export function compactLake(props: CompactLakeProps): PolicyStatement[] {
  const { workgroup, lake, results, registry, cache } = props;
  const { bucket } = lake;
  const compacted = lake.compactedTableArn(Stack.of(workgroup));
  return [
    ...runInWorkgroup({ workgroup, results, prefix: COMPACTION_RESULTS_PREFIX }),
    allow(
      ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable'],
      lake.database.catalog.catalogArn,
      lake.database.databaseArn,
      lake.table.tableArn,
      compacted,
    ),
    allow(
      ['glue:CreateTable', 'glue:UpdateTable'],
      lake.database.catalog.catalogArn,
      lake.database.databaseArn,
      compacted,
    ),
    allow(['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'], bucket.bucketArn),
    listing(bucket, LANDING_PREFIX),
    listing(bucket, COMPACTED_PREFIX),
    allow(['s3:GetObject'], bucket.arnForObjects(`${LANDING_PREFIX}*`)),
    allow(
      [
        's3:AbortMultipartUpload',
        's3:DeleteObject',
        's3:GetObject',
        's3:ListMultipartUploadParts',
        's3:PutObject',
      ],
      bucket.arnForObjects(`${COMPACTED_PREFIX}*`),
    ),
    onPartitions(registry, [COMPACTION_PARTITION], ['dynamodb:GetItem', 'dynamodb:PutItem']),
    onPartitions(registry, [SOURCE_PARTITION], ['dynamodb:Query']),
    onPartitions(
      cache,
      [resultKey(COMPACTION_LEASE)],
      ['dynamodb:DeleteItem', 'dynamodb:UpdateItem'],
    ),
  ];
}
