import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { dashboardLinks } from './dashboard-links.ts';
import type { IngestAnswers } from './ingest-answers.ts';
import type { ParkedAge } from './parked-age.ts';
import * as metrics from './service-metrics.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceDashboardProps {
  readonly environment: string;
  readonly name: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly ingestAnswers: IngestAnswers;
  readonly parkedAge: ParkedAge;
  /** Seconds that compaction is behind. */
  readonly compactionBehind: IMetric;
  readonly alarms: readonly IAlarm[];
  /** Page with a section per alarm. */
  readonly runbookUrl: string;
}

/** One page that follows an event through the service: in, into the lake, out again. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id);
    new Dashboard(this, 'Dashboard', {
      dashboardName: props.name,
      defaultInterval: Duration.hours(3),
      widgets: [
        [new TextWidget({ markdown: dashboardLinks(props), width: 24, height: 1 })],
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: 24 })],
        ...requests(props),
        ...delivery(props),
        ...queries(props),
        ...parts(props),
      ],
    });
  }
}

function requests({ environment, service, ingestAnswers }: ServiceDashboardProps): IWidget[][] {
  const { stage } = service.api;
  const sum = metrics.sums(environment);
  return [
    [
      graph('Requests', stage.metricCount(), stage.metricClientError(), stage.metricServerError()),
      graph(
        'Latency (ms)',
        ...['p50', 'p99'].map((statistic) => stage.metricLatency({ statistic })),
      ),
      graph('Ingest refused', ingestAnswers.serverErrors, ingestAnswers.throttled),
    ],
    [
      graph('Events', sum('EventsStored'), sum('EventsRefused'), sum('EventsParked')),
      graph('Bytes of ingest calls', sum('IngestBytes')),
      graph(
        'Bytes taken by the stream',
        service.landing.stream.metricIncomingBytes({ statistic: 'Sum' }),
      ),
    ],
  ];
}

function delivery({ service, storage, parkedAge }: ServiceDashboardProps): IWidget[][] {
  const { stream } = service.landing;
  const { queue } = storage.parking;
  return [
    [
      graph('Age of the oldest event not in the lake (s)', metrics.landingAge(stream)),
      graph(
        'Records refused and failed',
        metrics.throttledRecords(stream),
        metrics.failedConversions(stream),
      ),
      graph('Age of the oldest parked record (s)', parkedAge.oldest),
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
      graph(
        'DynamoDB refuses',
        metrics.throttledItems(storage.tables.registry, 'registry'),
        metrics.throttledItems(storage.tables.cache, 'cache'),
      ),
    ],
  ];
}

function queries({ environment, service }: ServiceDashboardProps): IWidget[][] {
  const workgroup = service.workgroups.api;
  const sum = metrics.sums(environment);
  return [
    [
      graph('Calls of saved queries', sum('QueryCalls'), sum('QueryErrors')),
      graph('Cache', sum('QueryCacheHits'), sum('QueryCacheMisses'), sum('QueryCacheStale')),
      graph('Warming backlog', metrics.own(environment, 'WarmingBacklog', 'Maximum')),
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
        metrics.own(environment, 'QueryQueueMs', 'p99'),
      ),
      graph('Bytes scanned', metrics.athenaBytesScanned(workgroup)),
    ],
    [
      graph('Scan cost per hour (USD)', metrics.athenaScanCost(workgroup)),
      graph(
        'Scan cost of analysts per hour (USD)',
        metrics.athenaScanCost(service.workgroups.analysts),
      ),
      graph('Cost of calls (USD)', sum('QueryCostUsd')),
    ],
  ];
}

function parts({ service, compactionBehind }: ServiceDashboardProps): IWidget[][] {
  const { workgroup, function: job } = service.compaction;
  const functions = [...Object.values(service.functions), job].map((one) => one.function);
  return [
    [
      graph('Compaction is behind (s)', compactionBehind),
      graph(
        'Statements of compaction',
        metrics.athenaQueries(workgroup, 'SUCCEEDED'),
        metrics.athenaQueries(workgroup, 'FAILED'),
      ),
      graph('Scan cost of compaction per hour (USD)', metrics.athenaScanCost(workgroup)),
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
  ];
}

function graph(title: string, ...left: readonly IMetric[]): IWidget {
  return new GraphWidget({ title, left: [...left], width: 8 });
}
