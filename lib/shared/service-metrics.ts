/** Metrics that the service counts itself. */
import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  METRIC_DIMENSIONS,
  type MetricName,
  metricsNamespace,
} from '../../src/platform/metrics.ts';

export function own(environment: string, metricName: MetricName, statistic: string): Metric {
  return new Metric({
    namespace: metricsNamespace(environment),
    metricName,
    dimensionsMap: METRIC_DIMENSIONS,
    statistic,
    period: Duration.minutes(5),
  });
}
