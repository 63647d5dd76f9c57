import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import { own } from '../shared/service-metrics.ts';
import {
  acknowledgeQueries,
  type QueryProps,
  queryEnvironment,
  queryLogEnvironment,
  runSavedQueries,
} from './query-access.ts';

/**
 * Refreshes cached query results before they expire. One schedule for all endpoints: they live in the
 * registry, not in CloudFormation, and the warmer knows which are due.
 */
export class Warmer extends ServiceFunction<'warmer'> {
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: QueryProps) {
    super(scope, id, props, {
      entry: 'warmer',
      description: 'Refreshes cached query results before they expire',
      environment: { ...queryEnvironment(props), ...queryLogEnvironment(props) },
      permissions: runSavedQueries(props),
      // A pass ends after 50 s, give or take the call that it is in.
      timeout: Duration.seconds(70),
    });
    acknowledgeQueries(this.role, props);
    new FunctionSchedule(this, 'Schedule', {
      function: this.function,
      description: 'Refreshes cached query results that are due',
      every: Duration.minutes(1),
    });
    this.alarms = [
      this.failureAlarm('ticket'),
      {
        id: 'warming-behind',
        severity: 'ticket',
        says: 'The warmer does not get to all cached results that are due; dashboards wait for queries.',
        // At least one pass without a backlog in five minutes is a warmer that keeps up.
        metric: own(props.config.environment, 'WarmingBacklog', 'Minimum'),
        threshold: 1,
        periods: 3,
        // Each pass says how many are left, none included, and there is one a minute.
        missing: TreatMissingData.BREACHING,
      },
    ];
  }
}
