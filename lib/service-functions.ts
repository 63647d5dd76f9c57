import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { metricsNamespace } from '../src/platform/metrics.ts';
import { acknowledgeObjects } from './acknowledge.ts';
import type { Config } from './config.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX, PARKED_PREFIX } from './lake-layout.ts';
import type { LandingStream } from './landing-stream.ts';
import { REDRIVE_TIMEOUT } from './parking.ts';
import * as permissions from './permissions.ts';
import { API_RESULTS_PREFIX, CATALOG_RESULTS_PREFIX } from './query-results.ts';
import type { QueryWorkgroups } from './query-workgroups.ts';
import { ServiceFunction } from './service-function.ts';
import type { StorageStack } from './storage-stack.ts';
import { acknowledgeTables, followRegistry, makeViews, recordViews } from './view-permissions.ts';

export interface ServiceFunctionsProps {
  /** Start of every name: `sluice-<environment>`. */
  readonly name: string;
  readonly config: Config;
  readonly storage: StorageStack;
  readonly landing: LandingStream;
  readonly workgroups: QueryWorkgroups;
}

export interface ServiceFunctions {
  readonly ingest: ServiceFunction<'ingest'>;
  readonly redrive: ServiceFunction<'redrive'>;
  readonly query: ServiceFunction<'query'>;
  readonly management: ServiceFunction<'management'>;
  readonly warmer: ServiceFunction<'warmer'>;
  readonly bootstrap: ServiceFunction<'bootstrap'>;
  readonly views: ServiceFunction<'views'>;
}

