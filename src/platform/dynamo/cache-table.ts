import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../clock.ts';

/**
 * The cache table, which holds what may be lost. Items:
 *
 * | pk | sk | what |
 * |---|---|---|
 * | `RESULT#<key>` | `head` | times of the rows, and the rows themselves while they fit |
 * | `RESULT#<key>` | `chunk#<generation>#<number>` | a part of rows that do not fit |
 * | `RESULT#<key>` | `lease` | since when the query runs, and the engine's id of its execution |
 * | `WARM#<endpoint token>` | `<key>` | a call that was made, for the warmer |
 * | `QUOTA#<source or key>` | `rate#<rate>` | a token bucket of `src/ingest/limits` |
 * | `REJECTED#<source token>` | `<time>#<uuid>` | refusals, of `src/ingest/rejections` |
 * | `ALERT` | `<alert token>` | state of an alert, of `src/alerts/store` |
 *
 * `ttl` only cleans up: DynamoDB deletes days late, so every reader of an item compares its times.
 */
export interface CacheTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

/** Start of the partition keys of results and their leases. */
export const RESULT_PARTITIONS = 'RESULT#';

/**
 * The condition that no item of a later run is there. One of a run that begins in the future (`:now`) was
 * written before the clock was set back.
 */
export const NOT_LATER = 'attribute_not_exists(pk) OR startedAt <= :startedAt OR startedAt > :now';

export function resultKey(key: string): string {
  return `${RESULT_PARTITIONS}${key}`;
}

export function toEpochSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** Awaits a conditional write; undefined when its condition did not hold. */
export async function conditional<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
