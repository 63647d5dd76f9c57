import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';

export interface SpillQueueAgeProps {
  readonly queue: IQueue;
  /** Log of the redrive function. */
  readonly redriveLogs: ILogGroup;
  /** Namespace of the metric. */
  readonly namespace: string;
}

/**
 * How long the oldest spilled record has waited. SQS's own metric leaves out messages that were
 * received three times, so in an outage of ten minutes it would fall while the wait grows. The
 * redrive sees those and logs their age; SQS's metric sees what the redrive does not get to.
 */
export class SpillQueueAge extends Construct {
  /** Seconds. */
  readonly oldest: IMetric;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: SpillQueueAgeProps) {
    super(scope, id);
    const tried: Metric = new MetricFilter(this, 'Tried', {
      logGroup: props.redriveLogs,
      metricNamespace: props.namespace,
      metricName: 'ParkedSeconds',
      metricValue: '$.oldestSeconds',
      filterPattern: FilterPattern.stringValue('$.message', '=', 'parked records wait'),
    }).metric({ statistic: 'Maximum' });
    const untried = props.queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' });
    this.oldest = new MathExpression({
      // A metric that has no data in a period would make the larger one have none.
      expression: 'MAX([FILL(tried, 0), FILL(untried, 0)])',
      usingMetrics: { tried, untried },
      period: Duration.minutes(5),
      label: 'oldest',
    });
    this.alarms = [
      {
        id: 'parked-events',
        severity: 'page',
        says: 'Acknowledged events wait for the landing stream to take them.',
        metric: this.oldest,
        // Beyond an outage that passes by itself, and four attempts.
        threshold: 900,
      },
    ];
  }
}
