import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlertNotifications } from './alerts/alert-notifications.ts';
import { AlertsFunction } from './alerts/alerts-function.ts';
import { Bootstrap } from './api/bootstrap.ts';
import { ServiceApi } from './api/http-api.ts';
import { ManagementFunction } from './api/management-function.ts';
import { Compaction } from './compaction/compaction.ts';
import type { Config } from './config.ts';
import { IngestFunction } from './ingest/ingest-function.ts';
import { LandingStreams, landingStreamNames } from './ingest/landing-streams.ts';
import { Redrive } from './ingest/redrive.ts';
import { TransformationFunction } from './ingest/transformation-function.ts';
import { FAILED_EVENT_QUERIES } from './lake/failed-events.ts';
import { AnalystPolicy } from './query/analyst-policy.ts';
import { AthenaNamedQueries, namedQueries } from './query/athena-named-queries.ts';
import { QueryFunction } from './query/query-function.ts';
import { QueryWorkgroups } from './query/query-workgroups.ts';
import { Warmer } from './query/warmer.ts';
import type { AlarmDefinition } from './shared/runbook-alarms.ts';
import type { ServiceFunction } from './shared/service-function.ts';
import type { StorageStack } from './storage-stack.ts';
import { Views } from './views/views.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: Config;
  readonly storage: StorageStack;
}

/** Everything that runs: the API, its functions, the streams into the lake and the workgroups. */
export class ServiceStack extends Stack {
  readonly api: ServiceApi;
  readonly transformation: TransformationFunction;
  readonly landing: LandingStreams;
  readonly workgroups: QueryWorkgroups;
  readonly ingest: IngestFunction;
  readonly redrive: Redrive;
  readonly query: QueryFunction;
  readonly management: ManagementFunction;
  readonly warmer: Warmer;
  readonly alertsFunction: AlertsFunction;
  readonly bootstrap: Bootstrap;
  readonly views: Views;
  readonly compaction: Compaction;

  constructor(scope: Construct, id: string, stackProps: ServiceStackProps) {
    super(scope, id, stackProps);
    const { config, storage } = stackProps;
    const name = `sluice-${config.environment}`;
    const { database } = storage.lake;

    const common = { name, config, storage };
    this.transformation = new TransformationFunction(this, 'Transformation', {
      ...common,
      streams: landingStreamNames(common),
    });
    this.landing = new LandingStreams(this, 'Landing', {
      ...common,
      transformation: this.transformation,
    });
    this.workgroups = new QueryWorkgroups(this, 'Workgroups', common);
    const props = { ...common, landing: this.landing, workgroups: this.workgroups };
    this.ingest = new IngestFunction(this, 'Ingest', props);
    this.redrive = new Redrive(this, 'Redrive', props);
    this.query = new QueryFunction(this, 'Query', props);
    const notifications = new AlertNotifications(this, 'Notifications', props);
    const alerting = { ...props, notifications };
    this.management = new ManagementFunction(this, 'Management', alerting);
    this.warmer = new Warmer(this, 'Warmer', props);
    this.alertsFunction = new AlertsFunction(this, 'Alerts', alerting);
    this.bootstrap = new Bootstrap(this, 'Bootstrap', props);
    this.views = new Views(this, 'Views', props);
    this.compaction = new Compaction(this, 'Compaction', props);
    this.api = new ServiceApi(this, 'Http', {
      ...common,
      functions: {
        ingest: this.ingest.function,
        query: this.query.function,
        management: this.management.function,
      },
    });

    const { analysts } = this.workgroups;
    const { policy } = new AnalystPolicy(this, 'Analysts', {
      name: `${name}-analysts`,
      workgroup: analysts,
      lake: storage.lake,
    });
    new AthenaNamedQueries(this, 'NamedQueries', {
      workgroup: analysts,
      databaseName: database.databaseName,
      queries: [...namedQueries(), ...FAILED_EVENT_QUERIES],
    });

    new CfnOutput(this, 'Url', { value: this.api.url });
    new CfnOutput(this, 'AdminKeyCommand', {
      description: 'Prints the admin key',
      value: storage.adminKey.command,
    });
    new CfnOutput(this, 'AnalystWorkgroup', { value: analysts.name });
    new CfnOutput(this, 'AnalystsPolicy', {
      description: 'Attach this policy to the roles and groups of analysts',
      value: policy.managedPolicyArn,
    });
  }

  /** All functions, in the order of an event's way. */
  get functions(): readonly Pick<ServiceFunction<'query'>, 'function' | 'logs'>[] {
    return [
      this.ingest,
      this.transformation,
      this.redrive,
      this.query,
      this.management,
      this.warmer,
      this.alertsFunction,
      this.bootstrap,
      this.views,
      this.compaction.function,
    ];
  }

  /** Alarms of all parts; those on logs of theirs are the observability stack's. */
  get alarms(): readonly AlarmDefinition[] {
    return [
      this.landing,
      this.transformation,
      this.ingest,
      this.redrive,
      this.api,
      this.query,
      this.management,
      this.warmer,
      this.alertsFunction,
      this.bootstrap,
      this.workgroups,
      this.views,
      this.compaction,
    ].flatMap(({ alarms }) => alarms);
  }
}
