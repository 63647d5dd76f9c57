import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ROUTES } from './routes.ts';

export interface IngestAnswersProps {
  /** Access log of the API. */
  readonly accessLogs: ILogGroup;
  /** Namespace of the metrics. */
  readonly namespace: string;
}

/**
 * Counts what ingest clients were refused, from the access log. The API's own metrics mix all
 * routes, and its metrics by route would be some 90 of them at $0.30 a month each.
 */
export class IngestAnswers extends Construct {
  /** Answers of 500 and above: the events are still with their clients, which will send them again. */
  readonly serverErrors: Metric;
  /** Answers of 429, by API Gateway's throttle or by the service. */
  readonly throttled: Metric;

  constructor(scope: Construct, id: string, props: IngestAnswersProps) {
    super(scope, id);
    const count = (name: string, status: string): Metric =>
      new MetricFilter(this, name, {
        logGroup: props.accessLogs,
        metricNamespace: props.namespace,
        metricName: name,
        filterPattern: FilterPattern.all(
          FilterPattern.stringValue('$.status', '=', status),
          FilterPattern.any(
            ...ROUTES.ingest.map((path) =>
              FilterPattern.stringValue('$.route', '=', `ANY ${path}`),
            ),
          ),
        ),
      }).metric({ statistic: 'Sum' });
    this.serverErrors = count('IngestServerErrors', '5*');
    this.throttled = count('IngestThrottled', '429');
  }
}
