import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';
import { ROUTES } from './routes.ts';

export interface AccessLogMetricsProps {
  /** Access log of the API. */
  readonly accessLogs: ILogGroup;
  /** Namespace of the metrics. */
  readonly namespace: string;
}

/** What clients of a slow query get, by contract: of 5xx, the one that is no fault of the service. */
const TIMED_OUT = '504';

/**
 * Counts the API's answers by its access log. API Gateway's own metrics have the answers of slow queries
 * among the server errors, which must wake no one, and mix all routes; its metrics by route would be some
 * 90 of them at $0.30 a month each.
 */
export class AccessLogMetrics extends Construct {
  /** Answers of 500 and above but 504. */
  readonly serverErrors: Metric;
  /** Answers of 504: queries past 25 seconds, running or still in Athena's queue. */
  readonly queriesTimedOut: Metric;
  /** Answers of 500 and above to ingest: the events are still with their clients, which will send them again. */
  readonly ingestServerErrors: Metric;
  /** Answers of 429 to ingest, by API Gateway's throttle or by the service. */
  readonly ingestThrottled: Metric;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: AccessLogMetricsProps) {
    super(scope, id);
    const status = (comparison: '=' | '!=', value: string) =>
      FilterPattern.stringValue('$.status', comparison, value);
    const toIngest = FilterPattern.any(
      ...ROUTES.ingest.map((path) => FilterPattern.stringValue('$.route', '=', `ANY ${path}`)),
    );
    const count = (name: string, filterPattern: IFilterPattern) =>
      new MetricFilter(this, name, {
        logGroup: props.accessLogs,
        metricNamespace: props.namespace,
        metricName: name,
        filterPattern,
      }).metric({ statistic: 'Sum' });
    this.serverErrors = count(
      'ApiServerErrors',
      FilterPattern.all(status('=', '5*'), status('!=', TIMED_OUT)),
    );
    this.queriesTimedOut = count('QueriesTimedOut', status('=', TIMED_OUT));
    this.ingestServerErrors = count(
      'IngestServerErrors',
      FilterPattern.all(status('=', '5*'), toIngest),
    );
    this.ingestThrottled = count(
      'IngestThrottled',
      FilterPattern.all(status('=', '429'), toIngest),
    );
    this.alarms = [
      {
        id: 'ingest-errors',
        severity: 'page',
        says: 'Ingest answers with server errors; clients keep their events and try again.',
        metric: this.ingestServerErrors,
        threshold: 5,
      },
      {
        id: 'ingest-throttled',
        severity: 'ticket',
        says: 'Ingest turns clients away because of rate limits.',
        metric: this.ingestThrottled,
        threshold: 50,
      },
      {
        id: 'api-errors',
        severity: 'page',
        says: 'The API answers with server errors.',
        metric: this.serverErrors,
        threshold: 10,
      },
      {
        id: 'queries-timed-out',
        severity: 'ticket',
        section: 'api-slow',
        // With much ingest, all queries together may be less than one answer in a hundred.
        says: 'Queries take longer than the 25 seconds that callers wait.',
        metric: this.queriesTimedOut,
        threshold: 10,
        periods: 3,
      },
    ];
  }
}
