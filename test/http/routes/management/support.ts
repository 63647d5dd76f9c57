import { Authenticator } from '../../../../src/access/authenticator.ts';
import { generateKey, hashKey } from '../../../../src/access/keys.ts';
import type { ParsedQuery, Registry } from '../../../../src/catalog/types.ts';
import { createHttpApp } from '../../../../src/http/app.ts';
import { addManagementRoutes } from '../../../../src/http/routes/management/management-routes.ts';
import { DynamoRejections } from '../../../../src/ingest/rejections/dynamo-rejections.ts';
import { LOCAL_TABLES } from '../../../../src/local/dynalite/dynamodb.ts';
import type { DraftCheck, QueryDraft } from '../../../../src/query/plan/compile-call.ts';
import type { QueryCheck } from '../../../../src/query/saved-endpoints.ts';
import { anAccessKey, openDatabase, type TestDatabase } from '../../../support/registry.ts';
import { recordingLogger } from '../../support.ts';

export interface Answer<T = unknown> {
  readonly status: number;
  /** Parsed; undefined for an empty body. */
  readonly body: T;
}

/** An object as the routes show it; tests compare it as a whole. */
export interface Shown extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

export interface Management {
  readonly database: TestDatabase;
  readonly registry: Registry;
  readonly authenticator: Authenticator;
  readonly rejections: DynamoRejections;
  /** What the routes were asked to check, in order. */
  readonly checked: Parameters<QueryCheck>[0][];
  /** Answers the checks from now on; without a parsed form, with {@link PARSED}. */
  answerChecks(check: ShortCheck): void;
  /** Sends a request with the key of a manager, or another one. */
  call<T = Shown>(method: string, path: string, body?: unknown, key?: string): Promise<Answer<T>>;
  /** Sends a request as it is. */
  request<T = Shown>(path: string, init: RequestInit): Promise<Answer<T>>;
  close(): Promise<void>;
}

/** What checks find that answer no more. */
export const PARSED: ParsedQuery = {
  parameters: [],
  sources: [],
  endpoints: [],
  columns: [{ name: 'f0_', type: 'INT64' }],
  tables: [],
  truncated: false,
};

type ShortCheck = (
  draft: QueryDraft,
) => Promise<Omit<DraftCheck, 'parsed'> & Partial<Pick<DraftCheck, 'parsed'>>>;

/** The management routes over a database of their own. */
export async function openManagement(): Promise<Management> {
  const database = await openDatabase();
  const { clock } = database;
  const registry = database.registry();
  const authenticator = new Authenticator({ registry, clock });
  const manager = generateKey();
  await registry.createAccessKey(anAccessKey({ hash: hashKey(manager), scopes: ['private'] }));

  const checked: Parameters<QueryCheck>[0][] = [];
  let check: ShortCheck = async () => ({ source_mapping: {}, warnings: [] });
  const checkQuery: QueryCheck = async (draft) => {
    checked.push(draft);
    return { parsed: PARSED, ...(await check(draft)) };
  };
  const { logger } = recordingLogger();
  const app = createHttpApp({ logger, clock });
  const rejections = new DynamoRejections({
    client: database.client,
    table: LOCAL_TABLES.cache,
    clock,
  });
  addManagementRoutes(app, { registry, authenticator, clock, checkQuery, rejections });

  const request = async (path: string, init: RequestInit) => {
    const response = await app.request(path, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    database,
    registry,
    authenticator,
    rejections,
    checked,
    answerChecks(next) {
      check = next;
    },
    request,
    call: (method, path, body, key = manager) =>
      request(path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    close: () => database.close(),
  };
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const NOT_FOUND = { status: 404, body: { error: 'Not Found', code: 'not_found' } };

export const NO_CONTENT = { status: 204, body: undefined };

export function invalid(errors: Record<string, string[]>): Answer {
  return { status: 422, body: { errors } };
}
