import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { IngestAnswers } from './ingest-answers.ts';
import type { ParkedAge } from './parked-age.ts';
import type { ServiceAlarms } from './service-alarms.ts';
import * as metrics from './service-metrics.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceDashboardProps {
  readonly name: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly ingestAnswers: IngestAnswers;
  readonly parkedAge: ParkedAge;
  readonly alarms: ServiceAlarms;
}

/** One page that follows an event through the service: in, into the lake, out again. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id);
    const { service, storage, ingestAnswers, parkedAge, alarms } = props;
    const { queue } = storage.parking;
    const stream = service.landing.stream;
    const stage = service.api.stage;
    const workgroup = service.workgroups.api;
    const functions = Object.values(service.functions).map((one) => one.function);
    new Dashboard(this, 'Dashboard', {
      dashboardName: props.name,
      defaultInterval: Duration.hours(3),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.alarms], width: 24 })],
        [
          graph(
            'Requests',
            stage.metricCount(),
            stage.metricClientError(),
            stage.metricServerError(),
          ),
          graph(
            'Latency (ms)',
            ...['p50', 'p99'].map((statistic) => stage.metricLatency({ statistic })),
          ),
          graph('Ingest refused', ingestAnswers.serverErrors, ingestAnswers.throttled),
        ],
        [
          graph('Bytes taken by the stream', stream.metricIncomingBytes({ statistic: 'Sum' })),
          graph('Age of the oldest event not in the lake (s)', metrics.landingAge(stream)),
          graph(
            'Records refused and failed',
            metrics.throttledRecords(stream),
            metrics.failedConversions(stream),
          ),
        ],
        [
          graph(
            'Records parked and stored',
            queue.metricNumberOfMessagesSent({ statistic: 'Sum', label: 'parked' }),
            queue.metricNumberOfMessagesDeleted({ statistic: 'Sum', label: 'stored' }),
          ),
          graph(
            'Records that are parked',
            queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
            queue.metricApproximateNumberOfMessagesNotVisible({ label: 'tried' }),
          ),
          graph('Age of the oldest parked record (s)', parkedAge.oldest),
        ],
        [
          graph(
            'Queries',
            ...(['SUCCEEDED', 'FAILED', 'CANCELED'] as const).map((state) =>
              metrics.athenaQueries(workgroup, state),
            ),
          ),
          graph(
            'Query time (ms)',
            ...['p50', 'p99'].map((statistic) => metrics.athenaDuration(workgroup, statistic)),
          ),
          graph('Bytes scanned', metrics.athenaBytesScanned(workgroup)),
        ],
        [
          graph('Function errors', ...functions.map((one) => one.metricErrors())),
          graph(
            'Function time (ms, p99)',
            ...functions.map((one) => one.metricDuration({ statistic: 'p99' })),
          ),
          graph(
            'Functions at once',
            ...functions.map((one) => one.metric('ConcurrentExecutions', { statistic: 'Maximum' })),
          ),
        ],
      ],
    });
  }
}

function graph(title: string, ...left: readonly IMetric[]): IWidget {
  return new GraphWidget({ title, left: [...left], width: 8 });
}
