import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../ports.ts';

/**
 * The cache table, which holds what may be lost. Items:
 *
 * | pk | sk | what |
 * |---|---|---|
 * | `RESULT#<key>` | `head` | times of the rows, and the rows themselves while they fit |
 * | `RESULT#<key>` | `chunk#<generation>#<number>` | a part of rows that do not fit |
 * | `RESULT#<key>` | `lease` | who runs the query now, and since when |
 * | `LEFT#<engine's id of a run>` | `run` | a run that goes on without its callers, and who counts it |
 * | `WARM#<endpoint token>` | `<key>` | a call that was made, for the warmer |
 * | `QUOTA#<source or key>` | `rate#<rate>` | a token bucket of `src/limits` |
 * | `REJECTED#<source token>` | `<time>#<uuid>` | refusals, of `src/ingest/rejections` |
 *
 * `ttl` only cleans up: DynamoDB deletes days late, so whoever reads an item compares its times.
 */
export interface CacheTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

/** Start of the partition keys of results and their leases, and of runs that were left behind. */
export const RESULT_PARTITIONS = 'RESULT#';
export const LEFT_PARTITIONS = 'LEFT#';

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
