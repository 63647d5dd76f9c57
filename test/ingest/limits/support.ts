import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { DynamoBuckets } from '../../../src/ingest/limits/dynamo-buckets.ts';
import {
  type LimitedKey,
  type LimitedSource,
  RateLimiter,
} from '../../../src/ingest/limits/rate-limiter.ts';
import { DEFAULT_RATES, type DefaultRates } from '../../../src/ingest/limits/token-bucket.ts';
import { LOCAL_TABLES } from '../../../src/local/dynalite/dynamodb.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { recordingLogger } from '../../http/support.ts';
import { openDatabase, type TestDatabase, watched } from '../../support/registry.ts';

/** A database for all tests of a file. */
export function sharedDatabase(): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database?.close());
  return () => {
    if (database === undefined) throw new Error('The database is not open yet.');
    return database;
  };
}

/** One instance of the service, as far as limits go. */
export function instance(
  client: DynamoDBDocumentClient,
  { clock, defaults = DEFAULT_RATES }: { clock: Clock; defaults?: DefaultRates },
) {
  const { client: counted, calls, intercept } = watched(client);
  const { logger, lines } = recordingLogger();
  const shared = new DynamoBuckets({ client: counted, table: LOCAL_TABLES.cache, clock });
  const limiter = new RateLimiter({ shared, defaults, clock, logger });
  /** A request with so many events: stored and charged, or refused. */
  const send = async (source: LimitedSource, key: LimitedKey, events: number) => {
    const admission = await limiter.admit(source, key);
    if (admission.refusal === undefined) await admission.charge(events);
    return admission;
  };
  return { limiter, send, calls, lines, intercept };
}

export function limitedSource(api_quota: number | null): LimitedSource {
  return { token: randomUUID(), api_quota };
}

export function limitedKey(rate_limit: number | null = null): LimitedKey {
  return { id: randomUUID(), rate_limit };
}
