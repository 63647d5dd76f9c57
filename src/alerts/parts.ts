import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Registry } from '../catalog/types.ts';
import type { Clock } from '../platform/clock.ts';
import { systemSleep } from '../platform/concurrency/sleep.ts';
import { RegistryTable } from '../platform/dynamo/registry-table.ts';
import type { Logger } from '../platform/log.ts';
import type { EndpointService } from '../query/endpoint-service.ts';
import type { Channel } from './notify/channel.ts';
import { Notifier } from './notify/notifier.ts';
import { slackChannel } from './notify/slack.ts';
import type { Reach } from './notify/target-url.ts';
import { webhookChannel } from './notify/webhook.ts';
import { SavedAlerts } from './saved-alerts.ts';
import { DynamoAlertRecords } from './store/alert-records.ts';
import { dynamoAlertStore } from './store/alert-store.ts';

export interface AlertPartsDeps {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly registry: string; readonly cache: string };
  readonly registry: Registry;
  readonly runner: EndpointService;
  readonly reach: Reach;
  readonly sns: Channel<'sns'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What management of alerts is made of, and checks of them too. */
export function alertParts(deps: AlertPartsDeps) {
  const { client, tables, registry, runner, reach, sns, clock } = deps;
  const alerts = dynamoAlertStore({ table: new RegistryTable(client, tables.registry), clock });
  const records = new DynamoAlertRecords({ client, table: tables.cache, clock });
  const http = { ...reach, clock };
  const channels = { webhook: webhookChannel(http), slack: slackChannel(http), sns };
  const notifier = new Notifier({ channels, clock, sleep: systemSleep });
  const { checkQuery } = runner;
  return {
    alerts,
    records,
    notifier,
    /** What targets may be. */
    reach,
    saved: new SavedAlerts({ alerts, records, registry, checkQuery, runner, notifier, clock }),
  };
}
