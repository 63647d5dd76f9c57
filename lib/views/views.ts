import { Duration } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledgeTables } from '../lake/lake-access.ts';
import { COMPACTED_PREFIX } from '../lake/lake-layout.ts';
import type { QueryWorkgroups } from '../query/query-workgroups.ts';
import { acknowledgeResults } from '../shared/athena-workgroup.ts';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import { acknowledgeObjects } from '../shared/nag-suppressions.ts';
import { readRegistry } from '../shared/permissions.ts';
import { ServiceFunction } from '../shared/service-function.ts';
import type { ServiceProps } from '../shared/service-props.ts';
import { followRegistry, makeViews, recordViews } from './view-permissions.ts';

export interface ViewsProps extends ServiceProps {
  readonly workgroups: QueryWorkgroups;
}

/**
 * Partition keys of sources and of inferred schemas, as a filter. Compaction's progress is left out: it
 * changes with every step, and an hour is early enough for views to follow it.
 */
const CHANGES = FilterCriteria.filter({
  dynamodb: {
    Keys: { pk: { S: [...FilterRule.isEqual('source'), ...FilterRule.beginsWith('schema ')] } },
  },
});

/**
 * Makes a view of the lake for each source: half a minute after the registry changed, and every hour. The
 * function compares everything whatever called it, so changes within the half minute are one call, and a
 * failed call needs no repairs: the next one does its work.
 */
export class Views extends ServiceFunction<'views'> {
  readonly alarms = [this.failureAlarm('ticket')];

  constructor(scope: Construct, id: string, props: ViewsProps) {
    const { lake, tables } = props.storage;
    const { catalog } = props.workgroups;
    super(scope, id, props, {
      entry: 'views',
      description: 'Makes a view of the lake for each source',
      environment: {
        REGISTRY_TABLE: tables.registry.tableName,
        CATALOG_WORKGROUP: catalog.name,
        LAKE_DATABASE: lake.database.databaseName,
        LOG_LEVEL: 'info',
      },
      permissions: [
        ...makeViews(catalog, lake),
        readRegistry(tables.registry),
        recordViews(tables.registry),
        followRegistry(tables.registryStreamArn),
      ],
      memorySize: 512,
      // A run begins nothing new after 4 minutes, and no statement takes longer than 45 s.
      timeout: Duration.minutes(5),
    });
    acknowledgeTables(this.role, lake, 'Views have the names of sources, which only users know.');
    const metadata = `${COMPACTED_PREFIX}metadata/`;
    acknowledgeObjects(this.role, lake.bucket, metadata, 'Iceberg names its metadata files.');
    acknowledgeResults(this.role, catalog);
    new FunctionSchedule(this, 'Updates', {
      function: this.function,
      description: 'Brings the views of the lake up to date',
      every: Duration.hours(1),
      repeats: 1,
    });
    new EventSourceMapping(this, 'Changes', {
      target: this.function,
      eventSourceArn: tables.registryStreamArn,
      // From the stream's beginning: a source made while this is deployed is not missed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [CHANGES],
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(30),
      // Halving a batch would halve nothing, as the function does not look into it.
      bisectBatchOnError: false,
      retryAttempts: 3,
      maxRecordAge: Duration.hours(1),
    });
  }
}
