import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { BUILT_IN_ENDPOINTS, BUILT_IN_SOURCES } from '../src/bootstrap/built-in-endpoints.ts';
import { AnalystsPolicy } from './analysts.ts';
import { Compaction } from './compaction.ts';
import type { Config } from './config.ts';
import { FailedEventQueries } from './failed-events.ts';
import { FirstRun } from './first-run.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { ServiceApi } from './http-api.ts';
import { LandingStream } from './landing-stream.ts';
import { QueryWorkgroups } from './query-workgroups.ts';
import { RedriveMapping } from './redrive-mapping.ts';
import { SavedQueries } from './saved-queries.ts';
import { type ServiceFunctions, serviceFunctions } from './service-functions.ts';
import type { StorageStack } from './storage-stack.ts';
import { ViewUpdates } from './view-updates.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: Config;
  readonly storage: StorageStack;
}

/** Everything that runs: the API, its functions, the stream into the lake and the workgroups. */
export class ServiceStack extends Stack {
  readonly api: ServiceApi;
  readonly landing: LandingStream;
  readonly workgroups: QueryWorkgroups;
  readonly functions: ServiceFunctions;
  readonly warming: FunctionSchedule;
  readonly compaction: Compaction;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { config, storage } = props;
    const name = `sluice-${config.environment}`;
    const logRetention = config.logRetentionDays;

    this.landing = new LandingStream(this, 'Landing', {
      name: `${name}-landing`,
      lake: storage.lake,
      buffer: Duration.seconds(config.bufferSeconds),
      logRetention,
    });
    this.workgroups = new QueryWorkgroups(this, 'Workgroups', {
      name,
      results: storage.results.bucket,
      apiScanLimitBytes: gibibytes(config.scanLimitGiB.api),
      analystScanLimitBytes: gibibytes(config.scanLimitGiB.analysts),
    });
    const analysts = new AnalystsPolicy(this, 'Analysts', {
      name: `${name}-analysts`,
      workgroup: this.workgroups.analysts,
      lake: storage.lake,
      results: storage.results.bucket,
    });
    new SavedQueries(this, 'SavedQueries', {
      workgroup: this.workgroups.analysts,
      databaseName: storage.lake.database.databaseName,
    });
    new FailedEventQueries(
      this,
      'FailedEventQueries',
      storage.lake.database,
      this.workgroups.analysts,
    );
    this.functions = serviceFunctions(this, {
      name,
      config,
      storage,
      landing: this.landing,
      workgroups: this.workgroups,
    });
    this.api = new ServiceApi(this, 'Http', {
      name,
      functions: {
        ingest: this.functions.ingest.function,
        query: this.functions.query.function,
        management: this.functions.management.function,
      },
      requestsPerSecond: config.throttle.requestsPerSecond,
      burst: config.throttle.burst,
      logRetention,
      domain: config.domain,
    });
    new RedriveMapping(this, 'Redriving', {
      queue: storage.parking.queue,
      redrive: this.functions.redrive.function,
    });
    // One schedule for all endpoints: they live in the registry, not in CloudFormation, and the warmer knows
    // which are due.
    this.warming = new FunctionSchedule(this, 'Warming', {
      function: this.functions.warmer.function,
      description: 'Refreshes cached query results that are due',
      every: Duration.minutes(1),
    });
    new ViewUpdates(this, 'ViewUpdates', {
      views: this.functions.views.function,
      registryStreamArn: storage.tables.registryStreamArn,
    });
    new FirstRun(this, 'FirstRun', {
      bootstrap: this.functions.bootstrap.function,
      secret: storage.adminKey.secret,
      shipped: [BUILT_IN_SOURCES, BUILT_IN_ENDPOINTS],
    });
    this.compaction = new Compaction(this, 'Compaction', {
      name,
      lake: storage.lake,
      results: storage.results.bucket,
      ...storage.tables,
      firstDay: config.firstDay,
      maxFilingDelay: this.landing.maxFilingDelay,
      eventRetentionDays: config.eventRetentionDays,
      logRetention,
    });

    keepExports(this, {
      QueryEndedFunction0569EE6F813B562F: `${name}-query-ended`,
      QueryEndedLogs575A06507C2C73FF: `/aws/lambda/${name}-query-ended`,
    });
    new CfnOutput(this, 'Url', { value: this.api.url });
    new CfnOutput(this, 'AdminKeyCommand', {
      description: 'Prints the admin key',
      value: storage.adminKey.command,
    });
    new CfnOutput(this, 'AnalystWorkgroup', { value: this.workgroups.analysts.name });
    new CfnOutput(this, 'AnalystsPolicy', {
      description: 'Attach this policy to the roles and groups of analysts',
      value: analysts.policy.managedPolicyArn,
    });
  }
}

/**
 * Names of a function that is gone: deployed stacks import them until they are updated. To be taken out in the next
 * release, here and in `test/lib/stack-exports.json`.
 */
function keepExports(stack: Stack, names: Readonly<Record<string, string>>): void {
  for (const [id, value] of Object.entries(names)) {
    const exportName = `${stack.stackName}:ExportsOutputRef${id}`;
    new CfnOutput(stack, `Kept${id}`, { value, exportName });
  }
}

function gibibytes(count: number): number {
  return Math.round(count * 1024 ** 3);
}
