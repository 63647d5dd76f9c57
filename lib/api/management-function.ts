import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ALERT_PARTITION } from '../../src/alerts/store/alert-records.ts';
import { REJECTED_PARTITIONS } from '../../src/ingest/rejections/dynamo-rejections.ts';
import type { AlertsProps } from '../alerts/alerts-function.ts';
import { queryEnvironment } from '../query/query-access.ts';
import { changeItems, onPartitions } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';

/** Showing how alerts are, and forgetting those that are deleted. */
const ALERT_RECORD_ACTIONS = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Query'];

/** Manages sources, endpoints, alerts and access keys, and shows what sources were refused. */
export class ManagementFunction extends ServiceFunction<'management'> {
  readonly alarms = [this.failureAlarm('page')];

  constructor(scope: Construct, id: string, props: AlertsProps) {
    const { registry, cache } = props.storage.tables;
    super(scope, id, props, {
      entry: 'management',
      description: 'Manages sources, endpoints, alerts and access keys',
      environment: { ...queryEnvironment(props), ...props.notifications.environment },
      permissions: [
        changeItems(registry),
        onPartitions(cache, [`${REJECTED_PARTITIONS}*`], ['dynamodb:Query']),
        onPartitions(cache, [ALERT_PARTITION], ALERT_RECORD_ACTIONS),
        props.notifications.publish,
      ],
      timeout: Duration.seconds(15),
    });
  }
}
