import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  acknowledgeQueries,
  type QueryProps,
  queryEnvironment,
  queryLogEnvironment,
  runSavedQueries,
} from '../query/query-access.ts';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import { ALARM_PERIOD, type AlarmDefinition } from '../shared/runbook-alarms.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { AlertNotifications } from './alert-notifications.ts';

export interface AlertsProps extends QueryProps {
  readonly notifications: AlertNotifications;
}

/**
 * Checks the alerts that are due and tells of them. A function of its own rather than a part of the
 * warmer's: what one of them waits for is not in the other's way, and only this one may publish.
 */
export class AlertsFunction extends ServiceFunction<'alerts'> {
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: AlertsProps) {
    const { notifications } = props;
    super(scope, id, props, {
      entry: 'alerts',
      description: 'Checks alerts that are due and sends their notifications',
      environment: {
        ...queryEnvironment(props),
        ...queryLogEnvironment(props),
        ...notifications.environment,
      },
      permissions: [...runSavedQueries(props), notifications.publish],
      // 45 s for queries and up to 18 s for a target that does not answer, with room for those that are slow.
      timeout: Duration.seconds(110),
    });
    acknowledgeQueries(this.role, props);
    new FunctionSchedule(this, 'Schedule', {
      function: this.function,
      description: 'Checks alerts that are due',
      every: Duration.minutes(1),
    });
    this.alarms = [
      {
        id: 'alerts-not-checked',
        // People who rely on an alert hear nothing.
        severity: 'page',
        says: 'No pass over the alerts has ended well in 15 minutes; nobody is told of anything.',
        // Each pass says 0 or 1, so that the least of five minutes is 0 if one of them ended well.
        metric: this.function.metricErrors({ statistic: 'Minimum', period: ALARM_PERIOD }),
        threshold: 1,
        periods: 3,
        missing: TreatMissingData.BREACHING,
      },
    ];
  }
}
