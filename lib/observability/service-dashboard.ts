import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  type Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../src/platform/metrics.ts';
import type { AccessLogMetrics } from '../api/access-log-metrics.ts';
import type { CompactionLag } from '../compaction/compaction-lag.ts';
import type { SpillQueueAge } from '../ingest/spill-queue-age.ts';
import type { TransformationOutcome } from '../ingest/transformation-outcome.ts';
import type { ServiceStack } from '../service-stack.ts';
import { throttledItems } from '../shared/registry-tables.ts';
import { own } from '../shared/service-metrics.ts';
import type { StorageStack } from '../storage-stack.ts';
import { dashboardLinks } from './dashboard-links.ts';

export interface ServiceDashboardProps {
  readonly environment: string;
  readonly name: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly answers: AccessLogMetrics;
  readonly spillQueueAge: SpillQueueAge;
  readonly transformationOutcome: TransformationOutcome;
  readonly compactionLag: CompactionLag;
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

function requests({ environment, service, answers }: ServiceDashboardProps): IWidget[][] {
  const { stage } = service.api;
  const sum = sums(environment);
  return [
    [
      graph('Requests', stage.metricCount(), stage.metricClientError(), stage.metricServerError()),
      graph(
        'Latency (ms)',
        ...['p50', 'p99'].map((statistic) => stage.metricLatency({ statistic })),
      ),
      graph('Ingest refused', answers.ingestServerErrors, answers.ingestThrottled),
    ],
    [
      graph('Events', sum('EventsStored'), sum('EventsRefused'), sum('EventsParked')),
      graph('Bytes of ingest calls', sum('IngestBytes')),
      graph(
        'Bytes taken by the stream',
        ...service.landing.each(({ stream }) => stream.metricIncomingBytes({ statistic: 'Sum' })),
      ),
    ],
  ];
}

function delivery(props: ServiceDashboardProps): IWidget[][] {
  const { service, storage, spillQueueAge, transformationOutcome } = props;
  const { landing, transformation } = service;
  const { queue } = storage.spillQueue;
  return [
    [
      graph('Age of the oldest event not in the lake (s)', ...landing.each((one) => one.age())),
      graph(
        'Records refused and failed',
        ...landing.each((one) => one.throttledRecords()),
        ...landing.each((one) => one.failedConversions()),
      ),
      graph('Age of the oldest parked record (s)', spillQueueAge.oldest),
    ],
    [
      graph('Calls of the transformation that failed (share)', landing.failedTransformations()),
      graph(
        'Records not transformed and put back',
        transformationOutcome.failed,
        transformationOutcome.putBack,
        transformation.function.metricThrottles({ statistic: 'Sum', label: 'calls throttled' }),
      ),
      graph(
        'Time of a transformation (ms)',
        ...['p50', 'p99'].map((statistic) => transformation.function.metricDuration({ statistic })),
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
      graph(
        'DynamoDB refuses',
        throttledItems(storage.tables.registry, 'registry'),
        throttledItems(storage.tables.cache, 'cache'),
      ),
    ],
  ];
}

function queries({ environment, service }: ServiceDashboardProps): IWidget[][] {
  const workgroup = service.workgroups.api;
  const sum = sums(environment);
  return [
    [
      graph('Calls of saved queries', sum('QueryCalls'), sum('QueryErrors')),
      graph('Cache', sum('QueryCacheHits'), sum('QueryCacheMisses'), sum('QueryCacheStale')),
      graph('Warming backlog', own(environment, 'WarmingBacklog', 'Maximum')),
    ],
    [
      graph(
        'Queries',
        ...(['SUCCEEDED', 'FAILED', 'CANCELED'] as const).map((state) => workgroup.queries(state)),
      ),
      graph(
        'Query time (ms)',
        ...['p50', 'p99'].map((statistic) => workgroup.duration(statistic)),
        own(environment, 'QueryQueueMs', 'p99'),
      ),
      graph('Bytes scanned', workgroup.bytesScanned()),
    ],
    [
      graph('Scan cost per hour (USD)', workgroup.scanCost()),
      graph('Scan cost of analysts per hour (USD)', service.workgroups.analysts.scanCost()),
      graph('Cost of calls (USD)', sum('QueryCostUsd')),
    ],
  ];
}

function parts({ service, compactionLag }: ServiceDashboardProps): IWidget[][] {
  const { workgroup } = service.compaction;
  const functions = service.functions.map((one) => one.function);
  return [
    [
      graph('Compaction is behind (s)', compactionLag.behind),
      graph(
        'Statements of compaction',
        workgroup.queries('SUCCEEDED'),
        workgroup.queries('FAILED'),
      ),
      graph('Scan cost of compaction per hour (USD)', workgroup.scanCost()),
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

/** What some of the service's own metrics add up to. */
function sums(environment: string): (metricName: MetricName) => Metric {
  return (metricName) => own(environment, metricName, 'Sum');
}

function graph(title: string, ...left: readonly IMetric[]): IWidget {
  return new GraphWidget({ title, left: [...left], width: 8 });
}
