import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type AnswersProps, countAnswers } from './answer-count.ts';

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

  constructor(scope: Construct, id: string, props: AnswersProps) {
    super(scope, id);
    const faults = FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '5*'),
      FilterPattern.stringValue('$.status', '!=', TIMED_OUT),
    );
    const timedOut = FilterPattern.stringValue('$.status', '=', TIMED_OUT);
    this.serverErrors = countAnswers(this, props, 'ApiServerErrors', faults);
    this.timedOut = countAnswers(this, props, 'QueriesTimedOut', timedOut);
  }
}
