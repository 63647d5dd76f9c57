import type { Template } from 'aws-cdk-lib/assertions';
import { resources } from './stacks.ts';

/** Metrics that a template's alarms watch, each term of a sum for itself. */
export function alarmMetrics(observability: Template): number {
  const alarms = Object.values(resources(observability, 'AWS::CloudWatch::Alarm'));
  return alarms.flatMap(({ Properties }) =>
    'Metrics' in Properties
      ? Properties.Metrics.filter((metric: object) => 'MetricStat' in metric)
      : [Properties],
  ).length;
}
