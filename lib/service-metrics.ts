/** Metrics that both the alarms and the dashboard show, so that they mean the same thing. */
import { Duration } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { ATHENA_USD_PER_TB } from '../src/cost/athena-price.ts';
import { METRIC_DIMENSIONS, type MetricName, metricsNamespace } from '../src/platform/metrics.ts';

/** Seconds that the oldest event not yet in the lake has waited. */
export function landingAge(stream: DeliveryStream): Metric {
  return stream.metric('DeliveryToS3.DataFreshness', { statistic: 'Maximum', label: 'oldest' });
}

/** Records that could not be made into rows: acknowledged, and not in the lake. */
export function failedConversions(stream: DeliveryStream): Metric {
  return stream.metric('FailedConversion.Records', { statistic: 'Sum', label: 'failed' });
}

/** Records that the stream refused to take for now. */
export function throttledRecords(stream: DeliveryStream): Metric {
  return stream.metric('ThrottledRecords', { statistic: 'Sum', label: 'throttled' });
}

/** Queries of a workgroup that ended in a state; Athena counts them only through their durations. */
export function athenaQueries(
  workgroup: CfnWorkGroup,
  state: 'SUCCEEDED' | 'FAILED' | 'CANCELED',
): Metric {
  return athena(workgroup, 'TotalExecutionTime', state, 'SampleCount').with({
    label: state.toLowerCase(),
  });
}

/** Milliseconds from submission to the end of a successful query. */
export function athenaDuration(workgroup: CfnWorkGroup, statistic: string): Metric {
  return athena(workgroup, 'TotalExecutionTime', 'SUCCEEDED', statistic);
}

/** Bytes read by successful queries. */
export function athenaBytesScanned(workgroup: CfnWorkGroup): Metric {
  return athena(workgroup, 'ProcessedBytes', 'SUCCEEDED', 'Sum');
}

/**
 * US dollars that a workgroup's queries scan in an hour. By Athena's own count rather than the
 * service's: it has queries that were stopped, and that the service lost sight of. Failed ones cost
 * nothing.
 */
export function athenaScanCost(workgroup: CfnWorkGroup): IMetric {
  const usingMetrics = Object.fromEntries(
    (['SUCCEEDED', 'CANCELED'] as const).map((state) => [
      state.toLowerCase(),
      athena(workgroup, 'ProcessedBytes', state, 'Sum'),
    ]),
  );
  const bytes = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({
    expression: `(${bytes.join(' + ')}) * ${ATHENA_USD_PER_TB} / 1000000000000`,
    usingMetrics,
    period: Duration.hours(1),
    label: 'US dollars per hour',
  });
}

/** One of the metrics that the service counts itself. */
export function own(environment: string, metricName: MetricName, statistic: string): Metric {
  return new Metric({
    namespace: metricsNamespace(environment),
    metricName,
    dimensionsMap: METRIC_DIMENSIONS,
    statistic,
    period: Duration.minutes(5),
  });
}

function athena(
  workgroup: CfnWorkGroup,
  metricName: string,
  state: string,
  statistic: string,
): Metric {
  return new Metric({
    namespace: 'AWS/Athena',
    metricName,
    dimensionsMap: { WorkGroup: workgroup.name, QueryState: state, QueryType: 'DML' },
    statistic,
  });
}

/** What some of the service's own metrics add up to. */
export function sums(environment: string): (metricName: MetricName) => Metric {
  return (metricName) => own(environment, metricName, 'Sum');
}

/**
 * Reads and writes that a table refused.
 *
 * @param label what a graph calls it; graphs of several tables need different ones
 */
export function throttledItems(table: TableV2, label = 'throttled'): IMetric {
  const of = (metricName: string): Metric => table.metric(metricName, { statistic: 'Sum' });
  const [reads, writes] = [`${label}Reads`, `${label}Writes`];
  return new MathExpression({
    // A metric that has no data in a period would make the sum have none.
    expression: `FILL(${reads}, 0) + FILL(${writes}, 0)`,
    usingMetrics: { [reads]: of('ReadThrottleEvents'), [writes]: of('WriteThrottleEvents') },
    period: Duration.minutes(5),
    label,
  });
}
