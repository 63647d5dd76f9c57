import { type Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';

export interface FunctionScheduleProps {
  readonly function: IFunction;
  /** What a call does, for the console. */
  readonly description: string;
  /** Pause between calls. A call that comes later than this is dropped: the next does all it would. */
  readonly every: Duration;
  /**
   * How often Lambda repeats a run that failed. The scheduler's calls are asynchronous, and Lambda's own
   * default is 2.
   *
   * @default 0
   */
  readonly repeats?: number;
}

/** Calls a function again and again, under a role that may do nothing else. */
export class FunctionSchedule extends Construct {
  readonly schedule: Schedule;

  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: `EventBridge Scheduler calls ${props.function.node.path}`,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      inlinePolicies: {
        Invoke: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [props.function.functionArn],
            }),
          ],
        }),
      },
    });
    this.schedule = new Schedule(this, 'Schedule', {
      description: props.description,
      schedule: ScheduleExpression.rate(props.every),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(props.function, {
        role: role.withoutPolicyUpdates(),
        maxEventAge: props.every,
        retryAttempts: 1,
      }),
    });
    new EventInvokeConfig(this, 'Invocations', {
      function: props.function,
      maxEventAge: props.every,
      retryAttempts: props.repeats ?? 0,
    });
  }
}
