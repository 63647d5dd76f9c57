import { Duration } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { QUOTA_PARTITIONS } from '../../src/ingest/limits/dynamo-buckets.ts';
import { REJECTED_PARTITIONS } from '../../src/ingest/rejections/dynamo-rejections.ts';
import { metricsNamespace } from '../../src/platform/metrics.ts';
import { SPILL_PREFIX } from '../lake/lake-layout.ts';
import { acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { allow, learnSchemas, onPartitions } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import type { LandingStreams } from './landing-streams.ts';

export interface IngestFunctionProps extends ServiceProps {
  readonly landing: LandingStreams;
}

/** Takes log events and puts them on the landing stream. */
export class IngestFunction extends ServiceFunction<'ingest'> {
  readonly alarms = [this.failureAlarm('page')];

  constructor(scope: Construct, id: string, props: IngestFunctionProps) {
    const { config, storage, landing } = props;
    const { registry, cache } = storage.tables;
    super(scope, id, props, {
      entry: 'ingest',
      description: 'Takes log events and puts them on the landing stream',
      environment: {
        METRICS_NAMESPACE: metricsNamespace(config.environment),
        REGISTRY_TABLE: registry.tableName,
        LANDING_STREAM: landing.names,
        COMPRESS_RECORDS: String(config.compressRecords),
        SPILL_QUEUE: storage.spillQueue.queue.queueUrl,
        SPILL_OBJECTS: storage.spillQueue.objectsUrl,
        CACHE_TABLE: cache.tableName,
        SOURCE_RATE_LIMIT: String(config.rateLimits.perSource),
        KEY_RATE_LIMIT: String(config.rateLimits.perKey),
        // The API's access log has every request already, and here a line costs as much as an event.
        LOG_LEVEL: 'warn',
      },
      permissions: [
        landing.putEvents,
        ...learnSchemas(registry),
        ...spillRecords(props),
        ...limitIngest(props),
      ],
      // A body of 5 MiB may inflate to 20, and takes several times that as objects.
      memorySize: 1024,
      timeout: Duration.seconds(15),
    });
    acknowledgeObjects(
      this.role,
      storage.lake.bucket,
      SPILL_PREFIX,
      'Ingest names the objects it spills.',
    );
  }
}

/** Putting records into the spill queue; what lies there cannot be read or removed. */
function spillRecords({ storage }: ServiceProps): PolicyStatement[] {
  return [
    allow(['sqs:SendMessage'], storage.spillQueue.queue.queueArn),
    allow(['s3:PutObject'], storage.lake.bucket.arnForObjects(`${SPILL_PREFIX}*`)),
  ];
}

/**
 * Drawing from rate limits and recording rejections. Neither partition holds what a query answers,
 * and ingest can read no rejection.
 */
function limitIngest({ storage: { tables } }: ServiceProps): PolicyStatement[] {
  const quotas = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
  return [
    onPartitions(tables.cache, [`${QUOTA_PARTITIONS}*`], quotas),
    onPartitions(tables.cache, [`${REJECTED_PARTITIONS}*`], ['dynamodb:PutItem']),
  ];
}
