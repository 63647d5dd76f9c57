import type { Duration } from 'aws-cdk-lib';
import { type Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ApiAnswers } from './api-answers.ts';
import type { IngestAnswers } from './ingest-answers.ts';
import type { ParkedAge } from './parked-age.ts';
import {
  ALARM_PERIOD,
  type AlarmDefinition,
  addAlarms,
  type RunbookAlarmsProps,
} from './runbook-alarms.ts';
import * as metrics from './service-metrics.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceAlarmsProps extends RunbookAlarmsProps {
  readonly environment: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly apiAnswers: ApiAnswers;
  readonly ingestAnswers: IngestAnswers;
  readonly parkedAge: ParkedAge;
  /** Firehose's buffering interval. */
  readonly buffer: Duration;
  /** Dollars of scanning per hour from which an alarm rings. */
  readonly scanCostUsdPerHour: number;
}

/** Alarms on what users notice first, each with its section in the runbook. */
export class ServiceAlarms extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    this.alarms = addAlarms(this, [...ingest(props), ...queries(props), ...parts(props)], props);
  }
}

function ingest({ service, ingestAnswers, parkedAge, buffer }: ServiceAlarmsProps) {
  const stream = service.landing.stream;
  return [
    {
      id: 'ingest-errors',
      severity: 'page',
      says: 'Ingest answers with server errors; clients keep their events and try again.',
      metric: ingestAnswers.serverErrors,
      threshold: 5,
    },
    {
      id: 'ingest-throttled',
      severity: 'ticket',
      says: 'Ingest turns clients away because of rate limits.',
      metric: ingestAnswers.throttled,
      threshold: 50,
    },
    {
      id: 'firehose-throttled',
      // Nothing is lost: what the stream refuses is parked, and that has an alarm of its own.
      severity: 'ticket',
      says: 'The landing stream takes fewer records than ingest sends; its quota is too small.',
      metric: metrics.throttledRecords(stream),
      threshold: 1,
      periods: 2,
    },
    {
      id: 'parked-events',
      severity: 'page',
      says: 'Acknowledged events wait for the landing stream to take them.',
      metric: parkedAge.oldest,
      // Beyond an outage that passes by itself, and four attempts.
      threshold: 900,
    },
    {
      id: 'lake-stale',
      severity: 'page',
      says: 'Events reach the lake late; queries do not see the newest ones.',
      metric: metrics.landingAge(stream).with({ period: ALARM_PERIOD }),
      threshold: 2 * buffer.toSeconds() + 300,
      periods: 2,
    },
    {
      id: 'conversion-failed',
      severity: 'page',
      says: 'Acknowledged events could not be converted and wait under the failed prefix.',
      metric: metrics.failedConversions(stream),
      threshold: 1,
    },
  ] satisfies AlarmDefinition[];
}

function queries({ environment, service, apiAnswers, scanCostUsdPerHour }: ServiceAlarmsProps) {
  const { stage } = service.api;
  const workgroup = service.workgroups.api;
  return [
    {
      id: 'api-errors',
      severity: 'page',
      says: 'The API answers with server errors.',
      metric: apiAnswers.serverErrors,
      threshold: 10,
    },
    {
      id: 'api-slow',
      severity: 'ticket',
      // Queries may take up to 29 s each; most answers come from the cache or are ingest.
      says: 'One answer in a hundred takes longer than 20 seconds.',
      metric: stage.metricLatency({ statistic: 'p99', period: ALARM_PERIOD }),
      threshold: 20_000,
      periods: 3,
    },
    {
      id: 'queries-timed-out',
      severity: 'ticket',
      section: 'api-slow',
      // With much ingest, all queries together may be less than one answer in a hundred.
      says: 'Queries take longer than the 25 seconds that callers wait.',
      metric: apiAnswers.timedOut,
      threshold: 10,
      periods: 3,
    },
    {
      id: 'queries-failed',
      severity: 'ticket',
      says: 'Athena queries of the API fail.',
      metric: metrics.athenaQueries(workgroup, 'FAILED').with({ period: ALARM_PERIOD }),
      threshold: 5,
    },
    {
      id: 'scan-cost',
      // Money is spent until somebody stops it.
      severity: 'page',
      says: 'Saved queries scan more than an hour of them is meant to cost.',
      metric: metrics.athenaScanCost(workgroup),
      threshold: scanCostUsdPerHour,
    },
    ...scanCostOfOthers(service).map(
      ({ id, says, workgroup }): AlarmDefinition => ({
        id,
        // A person who asks, or a job that each hour of the lake bounds: neither spends unseen for long.
        severity: 'ticket',
        says,
        metric: metrics.athenaScanCost(workgroup),
        threshold: scanCostUsdPerHour,
      }),
    ),
    {
      id: 'warming-behind',
      severity: 'ticket',
      says: 'The warmer does not get to all cached results that are due; dashboards wait for queries.',
      // At least one pass without a backlog in five minutes is a warmer that keeps up.
      metric: metrics.own(environment, 'WarmingBacklog', 'Minimum'),
      threshold: 1,
      periods: 3,
      // Each pass says how many are left, none included, and there is one a minute.
      missing: TreatMissingData.BREACHING,
    },
  ] satisfies AlarmDefinition[];
}

/** Workgroups beside the API's. That of the views reads no events. */
function scanCostOfOthers({ workgroups, compaction }: ServiceStack) {
  return [
    {
      id: 'analysts-scan-cost',
      says: 'Queries of analysts scan more than an hour of saved queries is meant to cost.',
      workgroup: workgroups.analysts,
    },
    {
      id: 'compaction-scan-cost',
      says: 'Compaction scans more than an hour of saved queries is meant to cost.',
      workgroup: compaction.workgroup,
    },
  ];
}

/** Functions whose callers wait for them: when they fail, somebody notices at once. */
const AWAITED: ReadonlySet<string> = new Set(['ingest', 'query', 'management']);

function parts({ service, storage }: ServiceAlarmsProps): AlarmDefinition[] {
  return [
    ...Object.entries(service.functions).map(
      ([name, { function: handler }]): AlarmDefinition => ({
        id: `${name}-function-failed`,
        severity: AWAITED.has(name) ? 'page' : 'ticket',
        section: 'function-failed',
        says: `The ${name} function crashed, ran out of time or out of memory.`,
        metric: handler.metricErrors({ statistic: 'Sum', period: ALARM_PERIOD }),
        threshold: 1,
      }),
    ),
    {
      id: 'registry-throttled',
      severity: 'page',
      section: 'table-throttled',
      says: 'DynamoDB refuses reads or writes of the registry.',
      metric: metrics.throttledItems(storage.tables.registry),
      threshold: 1,
    },
    {
      id: 'cache-throttled',
      severity: 'ticket',
      section: 'table-throttled',
      says: 'DynamoDB refuses reads or writes of the result cache.',
      metric: metrics.throttledItems(storage.tables.cache),
      threshold: 1,
    },
  ];
}
