import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type AnswersProps, countAnswers } from './answer-count.ts';
import { ROUTES } from './routes.ts';

/**
 * Counts what ingest clients were refused, from the access log. The API's own metrics mix all
 * routes, and its metrics by route would be some 90 of them at $0.30 a month each.
 */
export class IngestAnswers extends Construct {
  /** Answers of 500 and above: the events are still with their clients, which will send them again. */
  readonly serverErrors: Metric;
  /** Answers of 429, by API Gateway's throttle or by the service. */
  readonly throttled: Metric;

  constructor(scope: Construct, id: string, props: AnswersProps) {
    super(scope, id);
    const routes = ROUTES.ingest.map((path) =>
      FilterPattern.stringValue('$.route', '=', `ANY ${path}`),
    );
    const withStatus = (status: string) =>
      FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', status),
        FilterPattern.any(...routes),
      );
    this.serverErrors = countAnswers(this, props, 'IngestServerErrors', withStatus('5*'));
    this.throttled = countAnswers(this, props, 'IngestThrottled', withStatus('429'));
  }
}
