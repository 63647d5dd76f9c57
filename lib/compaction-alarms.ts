import { Duration } from 'aws-cdk-lib';
import { type Alarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Compaction } from './compaction.ts';
import { addAlarms, type RunbookAlarmsProps } from './runbook-alarms.ts';

export interface CompactionAlarmsProps extends RunbookAlarmsProps {
  readonly compaction: Compaction;
  /** CloudWatch namespace of the metric. */
  readonly namespace: string;
}

/** An hour waits about two hours for its end, its last files and the next run. */
const BEHIND = Duration.hours(6);

/** Alarms of compaction, and how far behind it is as a metric of its log. None has to wake anybody. */
export class CompactionAlarms extends Construct {
  /** Seconds. */
  readonly behind: IMetric;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: CompactionAlarmsProps) {
    super(scope, id);
    const { function: job } = props.compaction;
    this.behind = new MetricFilter(this, 'Behind', {
      logGroup: job.logs,
      metricNamespace: props.namespace,
      metricName: 'CompactionBehind',
      filterPattern: FilterPattern.stringValue('$.message', '=', 'compaction run'),
      metricValue: '$.behindSeconds',
    }).metric({ statistic: 'Maximum', period: Duration.hours(1) });
    this.alarms = addAlarms(
      this,
      [
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
        {
          id: 'compaction-failed',
          severity: 'ticket',
          says: 'Runs of compaction fail again and again.',
          metric: job.function.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
          threshold: 3,
          periods: 2,
        },
      ],
      props,
    );
  }
}
