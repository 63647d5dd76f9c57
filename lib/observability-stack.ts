import { Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { metricsNamespace } from '../src/platform/metrics.ts';
import { AccessLogMetrics } from './api/access-log-metrics.ts';
import { CompactionLag } from './compaction/compaction-lag.ts';
import { MaintenanceFailures } from './compaction/maintenance-failures.ts';
import type { Config } from './config.ts';
import { SpillQueueAge } from './ingest/spill-queue-age.ts';
import { TransformationOutcome } from './ingest/transformation-outcome.ts';
import { warnOfUnheardAlarms } from './observability/alarm-config-warnings.ts';
import { AlarmTopic } from './observability/alarm-topic.ts';
import { LogsInsightsQueries } from './observability/logs-insights-queries.ts';
import { ServiceDashboard } from './observability/service-dashboard.ts';
import type { ServiceStack } from './service-stack.ts';
import { addAlarms, type Severity } from './shared/runbook-alarms.ts';
import type { StorageStack } from './storage-stack.ts';

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
    const answers = new AccessLogMetrics(this, 'AccessLogMetrics', {
      accessLogs: service.api.accessLogs,
      namespace,
    });
    const spillQueueAge = new SpillQueueAge(this, 'SpillQueueAge', {
      queue: storage.spillQueue.queue,
      redriveLogs: service.redrive.logs,
      namespace,
    });
    const transformationOutcome = new TransformationOutcome(this, 'TransformationOutcome', {
      logs: service.transformation.logs,
      streamLogs: service.landing.logs,
      namespace,
    });
    const compactionLag = new CompactionLag(this, 'CompactionLag', {
      logs: service.compaction.function.logs,
      namespace,
    });
    const maintenanceFailures = new MaintenanceFailures(this, 'MaintenanceFailures', {
      logs: service.compaction.function.logs,
      namespace,
    });
    const topic = (severity: Severity, id: string) =>
      new AlarmTopic(this, id, {
        name: `${name}-${severity}`,
        emails: config.alarmEmails[severity],
      }).topic;
    const alarms = addAlarms(
      new Construct(this, 'Alarms'),
      [
        answers,
        spillQueueAge,
        transformationOutcome,
        compactionLag,
        maintenanceFailures,
        service,
        storage.tables,
      ].flatMap((part) => part.alarms),
      {
        name,
        topics: { page: topic('page', 'Pages'), ticket: topic('ticket', 'Tickets') },
        runbookUrl,
      },
    );
    warnOfUnheardAlarms(this, config);
    new LogsInsightsQueries(this, 'LogQueries', { name, service });
    new ServiceDashboard(this, 'Dashboard', {
      environment,
      name,
      service,
      storage,
      answers,
      spillQueueAge,
      transformationOutcome,
      compactionLag,
      alarms,
      runbookUrl,
    });
  }
}
