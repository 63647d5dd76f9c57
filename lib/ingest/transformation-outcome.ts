import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';

export interface TransformationOutcomeProps {
  /** Log of the transformation function. */
  readonly logs: ILogGroup;
  /** What Firehose itself writes of a stream's failures. */
  readonly streamLogs: readonly ILogGroup[];
  /** Namespace of the metrics. */
  readonly namespace: string;
}

const PERIOD = Duration.minutes(5);

/**
 * What the transformation could not do. Firehose has no metric of what it writes under `processing-failed`:
 * the function logs the records that it gives up, and Firehose the calls that failed or had no useful answer.
 */
export class TransformationOutcome extends Construct {
  /** Records given up by the function, and failures of calls. */
  readonly failed: IMetric;
  /** Records put back on the stream, since one answer could not hold their rows. */
  readonly putBack: IMetric;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: TransformationOutcomeProps) {
    super(scope, id);
    const { logs, streamLogs, namespace: metricNamespace } = props;
    const failed = { metricNamespace, metricName: 'TransformationsFailed' };
    const sum = { statistic: 'Sum', period: PERIOD };
    const given = (...messages: string[]) =>
      FilterPattern.any(
        ...messages.map((message) => FilterPattern.stringValue('$.message', '=', message)),
      );
    this.failed = new MetricFilter(this, 'GivenUp', {
      ...failed,
      logGroup: logs,
      filterPattern: given('records not read', 'records not put back'),
      metricValue: '$.failed',
    }).metric({ ...sum, label: 'not transformed' });
    for (const [index, logGroup] of streamLogs.entries()) {
      new MetricFilter(this, index === 0 ? 'Calls' : `Calls${index + 1}`, {
        ...failed,
        logGroup,
        // Such as Lambda.FunctionError, Lambda.InvokeLimitExceeded and Lambda.MissingRecordId.
        filterPattern: FilterPattern.stringValue('$.errorCode', '=', 'Lambda.*'),
        metricValue: '1',
      });
    }
    this.putBack = new MetricFilter(this, 'PutBack', {
      metricNamespace,
      metricName: 'RecordsPutBack',
      logGroup: logs,
      filterPattern: given('records put back'),
      metricValue: '$.records',
    }).metric({ ...sum, label: 'put back' });
    this.alarms = [
      {
        id: 'processing-failed',
        severity: 'page',
        says: 'Acknowledged events could not be transformed and wait under the failed prefix.',
        metric: this.failed,
        threshold: 1,
      },
      {
        id: 'records-put-back',
        severity: 'ticket',
        says: 'Records expand to more than one answer of the transformation holds, and are billed twice.',
        metric: this.putBack,
        threshold: 1,
        // One large record at the end of a call can do it.
        periods: 3,
      },
    ];
  }
}