/** The functions behind the API and its queues and schedules, each with what it may do and no more. */
export function serviceFunctions(
  scope: Construct,
  { name, config, storage, landing, workgroups }: ServiceFunctionsProps,
): ServiceFunctions {
  const { lake, parking } = storage;
  const { registry, cache } = storage.tables;
  const logRetention = config.logRetentionDays;
  const caching = {
    REGISTRY_TABLE: registry.tableName,
    CACHE_TABLE: cache.tableName,
    CACHED_RESULT_BYTES: String(Math.round(config.cachedResultMiB * 1024 ** 2)),
    LOG_LEVEL: 'info',
  };
  const querying = {
    ...caching,
    WORKGROUP: workgroups.api.name,
    LAKE_DATABASE: storage.lake.database.databaseName,
    MAX_FILING_DELAY_SECONDS: String(landing.maxFilingDelay.toSeconds()),
  };
  const measuring = { METRICS_NAMESPACE: metricsNamespace(config.environment) };
  const recording = {
    ...measuring,
    LANDING_STREAM: landing.stream.deliveryStreamName,
  };
  const mayQuery = [
    ...permissions.queryLake({
      workgroup: workgroups.api,
      lake: storage.lake,
      results: storage.results.bucket,
    }),
    ...permissions.learnSchemas(registry),
    ...permissions.useCache(cache),
    ...permissions.putEvents(landing.stream),
  ];

  const ingest = new ServiceFunction(scope, 'Ingest', {
    entry: 'ingest',
    functionName: `${name}-ingest`,
    description: 'Takes log events and puts them on the landing stream',
    environment: {
      ...measuring,
      REGISTRY_TABLE: registry.tableName,
      LANDING_STREAM: landing.stream.deliveryStreamName,
      PARKING_QUEUE: parking.queue.queueUrl,
      PARKING_OBJECTS: parking.objectsUrl,
      CACHE_TABLE: cache.tableName,
      SOURCE_RATE_LIMIT: String(config.rateLimits.perSource),
      KEY_RATE_LIMIT: String(config.rateLimits.perKey),
      // The API's access log has every request already, and here a line costs as much as an event.
      LOG_LEVEL: 'warn',
    },
    permissions: [
      ...permissions.putEvents(landing.stream),
      ...permissions.parkRecords(parking.queue, lake.bucket),
      ...permissions.learnSchemas(registry),
      ...permissions.limitIngest(cache),
    ],
    // A body of 5 MiB may inflate to 20, and takes several times that as objects.
    memorySize: 1024,
    timeout: Duration.seconds(15),
    logRetention,
  });
  const redrive = new ServiceFunction(scope, 'Redrive', {
    entry: 'redrive',
    functionName: `${name}-redrive`,
    description: 'Puts parked records on the landing stream',
    environment: {
      LANDING_STREAM: landing.stream.deliveryStreamName,
      PARKING_OBJECTS: parking.objectsUrl,
      LOG_LEVEL: 'info',
    },
    permissions: [
      ...permissions.putEvents(landing.stream),
      ...permissions.takeParkedRecords(parking.queue, lake.bucket),
    ],
    // 6 MB of messages may hold a hundred records of 1 MB, compressed.
    memorySize: 1024,
    timeout: REDRIVE_TIMEOUT,
    logRetention,
  });
  const query = new ServiceFunction(scope, 'Query', {
    entry: 'query',
    functionName: `${name}-query`,
    description: 'Answers saved queries',
    environment: { ...querying, ...recording },
    permissions: mayQuery,
    memorySize: 1024,
    // As long as API Gateway waits.
    timeout: Duration.seconds(29),
    logRetention,
    concurrency: config.queryConcurrency === 'unreserved' ? undefined : config.queryConcurrency,
  });
  const management = new ServiceFunction(scope, 'Management', {
    entry: 'management',
    functionName: `${name}-management`,
    description: 'Manages sources, endpoints and access keys',
    environment: querying,
    permissions: [...permissions.manageRegistry(registry), ...permissions.readRejections(cache)],
    memorySize: 1024,
    timeout: Duration.seconds(15),
    logRetention,
  });
  const warmer = new ServiceFunction(scope, 'Warmer', {
    entry: 'warmer',
    functionName: `${name}-warmer`,
    description: 'Refreshes cached query results before they expire',
    environment: { ...querying, ...recording },
    permissions: mayQuery,
    memorySize: 1024,
    // A pass ends after 50 s, give or take the call that it is in.
    timeout: Duration.seconds(70),
    logRetention,
  });
  const bootstrap = new ServiceFunction(scope, 'Bootstrap', {
    entry: 'bootstrap',
    functionName: `${name}-bootstrap`,
    description: 'Creates the shipped sources and endpoints and the first admin key',
    environment: { ...querying, ADMIN_KEY_SECRET: storage.adminKey.secret.secretArn },
    permissions: [
      ...permissions.manageRegistry(registry),
      ...permissions.readSecret(storage.adminKey.secret),
    ],
    // SQL of the shipped endpoints.
    folder: 'src/bootstrap/built-in',
    memorySize: 1024,
    // Three attempts, with waits of 20 s between them.
    timeout: Duration.minutes(2),
    logRetention,
  });
  const views = new ServiceFunction(scope, 'Views', {
    entry: 'views',
    functionName: `${name}-views`,
    description: 'Makes a view of the lake for each source',
    environment: {
      REGISTRY_TABLE: registry.tableName,
      CATALOG_WORKGROUP: workgroups.catalog.name,
      LAKE_DATABASE: lake.database.databaseName,
      LOG_LEVEL: 'info',
    },
    permissions: [
      ...makeViews({
        workgroup: workgroups.catalog,
        lake,
        results: storage.results.bucket,
      }),
      ...permissions.readRegistry(registry),
      ...recordViews(registry),
      ...followRegistry(storage.tables.registryStreamArn),
    ],
    memorySize: 512,
    // A run begins nothing new after 4 minutes, and no statement takes longer than 45 s.
    timeout: Duration.minutes(5),
    logRetention,
  });
  for (const { role } of [ingest, redrive]) {
    acknowledgeObjects(role, lake.bucket, PARKED_PREFIX, 'Ingest names the objects it parks.');
  }
  acknowledgeTables(views.role, lake, 'Views have the names of sources, which only users know.');
  acknowledgeObjects(
    views.role,
    lake.bucket,
    `${COMPACTED_PREFIX}metadata/`,
    'Iceberg names its metadata files.',
  );
  acknowledgeObjects(
    views.role,
    storage.results.bucket,
    CATALOG_RESULTS_PREFIX,
    'Athena names its result files.',
  );
  for (const { role } of [query, warmer]) {
    const { results } = storage;
    for (const prefix of [LANDING_PREFIX, COMPACTED_PREFIX]) {
      acknowledgeObjects(role, lake.bucket, prefix, 'Queries choose the files they read.');
    }
    acknowledgeObjects(role, results.bucket, API_RESULTS_PREFIX, 'Athena names its result files.');
  }
  return { ingest, redrive, query, management, warmer, bootstrap, views };
}
