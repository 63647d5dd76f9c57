import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { metricsNamespace } from '../src/platform/metrics.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { ApiAnswers } from './api-answers.ts';
import { CompactionAlarms } from './compaction-alarms.ts';
import type { Config } from './config.ts';
import { IngestAnswers } from './ingest-answers.ts';
import { ParkedAge } from './parked-age.ts';
import type { Severity } from './runbook-alarms.ts';
import { SavedLogQueries } from './saved-log-queries.ts';
import { ServiceAlarms } from './service-alarms.ts';
import { ServiceDashboard } from './service-dashboard.ts';
import type { ServiceStack } from './service-stack.ts';
import type { StorageStack } from './storage-stack.ts';
import { warnOfUnheardAlarms } from './unheard-alarms.ts';

export interface ObservabilityStackProps extends StackProps {
  readonly config: Config;
  readonly storage: StorageStack;
  readonly service: ServiceStack;
}

/** How its operators see the service: a dashboard, alarms and where they are sent. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { config, storage, service } = props;
    const { environment, runbookUrl } = config;
    const name = `sluice-${environment}`;

    const namespace = metricsNamespace(environment);
    const answered = { accessLogs: service.api.accessLogs, namespace };
    const apiAnswers = new ApiAnswers(this, 'ApiAnswers', answered);
    const ingestAnswers = new IngestAnswers(this, 'IngestAnswers', answered);
    const parkedAge = new ParkedAge(this, 'ParkedAge', {
      queue: storage.parking.queue,
      redriveLogs: service.functions.redrive.logs,
      namespace,
    });
    const topic = (severity: Severity, id: string) =>
      new AlarmTopic(this, id, {
        name: `${name}-${severity}`,
        emails: config.alarmEmails[severity],
      }).topic;
    const topics = { page: topic('page', 'Pages'), ticket: topic('ticket', 'Tickets') };
    const parts = { environment, name, service, storage, ingestAnswers, parkedAge, runbookUrl };
    const { alarms } = new ServiceAlarms(this, 'Alarms', {
      ...parts,
      topics,
      apiAnswers,
      buffer: Duration.seconds(config.bufferSeconds),
      scanCostUsdPerHour: config.scanCostAlarmUsdPerHour,
    });
    const compaction = new CompactionAlarms(this, 'CompactionAlarms', {
      name,
      topics,
      runbookUrl,
      compaction: service.compaction,
      namespace,
    });
    warnOfUnheardAlarms(this, config);
    new SavedLogQueries(this, 'LogQueries', { name, service });
    new ServiceDashboard(this, 'Dashboard', {
      ...parts,
      compactionBehind: compaction.behind,
      alarms: [...alarms, ...compaction.alarms],
    });
  }
}
