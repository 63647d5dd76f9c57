import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { IngestAnswers } from './ingest-answers.ts';
import type { ParkedAge } from './parked-age.ts';
import * as metrics from './service-metrics.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ServiceAlarmsProps {
  /** Start of every alarm's name. */
  readonly name: string;
  readonly service: ServiceStack;
  readonly storage: StorageStack;
  readonly ingestAnswers: IngestAnswers;
  readonly parkedAge: ParkedAge;
  /** Firehose's buffering interval. */
  readonly buffer: Duration;
  /** Where alarms go. */
  readonly topic: ITopic;
  /** Page with a section per alarm. */
  readonly runbookUrl: string;
}

interface AlarmDefinition {
  /** Name of the alarm. */
  readonly id: string;
  /** Anchor of its section in the runbook. @default the alarm's name */
  readonly section?: string;
  /** What is wrong, for someone woken up by it. */
  readonly says: string;
  readonly metric: IMetric;
  /** The alarm rings at this value and above. */
  readonly threshold: number;
  /** Periods of five minutes in a row. @default 1 */
  readonly periods?: number;
}

/** Alarms on what users notice first, each with its section in the runbook. */
export class ServiceAlarms extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    const action = new SnsAction(props.topic);
    this.alarms = definitions(props).map((definition) => {
      const alarm = new Alarm(this, definition.id, {
        alarmName: `${props.name}-${definition.id}`,
        alarmDescription: `${definition.says} Runbook: ${props.runbookUrl}#${definition.section ?? definition.id}`,
        metric: definition.metric,
        threshold: definition.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: definition.periods ?? 1,
        // All of these metrics are absent while nothing happens.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
  }
}

function definitions(props: ServiceAlarmsProps): readonly AlarmDefinition[] {
  const { service, storage, ingestAnswers, parkedAge } = props;
  const stream = service.landing.stream;
  const period = Duration.minutes(5);
  return [
    {
      id: 'ingest-errors',
      says: 'Ingest answers with server errors; clients keep their events and try again.',
      metric: ingestAnswers.serverErrors,
      threshold: 5,
    },
    {
      id: 'ingest-throttled',
      says: 'Ingest turns clients away because of rate limits.',
      metric: ingestAnswers.throttled,
      threshold: 50,
    },
    {
      id: 'firehose-throttled',
      says: 'The landing stream takes fewer records than ingest sends; its quota is too small.',
      metric: metrics.throttledRecords(stream),
      threshold: 1,
      periods: 2,
    },
    {
      id: 'parked-events',
      says: 'Acknowledged events wait for the landing stream to take them.',
      metric: parkedAge.oldest,
      // Beyond an outage that passes by itself, and four attempts.
      threshold: 900,
    },
    {
      id: 'lake-stale',
      says: 'Events reach the lake late; queries do not see the newest ones.',
      metric: metrics.landingAge(stream).with({ period }),
      threshold: 2 * props.buffer.toSeconds() + 300,
      periods: 2,
    },
    {
      id: 'conversion-failed',
      says: 'Acknowledged events could not be converted and wait under the failed prefix.',
      metric: metrics.failedConversions(stream),
      threshold: 1,
    },
    {
      id: 'api-errors',
      says: 'The API answers with server errors.',
      metric: service.api.stage.metricServerError({ statistic: 'Sum', period }),
      threshold: 10,
    },
    {
      id: 'api-slow',
      // Queries may take up to 29 s each; most answers come from the cache or are ingest.
      says: 'One answer in a hundred takes longer than 20 seconds.',
      metric: service.api.stage.metricLatency({ statistic: 'p99', period }),
      threshold: 20_000,
      periods: 3,
    },
    {
      id: 'queries-failed',
      says: 'Athena queries of the API fail.',
      metric: metrics.athenaQueries(service.workgroups.api, 'FAILED').with({ period }),
      threshold: 5,
    },
    ...Object.entries(service.functions).map(([name, { function: handler }]) => ({
      id: `${name}-function-failed`,
      section: 'function-failed',
      says: `The ${name} function crashed, ran out of time or out of memory.`,
      metric: handler.metricErrors({ statistic: 'Sum', period }),
      threshold: 1,
    })),
    {
      id: 'registry-throttled',
      section: 'table-throttled',
      says: 'DynamoDB refuses reads or writes of the registry.',
      metric: metrics.throttledItems(storage.tables.registry),
      threshold: 1,
    },
    {
      id: 'cache-throttled',
      section: 'table-throttled',
      says: 'DynamoDB refuses reads or writes of the result cache.',
      metric: metrics.throttledItems(storage.tables.cache),
      threshold: 1,
    },
  ];
}
