import { Duration } from 'aws-cdk-lib';
import { type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';

export interface CompactionLagProps {
  /** Log of the function that compacts. */
  readonly logs: ILogGroup;
  /** CloudWatch namespace of the metric. */
  readonly namespace: string;
}

/** An hour waits about two hours for its end, its last files and the next run. */
const BEHIND = Duration.hours(6);

/** How far behind compaction is, as a metric of its log. */
export class CompactionLag extends Construct {
  /** Seconds. */
  readonly behind: IMetric;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, { logs, namespace }: CompactionLagProps) {
    super(scope, id);
    this.behind = new MetricFilter(this, 'Behind', {
      logGroup: logs,
      metricNamespace: namespace,
      metricName: 'CompactionBehind',
      filterPattern: FilterPattern.stringValue('$.message', '=', 'compaction run'),
      metricValue: '$.behindSeconds',
    }).metric({ statistic: 'Maximum', period: Duration.hours(1) });
    this.alarms = [
      {
        id: 'compaction-behind',
        severity: 'ticket',
        says: 'Closed hours of the lake wait for compaction. Queries are right, but slower and dearer.',
        metric: this.behind,
        threshold: BEHIND.toSeconds(),
        periods: 2,
        // A job that does not run at all says nothing.
        missing: TreatMissingData.MISSING,
      },
    ];
  }
}
