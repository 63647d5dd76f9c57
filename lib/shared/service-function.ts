import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { EnvironmentOf, FunctionName } from '../../lambdas/shared/environment.ts';
import { ENTRY } from './bundle.ts';
import { functionCode } from './function-code.ts';
import { ALARM_PERIOD, type AlarmDefinition, type Severity } from './runbook-alarms.ts';
import type { ServiceProps } from './service-props.ts';

export interface ServiceFunctionProps<Name extends FunctionName> {
  /** File of the same name in `lambdas/`, and end of the function's name in AWS. */
  readonly entry: Name;
  readonly description: string;
  /** What its code reads; `lambdas/shared/environment.ts` says what that is. */
  readonly environment: EnvironmentOf<Name>;
  /** Everything it may do beyond writing its own log. */
  readonly permissions: readonly PolicyStatement[];
  /** MiB. A whole vCPU comes with 1,769, and less memory means less CPU. @default 1024 */
  readonly memorySize?: number;
  readonly timeout: Duration;
  /**
   * Folder of the project that the code reads at run time, to be put beside it under its own name.
   *
   * @default none
   */
  readonly folder?: string;
  /**
   * Concurrent executions set aside for the function, and its limit.
   *
   * @default none
   */
  readonly concurrency?: number | undefined;
}

/** A Lambda function of the service with its own role and log group. */
export class ServiceFunction<Name extends FunctionName> extends Construct {
  readonly function: IFunction;
  readonly role: Role;
  readonly logs: LogGroup;

  readonly #entry: Name;

  constructor(
    scope: Construct,
    id: string,
    service: Pick<ServiceProps, 'name' | 'config'>,
    props: ServiceFunctionProps<Name>,
  ) {
    super(scope, id);
    this.#entry = props.entry;
    const functionName = `${service.name}-${props.entry}`;
    this.logs = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: service.config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = this.#role(props, this.logs);
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: props.description,
      code: functionCode(props.entry, props.folder),
      handler: `${ENTRY}.handler`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 1024,
      timeout: props.timeout,
      role: this.role.withoutPolicyUpdates(),
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      // A START, END and REPORT line for each call would be most of the bill of a small ingest
      // request; WARN keeps time-outs and crashes.
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      environment: { ...props.environment },
      ...(props.concurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.concurrency }),
    });
  }

  /**
   * Rings when a call ended in a failure of the function as a whole.
   *
   * @param severity `page` where callers wait for the function, and so notice at once.
   */
  failureAlarm(severity: Severity): AlarmDefinition {
    return {
      id: `${this.#entry}-function-failed`,
      severity,
      section: 'function-failed',
      says: `The ${this.#entry} function crashed, ran out of time or out of memory.`,
      metric: this.function.metricErrors({ statistic: 'Sum', period: ALARM_PERIOD }),
      threshold: 1,
    };
  }

  #role(props: ServiceFunctionProps<Name>, logGroup: LogGroup): Role {
    return new Role(this, 'Role', {
      description: props.description,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Service: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
            ...props.permissions,
          ],
        }),
      },
    });
  }
}
