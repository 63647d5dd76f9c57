import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { REJECTED_PARTITIONS } from '../../src/ingest/rejections/dynamo-rejections.ts';
import { type QueryProps, queryEnvironment } from '../query/query-access.ts';
import { changeItems, onPartitions } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';

/** Manages sources, endpoints and access keys, and shows what sources were refused. */
export class ManagementFunction extends ServiceFunction<'management'> {
  readonly alarms = [this.failureAlarm('page')];

  constructor(scope: Construct, id: string, props: QueryProps) {
    const { registry, cache } = props.storage.tables;
    super(scope, id, props, {
      entry: 'management',
      description: 'Manages sources, endpoints and access keys',
      environment: queryEnvironment(props),
      permissions: [
        changeItems(registry),
        onPartitions(cache, [`${REJECTED_PARTITIONS}*`], ['dynamodb:Query']),
      ],
      timeout: Duration.seconds(15),
    });
  }
}
