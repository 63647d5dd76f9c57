import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type CacheTable, toEpochSeconds } from '../../platform/dynamo/cache-table.ts';
import {
  type Bucket,
  type Draft,
  type DrawnTokens,
  MAX_DEBT_SECONDS,
  MAX_SKEW_SECONDS,
  type SharedBuckets,
  WINDOW_SECONDS,
} from './token-bucket.ts';

/** Start of the partition keys of buckets; the role of ingest may write these. */
export const QUOTA_PARTITIONS = 'QUOTA#';

const SECOND_US = 1_000_000;
const WINDOW_US = WINDOW_SECONDS * SECOND_US;

const MAX_DEBT_US = MAX_DEBT_SECONDS * SECOND_US;
const MAX_SKEW_US = MAX_SKEW_SECONDS * SECOND_US;

/** A full bucket's item says nothing, so it may go an hour after the last moment it can matter. */
const KEEP_MS = (WINDOW_SECONDS + MAX_DEBT_SECONDS + 3_600) * 1_000;

/** Lost races before giving up; each one means that another instance drew. */
const MAX_ATTEMPTS = 8;

/** Ingest waits for an answer, and rather stores an event too many than lets its sender wait. */
const TIMEOUT_MS = 1_000;

/**
 * Token buckets in the cache table, one item each: `QUOTA#<key>` with the rate as sort key, so that
 * a new quota begins with a full bucket.
 *
 * An item holds the time at which the bucket will be full again (the theoretical arrival time of the
 * generic cell rate algorithm), and when it was drawn from last. Refilling needs no write, drawing is
 * one addition, and since the former only grows, an instance whose clock is ahead gains no more than
 * what the rate gives in the difference. A bucket that was last drawn from in the future is full: the
 * clock was set back. A call that the SDK repeats may draw twice, which errs on the strict side.
 */
export class DynamoBuckets implements SharedBuckets {
  readonly #table: CacheTable;

  constructor(table: CacheTable) {
    this.#table = table;
  }

  async draw(bucket: Bucket, { tokens, debt }: Draft, lastSeen?: number): Promise<DrawnTokens> {
    let seen = lastSeen;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = this.#table.clock.now() * 1_000;
      const latest = now + WINDOW_US + MAX_DEBT_US;
      const granted = Math.max(0, Math.min(tokens, available(bucket, now, seen) - debt));
      // `fullAt` only grows, so that what was seen empty has not filled up but by time.
      if (granted + debt === 0) return { granted, theoreticalArrivalTime: seen ?? 0 };
      const fullAt = await this.#take(bucket, { now, seen, granted, debt });
      if (fullAt !== undefined)
        return { granted, theoreticalArrivalTime: await this.#cut(bucket, fullAt, latest) };
      const read = await this.#read(bucket, now);
      seen = read === undefined ? undefined : await this.#cut(bucket, read, latest);
    }
    throw new Error(`The bucket ${bucket.key} is drawn from by too many at once.`);
  }

  /** Undefined when the bucket is not as it was seen. */
  #take(
    bucket: Bucket,
    draft: { now: number; seen: number | undefined; granted: number; debt: number },
  ): Promise<number | undefined> {
    const { now, seen, granted, debt } = draft;
    // Rounded up: the instance that draws may lose a microsecond's worth, and never gain it.
    const cost = Math.ceil(((granted + debt) * SECOND_US) / bucket.rate);
    if (seen === undefined || seen < now) {
      return this.#update(bucket, {
        set: ':now + :cost',
        condition: 'attribute_not_exists(pk) OR fullAt < :now OR drawnAt > :ahead',
        values: { ':cost': cost, ':ahead': now + MAX_SKEW_US },
      });
    }
    const mayOwe = granted === 0;
    return this.#update(bucket, {
      set: 'fullAt + :cost',
      // Items that were written before there was a `drawnAt` lack it.
      condition: `fullAt >= :now ${mayOwe ? '' : 'AND fullAt <= :last'} AND (attribute_not_exists(drawnAt) OR drawnAt <= :ahead)`,
      values: {
        ':cost': cost,
        ':ahead': now + MAX_SKEW_US,
        ...(mayOwe ? {} : { ':last': now + WINDOW_US - cost }),
      },
    });
  }

  /** Sets a debt that is too long to the longest. @returns when the bucket is full, then. */
  async #cut(bucket: Bucket, fullAt: number, latest: number): Promise<number> {
    if (fullAt <= latest) return fullAt;
    await this.#update(bucket, {
      set: ':latest',
      condition: 'fullAt > :latest',
      values: { ':latest': latest },
    });
    return latest;
  }

  /** The new `fullAt`; undefined when the condition did not hold. */
  async #update(
    bucket: Bucket,
    change: { set: string; condition: string; values: Record<string, number> },
  ): Promise<number | undefined> {
    const now = this.#table.clock.now();
    const command = new UpdateCommand({
      TableName: this.#table.table,
      Key: bucketKey(bucket),
      UpdateExpression: `SET fullAt = ${change.set}, drawnAt = :now, #ttl = :ttl`,
      ConditionExpression: change.condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ...change.values,
        ':now': now * 1_000,
        ':ttl': toEpochSeconds(now + KEEP_MS),
      },
      ReturnValues: 'UPDATED_NEW',
    });
    try {
      const { Attributes: item } = await this.#table.client.send(command, timeout());
      return item?.fullAt;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  /** When the bucket is full; undefined where it is, or where that is not known any more. */
  async #read(bucket: Bucket, now: number): Promise<number | undefined> {
    const command = new GetCommand({
      TableName: this.#table.table,
      Key: bucketKey(bucket),
      ConsistentRead: true,
    });
    const { Item: item } = await this.#table.client.send(command, timeout());
    return item?.drawnAt > now + MAX_SKEW_US ? undefined : item?.fullAt;
  }
}

/** Whole tokens in a bucket; at most what a full one holds. */
function available({ rate }: Bucket, now: number, fullAt: number | undefined): number {
  const missing = fullAt === undefined ? 0 : Math.max(0, fullAt - now);
  return Math.floor(((WINDOW_US - missing) * rate) / SECOND_US);
}

function bucketKey({ key, rate }: Bucket) {
  return { pk: QUOTA_PARTITIONS + key, sk: `rate#${rate}` };
}

function timeout() {
  return { abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
}
