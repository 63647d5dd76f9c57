import { Duration, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { COMPACTION_PARTITION } from '../../src/catalog/compaction-state.ts';
import { COMPACTION_LEASE } from '../../src/lake/compaction/compactor.ts';
import { resultKey } from '../../src/platform/dynamo/cache-table.ts';
import type { LandingStreams } from '../ingest/landing-streams.ts';
import { readTables } from '../lake/lake-access.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX } from '../lake/lake-layout.ts';
import { COMPACTION_RESULTS_PREFIX } from '../query/query-results.ts';
import { AthenaWorkgroup, acknowledgeResults, runStatements } from '../shared/athena-workgroup.ts';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import { acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { allow, onPartitions, readObjects } from '../shared/permissions.ts';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { ServiceProps } from '../shared/service-props.ts';

export interface CompactionProps extends ServiceProps {
  readonly landing: LandingStreams;
}

/** Pause between runs. A run that finds another one at work ends at once. */
const INTERVAL = Duration.minutes(10);

/** Partition of the registry that the sources are in, as `src/catalog/named-store.ts` calls it. */
export const SOURCE_PARTITION = 'source';

/**
 * Compaction: a function that is called every ten minutes, and the Athena workgroup in which it copies
 * closed hours of the landing table into the compacted one.
 */
export class Compaction extends Construct {
  readonly workgroup: AthenaWorkgroup;
  readonly function: ServiceFunction<'compaction'>;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: CompactionProps) {
    super(scope, id);
    const { name, config, storage } = props;
    // Of its own, so that what compaction costs is told apart, and no query's limit stops it.
    this.workgroup = new AthenaWorkgroup(this, 'Workgroup', {
      name: `${name}-compaction`,
      description: 'Copies closed hours of the lake into its compacted table',
      results: storage.results.bucket,
      prefix: COMPACTION_RESULTS_PREFIX,
      deleteHistory: true,
    });
    this.function = this.#function(props);
    new FunctionSchedule(this, 'Schedule', {
      function: this.function.function,
      description: 'Compacts closed hours of the lake',
      every: INTERVAL,
    });
    this.alarms = [
      {
        id: 'compaction-failed',
        severity: 'ticket',
        says: 'Runs of compaction fail again and again.',
        metric: this.function.function.metricErrors({
          statistic: 'Sum',
          period: Duration.hours(1),
        }),
        threshold: 3,
        periods: 2,
      },
      {
        id: 'compaction-scan-cost',
        // Each hour of the lake bounds what the job reads.
        severity: 'ticket',
        says: 'Compaction scans more than an hour of saved queries is meant to cost.',
        metric: this.workgroup.scanCost(),
        threshold: config.scanCostAlarmUsdPerHour,
      },
    ];
  }

  #function(props: CompactionProps): ServiceFunction<'compaction'> {
    const { config, landing, storage } = props;
    const { lake, tables } = storage;
    const compaction = new ServiceFunction(this, 'Job', props, {
      entry: 'compaction',
      description: 'Copies closed hours of the lake into its compacted table',
      environment: {
        REGISTRY_TABLE: tables.registry.tableName,
        CACHE_TABLE: tables.cache.tableName,
        WORKGROUP: this.workgroup.name,
        LAKE_DATABASE: lake.database.databaseName,
        MAX_FILING_DELAY_SECONDS: String(landing.maxFilingDelay.toSeconds()),
        COMPACTED_LOCATION: lake.bucket.s3UrlForObject(COMPACTED_PREFIX),
        FIRST_DAY: config.firstDay,
        RETENTION_DAYS: String(config.eventRetentionDays ?? 'forever'),
        LOG_LEVEL: 'info',
      },
      permissions: compactLake(this.workgroup, props),
      // It waits for Athena.
      memorySize: 256,
      timeout: Duration.minutes(14),
    });
    const reason = 'Athena chooses the files that a table consists of.';
    acknowledgeObjects(compaction.role, lake.bucket, LANDING_PREFIX, reason);
    acknowledgeObjects(compaction.role, lake.bucket, COMPACTED_PREFIX, reason);
    acknowledgeResults(compaction.role, this.workgroup);
    return compaction;
  }
}

/**
 * Reading landing files and changing nothing of them, writing and deleting in the compacted table, and
 * keeping the job's own state. Athena does all of it in the job's name.
 */
function compactLake(workgroup: AthenaWorkgroup, { storage }: ServiceProps): PolicyStatement[] {
  const { bucket, database } = storage.lake;
  const { registry, cache } = storage.tables;
  return [
    ...runStatements(workgroup),
    readTables(storage.lake, workgroup),
    allow(
      ['glue:CreateTable', 'glue:UpdateTable'],
      database.catalog.catalogArn,
      database.databaseArn,
      storage.lake.compactedTableArn(Stack.of(workgroup)),
    ),
    allow(['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'], bucket.bucketArn),
    ...[LANDING_PREFIX, COMPACTED_PREFIX].flatMap((prefix) => readObjects(bucket, prefix)),
    allow(
      ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
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
