import { Duration } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { FunctionSchedule } from './function-schedule.ts';

export interface ViewUpdatesProps {
  /** Function that makes the views. */
  readonly views: IFunction;
  /** Stream of the registry's changes, keys only. */
  readonly registryStreamArn: string;
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
 * Calls the views' function half a minute after the registry changed, and every hour. The function
 * compares everything whoever calls it, so changes within the half minute are one call, and a failed
 * call needs no repairs: the next one does its work.
 */
export class ViewUpdates extends FunctionSchedule {
  constructor(scope: Construct, id: string, props: ViewUpdatesProps) {
    super(scope, id, {
      function: props.views,
      description: 'Brings the views of the lake up to date',
      every: Duration.hours(1),
      repeats: 1,
    });
    new EventSourceMapping(this, 'Changes', {
      target: props.views,
      eventSourceArn: props.registryStreamArn,
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
