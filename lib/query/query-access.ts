/** What functions that query the lake are given and may do. */
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { metricsNamespace } from '../../src/platform/metrics.ts';
import type { LandingStreams } from '../ingest/landing-streams.ts';
import { readTables } from '../lake/lake-access.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX } from '../lake/lake-layout.ts';
import { acknowledgeResults, runStatements } from '../shared/athena-workgroup.ts';
import { acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { allow, changeItems, learnSchemas, readObjects } from '../shared/permissions.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import type { QueryWorkgroups } from './query-workgroups.ts';

export interface QueryProps extends ServiceProps {
  readonly landing: LandingStreams;
  readonly workgroups: QueryWorkgroups;
}

/** Variables of functions that keep results. */
export function cacheEnvironment({ config, storage: { tables } }: ServiceProps) {
  return {
    REGISTRY_TABLE: tables.registry.tableName,
    CACHE_TABLE: tables.cache.tableName,
    CACHED_RESULT_BYTES: String(Math.round(config.cachedResultMiB * 1024 ** 2)),
    LOG_LEVEL: 'info',
  };
}

/** Variables of functions that compile queries, whether or not they run them. */
export function queryEnvironment(props: QueryProps) {
  const { storage, landing, workgroups } = props;
  return {
    ...cacheEnvironment(props),
    WORKGROUP: workgroups.api.name,
    LAKE_DATABASE: storage.lake.database.databaseName,
    MAX_FILING_DELAY_SECONDS: String(landing.maxFilingDelay.toSeconds()),
  };
}

/** Variables of functions that record calls of saved queries. */
export function queryLogEnvironment({ config, landing }: QueryProps) {
  return {
    METRICS_NAMESPACE: metricsNamespace(config.environment),
    LANDING_STREAM: landing.names,
    COMPRESS_RECORDS: String(config.compressRecords),
  };
}

/** Running saved queries, keeping their results and recording their calls. */
export function runSavedQueries({ storage, landing, workgroups }: QueryProps): PolicyStatement[] {
  const { lake, tables } = storage;
  return [
    ...runStatements(workgroups.api),
    readTables(lake, workgroups.api),
    allow(['s3:GetBucketLocation'], lake.bucket.bucketArn),
    ...[LANDING_PREFIX, COMPACTED_PREFIX].flatMap((prefix) => readObjects(lake.bucket, prefix)),
    ...learnSchemas(tables.registry),
    changeItems(tables.cache),
    landing.putEvents,
  ];
}

/** Accepts that a function which runs saved queries may read all files of both tables. */
export function acknowledgeQueries(
  role: IConstruct,
  { storage: { lake }, workgroups }: QueryProps,
): void {
  for (const prefix of [LANDING_PREFIX, COMPACTED_PREFIX]) {
    acknowledgeObjects(role, lake.bucket, prefix, 'Queries choose the files they read.');
  }
  acknowledgeResults(role, workgroups.api);
}
