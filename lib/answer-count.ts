import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface AnswersProps {
  /** Access log of the API. */
  readonly accessLogs: ILogGroup;
  /** Namespace of the metrics. */
  readonly namespace: string;
}

/** Counts the answers in the access log that a pattern fits. @param name of filter and metric. */
export function countAnswers(
  scope: Construct,
  { accessLogs, namespace }: AnswersProps,
  name: string,
  filterPattern: IFilterPattern,
): Metric {
  return new MetricFilter(scope, name, {
    logGroup: accessLogs,
    metricNamespace: namespace,
    metricName: name,
    filterPattern,
  }).metric({ statistic: 'Sum' });
}
