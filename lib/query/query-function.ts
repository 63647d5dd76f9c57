import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../shared/service-function.ts';
import {
  acknowledgeQueries,
  type QueryProps,
  queryEnvironment,
  queryLogEnvironment,
  runSavedQueries,
} from './query-access.ts';

/** Answers saved queries. */
export class QueryFunction extends ServiceFunction<'query'> {
  readonly alarms = [this.failureAlarm('page')];

  constructor(scope: Construct, id: string, props: QueryProps) {
    const { queryConcurrency } = props.config;
    super(scope, id, props, {
      entry: 'query',
      description: 'Answers saved queries',
      environment: { ...queryEnvironment(props), ...queryLogEnvironment(props) },
      permissions: runSavedQueries(props),
      // As long as API Gateway waits.
      timeout: Duration.seconds(29),
      concurrency: queryConcurrency === 'unreserved' ? undefined : queryConcurrency,
    });
    acknowledgeQueries(this.role, props);
  }
}
