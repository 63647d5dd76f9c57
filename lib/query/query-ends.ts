import { Duration } from 'aws-cdk-lib';
import type { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { LEFT_PARTITIONS, RESULT_PARTITIONS } from '../../src/platform/dynamo/cache-table.ts';
import { RUN_LIMIT_MS } from '../../src/platform/leases/leases.ts';
import { acknowledgeResults } from '../shared/athena-workgroup.ts';
import { allow, learnSchemas, onPartitions, putEvents } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import { cacheEnvironment, type QueryProps, queryLogEnvironment } from './query-access.ts';

/** Keeps the rows of queries that outlived their callers. */
export class QueryEnded extends ServiceFunction<'query-ended'> {
  readonly alarms = [this.failureAlarm('ticket')];

  constructor(scope: Construct, id: string, props: QueryProps) {
    const { storage, landing, workgroups } = props;
    const { registry, cache } = storage.tables;
    const changes = ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'];
    super(scope, id, props, {
      entry: 'query-ended',
      description: 'Keeps the rows of queries that outlived their callers',
      environment: { ...cacheEnvironment(props), ...queryLogEnvironment(props) },
      permissions: [
        allow(['athena:GetQueryExecution', 'athena:GetQueryResults'], workgroups.api.arn),
        allow(['s3:GetObject'], workgroups.api.results.arnForObjects(`${workgroups.api.prefix}*`)),
        ...learnSchemas(registry),
        onPartitions(
          cache,
          [`${LEFT_PARTITIONS}*`, `${RESULT_PARTITIONS}*`],
          changes.map((action) => `dynamodb:${action}`),
        ),
        putEvents(landing.stream),
      ],
      // 30 s to read the rows, the rest to keep them.
      timeout: Duration.seconds(45),
    });
    acknowledgeResults(this.role, workgroups.api);
  }
}

export interface QueryEndsProps {
  /** Workgroup whose queries may have been left behind. */
  readonly workgroup: CfnWorkGroup;
  /** Function that keeps the rows of a query which nobody waited for. */
  readonly queryEnded: IFunction;
}

/**
 * Tells the function of every query of the workgroup that has ended. Athena sends these events as well as
 * it can: one may be missing or come twice.
 *
 * There is no dead-letter queue. What a lost event costs is that the next identical call reads the rows
 * from Athena itself, and an event in a queue would be of no use to anybody by the time it is found.
 */
export class QueryEnds extends Construct {
  readonly rule: Rule;

  constructor(scope: Construct, id: string, { workgroup, queryEnded }: QueryEndsProps) {
    super(scope, id);
    // A run that old is picked up by nobody.
    const maxEventAge = Duration.millis(RUN_LIMIT_MS);
    this.rule = new Rule(this, 'Rule', {
      description: 'Queries of the API that have ended',
      eventPattern: {
        source: ['aws.athena'],
        detailType: ['Athena Query State Change'],
        detail: {
          workgroupName: [workgroup.name],
          currentState: ['SUCCEEDED', 'FAILED', 'CANCELLED'],
        },
      },
      // The retries of handing it over; Lambda's own, of running it, come below.
      targets: [new LambdaFunction(queryEnded, { maxEventAge, retryAttempts: 5 })],
    });
    // After one and two minutes: long enough for Athena's throttling to pass.
    new EventInvokeConfig(this, 'Invocations', {
      function: queryEnded,
      maxEventAge,
      retryAttempts: 2,
    });
  }
}
