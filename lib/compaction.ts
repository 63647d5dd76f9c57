import { Duration, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledgeObjects } from './acknowledge.ts';
import { compactLake } from './compaction-permissions.ts';
import { FunctionSchedule } from './function-schedule.ts';
import type { Lake } from './lake.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX } from './lake-layout.ts';
import { COMPACTION_RESULTS_PREFIX } from './query-results.ts';
import { ServiceFunction } from './service-function.ts';

export interface CompactionProps {
  /** Start of every name: `sluice-<environment>`. */
  readonly name: string;
  readonly lake: Lake;
  readonly results: IBucket;
  readonly registry: TableV2;
  readonly cache: TableV2;
  /** First day of the lake, `yyyy-MM-dd`. */
  readonly firstDay: string;
  /** Longest time between an event's arrival and the hour its file is filed under. */
  readonly maxFilingDelay: Duration;
  /**
   * Days after which events are deleted.
   *
   * @default events are kept for ever
   */
  readonly eventRetentionDays?: number | undefined;
  readonly logRetention: RetentionDays;
}

/** Pause between runs. A run that finds another one at work ends at once. */
const INTERVAL = Duration.minutes(10);

/**
 * Compaction: a function that is called every ten minutes, and the Athena workgroup in which it copies
 * closed hours of the landing table into the compacted one.
 */
export class Compaction extends Construct {
  readonly workgroup: CfnWorkGroup;
  readonly function: ServiceFunction<'compaction'>;
  readonly schedule: FunctionSchedule;

  constructor(scope: Construct, id: string, props: CompactionProps) {
    super(scope, id);
    this.workgroup = this.#workgroup(props);
    this.function = this.#function(props);
    this.schedule = new FunctionSchedule(this, 'Schedule', {
      function: this.function.function,
      description: 'Compacts closed hours of the lake',
      every: INTERVAL,
    });
  }

  /** Of its own, so that what compaction costs is told apart, and no query's limit stops it. */
  #workgroup({ name, results }: CompactionProps): CfnWorkGroup {
    return new CfnWorkGroup(this, 'Workgroup', {
      name: `${name}-compaction`,
      description: 'Copies closed hours of the lake into its compacted table',
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        resultConfiguration: {
          outputLocation: results.s3UrlForObject(COMPACTION_RESULTS_PREFIX),
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
          expectedBucketOwner: Stack.of(this).account,
        },
      },
    });
  }

  #function(props: CompactionProps): ServiceFunction<'compaction'> {
    const { name, lake, results, registry, cache } = props;
    const compaction = new ServiceFunction(this, 'Job', {
      entry: 'compaction',
      functionName: `${name}-compaction`,
      description: 'Copies closed hours of the lake into its compacted table',
      environment: {
        REGISTRY_TABLE: registry.tableName,
        CACHE_TABLE: cache.tableName,
        WORKGROUP: this.workgroup.name,
        LAKE_DATABASE: lake.database.databaseName,
        MAX_FILING_DELAY_SECONDS: String(props.maxFilingDelay.toSeconds()),
        COMPACTED_LOCATION: lake.bucket.s3UrlForObject(COMPACTED_PREFIX),
        FIRST_DAY: props.firstDay,
        RETENTION_DAYS: String(props.eventRetentionDays ?? 'forever'),
        LOG_LEVEL: 'info',
      },
      permissions: compactLake({ workgroup: this.workgroup, lake, results, registry, cache }),
      // It waits for Athena.
      memorySize: 256,
      timeout: Duration.minutes(14),
      logRetention: props.logRetention,
    });
    const reason = 'Athena chooses the files that a table consists of.';
    acknowledgeObjects(compaction.role, lake.bucket, LANDING_PREFIX, reason);
    acknowledgeObjects(compaction.role, lake.bucket, COMPACTED_PREFIX, reason);
    acknowledgeObjects(
      compaction.role,
      results,
      COMPACTION_RESULTS_PREFIX,
      'Athena names its result files.',
    );
    return compaction;
  }
}
