import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Compaction } from './compaction.ts';

export interface CompactionAlarmsProps {
  /** Start of every alarm's name. */
  readonly name: string;
  readonly compaction: Compaction;
  /** CloudWatch namespace of the metric. */
  readonly namespace: string;
  /** Where alarms go: none of these has to wake anybody. */
  readonly topic: ITopic;
  /** Page with a section per alarm. */
  readonly runbookUrl: string;
}

/** An hour waits about two hours for its end, its last files and the next run. */
const BEHIND = Duration.hours(6);

/** Alarms of compaction, and how far behind it is as a metric of its log. */
export class CompactionAlarms extends Construct {
  readonly behind: IMetric;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: CompactionAlarmsProps) {
    super(scope, id);
    this.behind = new MetricFilter(this, 'Behind', {
      logGroup: props.compaction.function.logs,
      metricNamespace: props.namespace,
      metricName: 'CompactionBehind',
      filterPattern: FilterPattern.exists('$.behindSeconds'),
      metricValue: '$.behindSeconds',
    }).metric({ statistic: 'Maximum', period: Duration.hours(1) });
    const failed = props.compaction.function.function.metricErrors({
      statistic: 'Sum',
      period: Duration.hours(1),
    });
    this.alarms = [
      this.#alarm(props, 'compaction-behind', {
        says: 'Closed hours of the lake wait for compaction. Queries are right, but slower and dearer.',
        metric: this.behind,
        threshold: BEHIND.toSeconds(),
        // A job that does not run at all says nothing.
        missing: TreatMissingData.BREACHING,
      }),
      this.#alarm(props, 'compaction-failed', {
        says: 'Runs of compaction fail again and again.',
        metric: failed,
        threshold: 3,
        missing: TreatMissingData.NOT_BREACHING,
      }),
    ];
  }

  #alarm(
    props: CompactionAlarmsProps,
    id: string,
    alarm: { says: string; metric: IMetric; threshold: number; missing: TreatMissingData },
  ): Alarm {
    const action = new SnsAction(props.topic);
    const created = new Alarm(this, id, {
      alarmName: `${props.name}-${id}`,
      alarmDescription: `${alarm.says} Runbook: ${props.runbookUrl}#${id}`,
      metric: alarm.metric,
      threshold: alarm.threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: alarm.missing,
    });
    created.addAlarmAction(action);
    created.addOkAction(action);
    return created;
  }
}
