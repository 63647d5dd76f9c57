import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { CompactionAlarms } from './compaction-alarms.ts';
import type { Config } from './config.ts';
import { IngestAnswers } from './ingest-answers.ts';
import { ParkedAge } from './parked-age.ts';
import { ServiceAlarms } from './service-alarms.ts';
import { ServiceDashboard } from './service-dashboard.ts';
import type { ServiceStack } from './service-stack.ts';
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
    const name = `sluice-${config.environment}`;

    const namespace = `Sluice/${config.environment}`;
    const ingestAnswers = new IngestAnswers(this, 'IngestAnswers', {
      accessLogs: service.api.accessLogs,
      namespace,
    });
    const parkedAge = new ParkedAge(this, 'ParkedAge', {
      queue: storage.parking.queue,
      redriveLogs: service.functions.redrive.logs,
      namespace,
    });
    const { topic } = new AlarmTopic(this, 'AlarmTopic', {
      name: `${name}-alarms`,
      email: config.alarmEmail,
    });
    const alarms = new ServiceAlarms(this, 'Alarms', {
      name,
      service,
      storage,
      ingestAnswers,
      parkedAge,
      buffer: Duration.seconds(config.bufferSeconds),
      topic,
      runbookUrl: config.runbookUrl,
    });
    new CompactionAlarms(this, 'CompactionAlarms', {
      name,
      compaction: service.compaction,
      namespace,
      topic,
      runbookUrl: config.runbookUrl,
    });
    new ServiceDashboard(this, 'Dashboard', {
      name,
      service,
      storage,
      ingestAnswers,
      parkedAge,
      alarms,
    });
  }
}
