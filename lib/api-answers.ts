import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface ApiAnswersProps {
  /** Access log of the API. */
  readonly accessLogs: ILogGroup;
  /** Namespace of the metrics. */
  readonly namespace: string;
}

/** What clients of a slow query get, by contract: of 5xx, the one that is no fault of the service. */
const TIMED_OUT = '504';

/**
 * Counts the API's answers of 500 and above, from the access log. API Gateway's own metric has those of
 * slow queries among them, which must not wake anybody.
 */
export class ApiAnswers extends Construct {
  /** Answers of 500 and above but 504. */
  readonly serverErrors: Metric;
  /** Answers of 504: queries past 25 seconds, running or still in Athena's queue. */
  readonly timedOut: Metric;

  constructor(scope: Construct, id: string, props: ApiAnswersProps) {
    super(scope, id);
    const count = (name: string, filterPattern: IFilterPattern): Metric =>
      new MetricFilter(this, name, {
        logGroup: props.accessLogs,
        metricNamespace: props.namespace,
        metricName: name,
        filterPattern,
      }).metric({ statistic: 'Sum' });
    this.serverErrors = count(
      'ApiServerErrors',
      FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '5*'),
        FilterPattern.stringValue('$.status', '!=', TIMED_OUT),
      ),
    );
    this.timedOut = count('QueriesTimedOut', FilterPattern.stringValue('$.status', '=', TIMED_OUT));
  }
}
