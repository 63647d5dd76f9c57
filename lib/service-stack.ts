import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledgeObjects } from './acknowledge.ts';
import { Compaction } from './compaction.ts';
import type { Config } from './config.ts';
import { ServiceApi } from './http-api.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX, PARKED_PREFIX } from './lake-layout.ts';
import { LandingStream } from './landing-stream.ts';
import { REDRIVE_TIMEOUT } from './parking.ts';
import * as permissions from './permissions.ts';
import { API_RESULTS_PREFIX } from './query-results.ts';
import { QueryWorkgroups } from './query-workgroups.ts';
import { RedriveMapping } from './redrive-mapping.ts';
import { ServiceFunction } from './service-function.ts';
import type { StorageStack } from './storage-stack.ts';
import { WarmingSchedule } from './warming-schedule.ts';

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
  readonly warming: WarmingSchedule;
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
    this.functions = this.#functions(name, props);
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
    });
    new RedriveMapping(this, 'Redriving', {
      queue: storage.parking.queue,
      redrive: this.functions.redrive.function,
    });
    this.warming = new WarmingSchedule(this, 'Warming', { warmer: this.functions.warmer.function });

    this.compaction = new Compaction(this, 'Compaction', {
      name,
      lake: storage.lake,
      results: storage.results.bucket,
      ...storage.tables,
      firstDay: config.firstDay,
      filingDelay: this.landing.filingDelay,
      eventRetentionDays: config.eventRetentionDays,
      logRetention,
    });

    new CfnOutput(this, 'Url', { value: this.api.stage.url });
    new CfnOutput(this, 'FirstKeyCommand', {
      description: 'Run this once: it prints the admin key',
      value: `aws lambda invoke --function-name ${name}-bootstrap /dev/stdout`,
    });
    new CfnOutput(this, 'AnalystWorkgroup', { value: this.workgroups.analysts.name });
  }

  #functions(name: string, { config, storage }: ServiceStackProps): ServiceFunctions {
    const { lake, parking } = storage;
    const { registry, cache } = storage.tables;
    const logRetention = config.logRetentionDays;
    const querying = {
      REGISTRY_TABLE: registry.tableName,
      CACHE_TABLE: cache.tableName,
      WORKGROUP: this.workgroups.api.name,
      LAKE_DATABASE: storage.lake.database.databaseName,
      LAKE_BUFFER_SECONDS: String(this.landing.filingDelay.toSeconds()),
      LOG_LEVEL: 'info',
    };
    const mayQuery = [
      ...permissions.queryLake({
        workgroup: this.workgroups.api,
        lake: storage.lake,
        results: storage.results.bucket,
      }),
      ...permissions.readRegistry(registry),
      ...permissions.useCache(cache),
    ];

    const ingest = new ServiceFunction(this, 'Ingest', {
      entry: 'ingest',
      functionName: `${name}-ingest`,
      description: 'Takes log events and puts them on the landing stream',
      environment: {
        REGISTRY_TABLE: registry.tableName,
        LANDING_STREAM: this.landing.stream.deliveryStreamName,
        PARKING_QUEUE: parking.queue.queueUrl,
        PARKING_OBJECTS: parking.objectsUrl,
        CACHE_TABLE: cache.tableName,
        SOURCE_RATE_LIMIT: String(config.rateLimits.perSource),
        KEY_RATE_LIMIT: String(config.rateLimits.perKey),
        // The API's access log has every request already, and here a line costs as much as an event.
        LOG_LEVEL: 'warn',
      },
      permissions: [
        ...permissions.putEvents(this.landing.stream),
        ...permissions.parkRecords(parking.queue, lake.bucket),
        ...permissions.learnSchemas(registry),
        ...permissions.limitIngest(cache),
      ],
      // A body of 5 MiB may inflate to 20, and takes several times that as objects.
      memorySize: 1024,
      timeout: Duration.seconds(15),
      logRetention,
    });
    const redrive = new ServiceFunction(this, 'Redrive', {
      entry: 'redrive',
      functionName: `${name}-redrive`,
      description: 'Puts parked records on the landing stream',
      environment: {
        LANDING_STREAM: this.landing.stream.deliveryStreamName,
        PARKING_OBJECTS: parking.objectsUrl,
        LOG_LEVEL: 'info',
      },
      permissions: [
        ...permissions.putEvents(this.landing.stream),
        ...permissions.takeParkedRecords(parking.queue, lake.bucket),
      ],
      // 6 MB of messages may hold a hundred records of 1 MB, compressed.
      memorySize: 1024,
      timeout: REDRIVE_TIMEOUT,
      logRetention,
    });
    const query = new ServiceFunction(this, 'Query', {
      entry: 'query',
      functionName: `${name}-query`,
      description: 'Answers saved queries',
      environment: querying,
      permissions: mayQuery,
      memorySize: 1024,
      // As long as API Gateway waits.
      timeout: Duration.seconds(29),
      logRetention,
      concurrency: config.queryConcurrency,
    });
    const management = new ServiceFunction(this, 'Management', {
      entry: 'management',
      functionName: `${name}-management`,
      description: 'Manages sources, endpoints and access keys',
      environment: querying,
      permissions: [...permissions.manageRegistry(registry), ...permissions.readRejections(cache)],
      memorySize: 1024,
      timeout: Duration.seconds(15),
      logRetention,
    });
    const warmer = new ServiceFunction(this, 'Warmer', {
      entry: 'warmer',
      functionName: `${name}-warmer`,
      description: 'Refreshes cached query results before they expire',
      environment: querying,
      permissions: mayQuery,
      memorySize: 1024,
      // A pass ends after 50 s, give or take the call that it is in.
      timeout: Duration.seconds(70),
      logRetention,
    });
    const bootstrap = new ServiceFunction(this, 'Bootstrap', {
      entry: 'bootstrap',
      functionName: `${name}-bootstrap`,
      description:
        'Creates the shipped sources and endpoints and the first admin key; call it once',
      environment: querying,
      permissions: permissions.manageRegistry(registry),
      // SQL of the shipped endpoints.
      folder: 'src/endpoints/shipped',
      memorySize: 1024,
      timeout: Duration.minutes(1),
      logRetention,
    });
    for (const { role } of [ingest, redrive]) {
      acknowledgeObjects(role, lake.bucket, PARKED_PREFIX, 'Ingest names the objects it parks.');
    }
    for (const { role } of [query, warmer]) {
      const { results } = storage;
      for (const prefix of [LANDING_PREFIX, COMPACTED_PREFIX]) {
        acknowledgeObjects(role, lake.bucket, prefix, 'Queries choose the files they read.');
      }
      acknowledgeObjects(
        role,
        results.bucket,
        API_RESULTS_PREFIX,
        'Athena names its result files.',
      );
    }
    return { ingest, redrive, query, management, warmer, bootstrap };
  }
}

export interface ServiceFunctions {
  readonly ingest: ServiceFunction<'ingest'>;
  readonly redrive: ServiceFunction<'redrive'>;
  readonly query: ServiceFunction<'query'>;
  readonly management: ServiceFunction<'management'>;
  readonly warmer: ServiceFunction<'warmer'>;
  readonly bootstrap: ServiceFunction<'bootstrap'>;
}

function gibibytes(count: number): number {
  return Math.round(count * 1024 ** 3);
}
