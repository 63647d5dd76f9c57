import { ArnFormat, Duration, Size, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { allow } from '../shared/permissions.ts';
import { ALARM_PERIOD, type AlarmDefinition } from '../shared/runbook-alarms.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { ServiceProps } from '../shared/service-props.ts';

export interface TransformationFunctionProps extends ServiceProps {
  /** Names of the streams whose records it transforms; they are created after it. */
  readonly streams: readonly string[];
}

/** How long one call may take: putting records back ends after 14 s, all else takes some 50 ms. */
export const TRANSFORMATION_TIMEOUT = Duration.seconds(30);

/**
 * How long Firehose collects records for a call. An event waits that much longer until a query sees it, and a
 * quiet stream makes 520,000 calls a month, for 20 cents.
 */
export const TRANSFORMATION_INTERVAL = Duration.seconds(5);

/** Bytes on the stream that make a call: the least that Firehose allows. `MAX_ANSWER_BYTES` says why. */
export const TRANSFORMATION_SIZE = Size.mebibytes(0.2);

/** Calls that Firehose makes for the same records until they go to the failed prefix. */
export const TRANSFORMATION_ATTEMPTS = 4;

/** Gives Firehose the rows of records, which are compressed on the stream, before it makes Parquet of them. */
export class TransformationFunction extends ServiceFunction<'transformation'> {
  /** Its ARN by its name, for a role that has to exist before it. */
  readonly arn: string;
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: TransformationFunctionProps) {
    const stack = Stack.of(scope);
    // By name, not by reference: a stream needs the function to exist before it.
    const streams = props.streams.map((resourceName) =>
      stack.formatArn({ service: 'firehose', resource: 'deliverystream', resourceName }),
    );
    super(scope, id, props, {
      entry: 'transformation',
      description: 'Gives Firehose the rows of the records on the landing stream',
      environment: { LOG_LEVEL: 'info' },
      permissions: [allow(['firehose:PutRecordBatch'], ...streams)],
      // Calls with the largest answers take a process to 240 MB, and a whole core 25 to 60 ms. Half the memory
      // would do at half the CPU, in twice the time and so for the same price.
      memorySize: 1024,
      timeout: TRANSFORMATION_TIMEOUT,
    });
    this.arn = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: `${props.name}-transformation`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.alarms = [
      this.failureAlarm('ticket'),
      {
        id: 'transformation-throttled',
        severity: 'ticket',
        says: 'Lambda refuses calls of the transformation; events reach the lake late, or wait under the failed prefix.',
        metric: this.function.metricThrottles({ statistic: 'Sum', period: ALARM_PERIOD }),
        threshold: 1,
        periods: 2,
      },
    ];
  }
}
