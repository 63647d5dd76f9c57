import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AdminKey } from './api/admin-key.ts';
import type { Config } from './config.ts';
import { SpillQueue } from './ingest/spill-queue.ts';
import { FailedEvents } from './lake/failed-events.ts';
import { Lake } from './lake/lake.ts';
import { QueryResults } from './query/query-results.ts';
import { acknowledge } from './shared/nag-suppressions.ts';
import { RegistryTables } from './shared/registry-tables.ts';
import { RETAIN } from './shared/removal-policy.ts';
import { StorageBucket } from './shared/storage-bucket.ts';

export interface StorageStackProps extends StackProps {
  readonly config: Config;
}

/** Everything that holds data. What cannot be had again outlives the stack. */
export class StorageStack extends Stack {
  readonly lake: Lake;
  readonly results: QueryResults;
  readonly tables: RegistryTables;
  readonly spillQueue: SpillQueue;
  readonly adminKey: AdminKey;

  constructor(scope: Construct, id: string, props: StorageStackProps) {
    super(scope, id, props);
    const { config } = props;

    const accessLogs = new StorageBucket(this, 'AccessLogs', {
      removalPolicy: RETAIN,
      // Each file that a query opens makes some lines; the cost model counts them.
      lifecycleRules: [{ id: 'access-logs', expiration: Duration.days(90) }],
    });
    acknowledge(
      accessLogs,
      'AwsSolutions-S1',
      'This bucket holds the access logs; logging the access to them into itself would never end.',
    );

    this.lake = new Lake(this, 'Lake', {
      databaseName: `sluice_${config.environment}`,
      firstDay: config.firstDay,
      accessLogs: accessLogs.bucket,
      landingRetention: Duration.days(
        Math.min(config.landingRetentionDays, config.eventRetentionDays ?? Infinity),
      ),
    });
    new FailedEvents(this, 'FailedEvents', {
      database: this.lake.database,
      bucket: this.lake.bucket,
      firstDay: config.firstDay,
    });
    this.results = new QueryResults(this, 'QueryResults', { accessLogs: accessLogs.bucket });
    this.tables = new RegistryTables(this, 'Tables');
    this.spillQueue = new SpillQueue(this, 'Parking', { bucket: this.lake.bucket });
    this.adminKey = new AdminKey(this, 'AdminKey', { environment: config.environment });

    new CfnOutput(this, 'LakeBucket', { value: this.lake.bucket.bucketName });
    new CfnOutput(this, 'ParkingQueue', { value: this.spillQueue.queue.queueUrl });
    new CfnOutput(this, 'LakeDatabase', { value: this.lake.database.databaseName });
  }
}
