import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccessKey } from '../../src/access/access-key.ts';
import { dynamoRegistry } from '../../src/catalog/registry.ts';
import { SOURCE_DEFAULTS } from '../../src/catalog/source-defaults.ts';
import type { Endpoint, Registry, Source } from '../../src/catalog/types.ts';
import { LOCAL_TABLES } from '../../src/local/dynalite/dynamodb.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Logger } from '../../src/platform/log.ts';
import { openTables } from './tables.ts';

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

export interface TestDatabase {
  readonly client: DynamoDBDocumentClient;
  readonly clock: ManualClock;
  /** A registry instance of its own, as another process would have. */
  registry(options?: {
    cacheMs?: number;
    client?: DynamoDBDocumentClient;
    logger?: Logger;
  }): Registry;
  close(): Promise<void>;
}

/** DynamoDB of this test file. */
export async function openDatabase(): Promise<TestDatabase> {
  const database = await openTables();
  const clock = new ManualClock();
  return {
    client: database.client,
    clock,
    registry: (options = {}) =>
      dynamoRegistry({
        client: database.client,
        table: LOCAL_TABLES.registry,
        clock,
        ...options,
      }),
    close: database.close,
  };
}

const STAMPS = {
  insertedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

export function aSource(fields: Partial<Source> = {}): Source {
  const token = randomUUID();
  return { token, name: `source-${token}`, ...SOURCE_DEFAULTS, ...STAMPS, ...fields };
}

export function anEndpoint(fields: Partial<Endpoint> = {}): Endpoint {
  const token = randomUUID();
  return {
    token,
    name: `endpoint-${token}`,
    description: null,
    query: 'select 1 as one',
    language: 'bq_sql',
    parameters: [],
    source_mapping: {},
    parsed: null,
    sandboxable: false,
    allow_wildcards: true,
    allow_whole_rows: null,
    cache_duration_seconds: 3_600,
    proactive_requerying_seconds: 1_800,
    max_limit: 1_000,
    enable_auth: true,
    redact_pii: false,
    nested_records: 'object',
    labels: null,
    version: 1,
    ...STAMPS,
    ...fields,
  };
}

export function anAccessKey(fields: Partial<AccessKey> = {}): AccessKey {
  return {
    id: randomUUID(),
    hash: randomUUID().replaceAll('-', '').repeat(2),
    scopes: ['ingest'],
    description: null,
    rate_limit: null,
    insertedAt: STAMPS.insertedAt,
    ...fields,
  };
}

/** What came of several attempts at the same time. */
export async function outcomes(
  attempts: readonly Promise<unknown>[],
): Promise<{ succeeded: number; errors: unknown[] }> {
  const settled = await Promise.allSettled(attempts);
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  return { succeeded: settled.length - errors.length, errors };
}

/** Counts the calls of a client by operation, and lets a test fail them. */
export function watched(client: DynamoDBDocumentClient): {
  client: DynamoDBDocumentClient;
  calls: string[];
  /** Called before (`sent` false) and after each call; what it throws, the caller sees. */
  intercept(hook: (operation: string, sent: boolean) => void | Promise<void>): void;
} {
  const calls: string[] = [];
  let hook: (operation: string, sent: boolean) => void | Promise<void> = () => {};
  const proxy = new Proxy(client, {
    get(target, property) {
      if (property !== 'send') return Reflect.get(target, property, target);
      return async (command: Parameters<typeof target.send>[0]) => {
        const operation = command.constructor.name.replace('Command', '');
        calls.push(operation);
        await hook(operation, false);
        const answer = await target.send(command);
        await hook(operation, true);
        return answer;
      };
    },
  });
  return {
    client: proxy,
    calls,
    intercept: (next) => {
      hook = next;
    },
  };
}

/**
 * A client that sends every call twice and answers with the second outcome, as the SDK does when the
 * first answer got lost on the way.
 */
export function stuttering(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  return new Proxy(client, {
    get(target, property) {
      if (property !== 'send') return Reflect.get(target, property, target);
      return async (command: Parameters<typeof target.send>[0]) => {
        await target.send(command);
        return target.send(command);
      };
    },
  });
}
