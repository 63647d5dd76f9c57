import { Duration, type Stack } from 'aws-cdk-lib';
import {
  type CfnTable,
  type Column,
  Database,
  DataFormat,
  type PartitionProjection,
  PartitionProjectionConfiguration,
  S3Table,
  S3TableStorage,
  Schema,
  type Type,
} from 'aws-cdk-lib/aws-glue';
import { type IBucket, StorageClass } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  COMPACTED_TABLE,
  LANDING_COLUMNS,
  LANDING_TABLE,
  type LakeType,
  PARTITION_COLUMNS,
} from '../../src/lake/layout/columns.ts';
import { RETAIN } from '../shared/removal-policy.ts';
import { StorageBucket } from '../shared/storage-bucket.ts';
import {
  COMPACTED_PREFIX,
  DATE_PATTERN,
  FAILED_PREFIX,
  LANDING_PREFIX,
  PARTITION_TEMPLATE,
  SPILL_PREFIX,
} from './lake-layout.ts';

export interface LakeProps {
  /** Name of the Glue database: what analysts write in FROM. */
  readonly databaseName: string;
  /** First partition, `yyyy-MM-dd`, UTC. */
  readonly firstDay: string;
  /** Bucket for access logs. */
  readonly accessLogs: IBucket;
  /** Age at which landing files are deleted; compaction has copied them long before. */
  readonly landingRetention: Duration;
}

/** The lake: the bucket with the events and the Glue table through which Athena reads them. */
export class Lake extends Construct {
  readonly bucket: IBucket;
  readonly database: Database;
  readonly table: S3Table;

  constructor(scope: Construct, id: string, props: LakeProps) {
    super(scope, id);
    this.bucket = new StorageBucket(this, 'Events', {
      accessLogs: props.accessLogs,
      removalPolicy: RETAIN,
      // The only copy of every event. Files are written once, so versions cost nothing until
      // something deletes a file that it should not have.
      versioned: true,
      lifecycleRules: [
        {
          id: 'deleted-files',
          noncurrentVersionExpiration: Duration.days(7),
          expiredObjectDeleteMarker: true,
        },
        {
          // Acknowledged events that Firehose could not convert: an alarm rings at the first one,
          // and this is the time to repair and resend them.
          id: 'failed-records',
          prefix: FAILED_PREFIX,
          expiration: Duration.days(90),
        },
        {
          // Longer than the queue keeps the messages that point to them. The redrive deletes none: a
          // message may come again after its record was stored.
          id: 'parked-records',
          prefix: SPILL_PREFIX,
          expiration: Duration.days(21),
        },
        { id: 'events', prefix: LANDING_PREFIX, expiration: props.landingRetention },
        {
          // By then OPTIMIZE has made few large files of a day and VACUUM has removed the others. Bytes that
          // no query reads for 30 days cost 0.0125 dollars a GB-month from then on, after 90 days 0.004; reading
          // costs nothing more. S3 leaves files under 128 KiB where they are.
          id: 'compacted-events',
          prefix: COMPACTED_PREFIX,
          transitions: [
            {
              storageClass: StorageClass.INTELLIGENT_TIERING,
              transitionAfter: Duration.days(30),
            },
          ],
        },
      ],
    }).bucket;

    this.database = new Database(this, 'Database', {
      databaseName: props.databaseName,
      description: 'Log events of Sluice',
    });
    this.database.applyRemovalPolicy(RETAIN);

    this.table = new S3Table(this, 'Table', {
      database: this.database,
      tableName: LANDING_TABLE,
      description: 'All events as they arrived, one row each',
      storage: S3TableStorage.fromBucket(this.bucket),
      s3Prefix: LANDING_PREFIX,
      dataFormat: DataFormat.PARQUET,
      // The flag means client-side encryption, which the lake does not use.
      hasEncryptedData: false,
      columns: LANDING_COLUMNS.map(
        ({ name, type, comment }): Column => ({ name, type: GLUE_TYPES[type], comment }),
      ),
      partitionKeys: PARTITION_COLUMNS.map(({ name, type }) => ({ name, type: GLUE_TYPES[type] })),
      partitionProjection: projection(props.firstDay),
      parameters: {
        // Names the path of one partition; without it Athena would guess one.
        'storage.location.template': this.bucket.s3UrlForObject(PARTITION_TEMPLATE),
      },
    });
    this.table.applyRemovalPolicy(RETAIN);
  }

  /**
   * The compacted table, which the job of compaction creates: CloudFormation would strip an Iceberg
   * table of its type at the first update (aws-cdk#29660).
   */
  compactedTableArn(stack: Stack): string {
    return stack.formatArn({
      service: 'glue',
      resource: 'table',
      resourceName: `${this.database.databaseName}/${COMPACTED_TABLE}`,
    });
  }

  /** The table as Firehose's schema configuration wants it. */
  get cfnTable(): CfnTable {
    return this.table.node.defaultChild as CfnTable;
  }
}

const GLUE_TYPES: Readonly<Record<LakeType | 'date' | 'int', Type>> = {
  string: Schema.STRING,
  bigint: Schema.BIG_INT,
  timestamp: Schema.TIMESTAMP,
  date: Schema.DATE,
  int: Schema.INTEGER,
};

/**
 * Partitions are computed, not registered: a file is visible the moment it lands. The range ends
 * tomorrow, so that a clock a little ahead at midnight hides nothing.
 */
function projection(firstDay: string): PartitionProjection {
  return {
    dt: PartitionProjectionConfiguration.date({
      min: firstDay,
      max: 'NOW+1DAYS',
      format: DATE_PATTERN,
    }),
    hour: PartitionProjectionConfiguration.integer({ min: 0, max: 23, digits: 2 }),
  };
}
