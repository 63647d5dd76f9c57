import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';

export interface WarmingScheduleProps {
  /** Function that refreshes the cache entries which are due. */
  readonly warmer: IFunction;
}

/**
 * Calls the warmer every minute. One schedule for all endpoints: they live in the registry, not in
 * CloudFormation, and the warmer knows which are due.
 */
export class WarmingSchedule extends Construct {
  readonly schedule: Schedule;

  constructor(scope: Construct, id: string, props: WarmingScheduleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'EventBridge Scheduler calls the warmer',
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        Invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [props.warmer.functionArn],
            }),
          ],
        }),
      },
    });
    this.schedule = new Schedule(this, 'Schedule', {
      description: 'Refreshes cached query results that are due',
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(props.warmer, {
        role: role.withoutPolicyUpdates(),
        // The next minute's call does all that a late one would.
        maxEventAge: Duration.minutes(1),
        retryAttempts: 1,
      }),
    });
    // The scheduler's call is asynchronous, and Lambda would repeat a failed run twice more, each of
    // which may start Athena queries.
    new EventInvokeConfig(this, 'Invocations', {
      function: props.warmer,
      maxEventAge: Duration.minutes(1),
      retryAttempts: 0,
    });
  }
}
