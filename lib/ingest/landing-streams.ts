import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { putEvents } from '../shared/permissions.ts';
import type { AlarmDefinition } from '../shared/runbook-alarms.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import { LandingStream, type LandingStreamProps, landingStreamName } from './landing-stream.ts';

/** Names of all streams, for what has to exist before them. */
export function landingStreamNames({
  name,
  config,
}: Pick<ServiceProps, 'name' | 'config'>): string[] {
  return Array.from({ length: config.landingStreams }, (_, index) =>
    landingStreamName(name, index + 1),
  );
}

/**
 * The streams that write the landing table. Their quotas add up; which of them an event takes says
 * nothing, and nothing depends on it.
 */
export class LandingStreams {
  /** Never empty. The first is the one of a deployment with one stream. */
  readonly all: readonly LandingStream[];
  readonly maxFilingDelay: Duration;
  /** What Firehose could not deliver or transform, a log for each stream. */
  readonly logs: readonly LogGroup[];
  /** An alarm rings when one of the streams is in trouble. */
  readonly alarms: readonly AlarmDefinition[];

  constructor(scope: Construct, id: string, props: Omit<LandingStreamProps, 'number'>) {
    const first = new LandingStream(scope, id, { ...props, number: 1 });
    const more = Array.from(
      { length: props.config.landingStreams - 1 },
      (_, index) =>
        new LandingStream(scope, `${id}${index + 2}`, {
          ...props,
          number: index + 2,
        }),
    );
    this.all = [first, ...more];
    this.logs = this.all.map((stream) => stream.logs);
    this.maxFilingDelay = first.maxFilingDelay;
    this.alarms = first.alarms.map((alarm, index) => ({
      ...alarm,
      metric: worst(this.all.flatMap((stream) => stream.alarms[index]?.metric ?? [])),
    }));
  }

  /** As the functions' variable has them. */
  get names(): string {
    return this.all.map(({ stream }) => stream.deliveryStreamName).join(',');
  }

  /** What a function needs to put events on the streams. */
  get putEvents(): PolicyStatement {
    return putEvents(...this.all.map(({ stream }) => stream));
  }

  /** A line of a graph for each stream. */
  each(metric: (stream: LandingStream) => Metric): Metric[] {
    if (this.all.length === 1) return this.all.map(metric);
    return this.all.map((stream, index) => {
      const line = metric(stream);
      return line.with({ label: `${line.label ?? line.metricName} ${index + 1}` });
    });
  }

  /** Share of the calls of the transformation that had no answer, of the stream that fares worst. */
  failedTransformations(): IMetric {
    return worst(this.all.map((stream) => stream.failedTransformations()));
  }
}

/** The largest of what the streams report; one that has nothing to report counts as 0. */
function worst(metrics: readonly IMetric[]): IMetric {
  const [only] = metrics;
  if (only !== undefined && metrics.length === 1) return only;
  const named = metrics.map((metric, index) => [`stream${index + 1}`, metric] as const);
  const { period } = only as Metric;
  return new MathExpression({
    expression: `MAX([${named.map(([id]) => `FILL(${id}, 0)`).join(', ')}])`,
    usingMetrics: Object.fromEntries(named),
    period,
  });
}
