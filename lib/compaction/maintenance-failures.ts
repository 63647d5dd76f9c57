import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';

export interface MaintenanceFailuresProps {
  /** Log of the function that compacts. */
  readonly logs: ILogGroup;
  /** CloudWatch namespace of the metric. */
  readonly namespace: string;
}

/** The fourth attempt is seven hours after the first: what passes by itself has passed. */
const TOO_OFTEN = 4;

/** Steps of the compacted table's maintenance that keep failing, as a metric of the job's log. */
export class MaintenanceFailures extends Construct {
  /** Failures in a row of the step that has most. */
  readonly most: IMetric;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, { logs, namespace }: MaintenanceFailuresProps) {
    super(scope, id);
    this.most = new MetricFilter(this, 'Most', {
      logGroup: logs,
      metricNamespace: namespace,
      metricName: 'MaintenanceFailures',
      filterPattern: FilterPattern.stringValue('$.message', '=', 'compaction run'),
      metricValue: '$.mostFailures',
    }).metric({ statistic: 'Maximum', period: Duration.hours(1) });
    this.alarms = [
      {
        id: 'maintenance-failed',
        severity: 'ticket',
        says: 'Old events are not deleted, or compacted files not maintained, at every attempt for hours.',
        metric: this.most,
        threshold: TOO_OFTEN,
      },
    ];
  }
}
