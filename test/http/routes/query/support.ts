import { Authenticator } from '../../../../src/access/authenticator.ts';
import { hashKey } from '../../../../src/access/keys.ts';
import type { Endpoint } from '../../../../src/catalog/types.ts';
import { createQueryApp } from '../../../../src/http/apps/query-app.ts';
import type { EndpointAnswer, EndpointCall } from '../../../../src/query/endpoint-service.ts';
import { EVENTS, endpoint } from '../../../query/support.ts';
import { fixedClock, recordingLogger } from '../../support.ts';

/** A key that may query every endpoint. */
export const KEY = 'query-everything';

export const PRIVATE = endpoint({
  token: '5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d',
  name: 'logs.all-staging',
});
export const PUBLIC = endpoint({
  token: '6b7c8d9e-0f1a-4b2c-8d3e-4f5a6b7c8d9e',
  name: 'status page',
  enable_auth: false,
});
export const SANDBOX = endpoint({
  token: '7c8d9e0f-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  name: 'sandbox',
  sandboxable: true,
});

export const ANSWER: EndpointAnswer = {
  rows: [{ n: 1 }],
  cache: 'miss',
  ageSeconds: 0,
  freshSeconds: 60,
  bytesScanned: 1_000,
  timing: { compile: 5, queue: 20, engine: 300, decode: 1 },
};

/** The query app over three endpoints, keys given as secret to scopes, and a runner that records. */
export function queryApp(
  options: {
    readonly keys?: Record<string, readonly string[]>;
    readonly endpoints?: readonly Endpoint[];
    readonly run?: () => Promise<EndpointAnswer>;
  } = {},
) {
  const keys = Object.entries({ [KEY]: ['query'], ...options.keys }).map(([secret, scopes]) => ({
    id: secret,
    hash: hashKey(secret),
    scopes,
    description: null,
    rate_limit: null,
    insertedAt: '2026-01-01T00:00:00.000Z',
  }));
  const endpoints = options.endpoints ?? [PRIVATE, PUBLIC, SANDBOX];
  const registry = {
    accessKeyByHash: async (hash: string) => keys.find((key) => key.hash === hash),
    endpointByToken: async (token: string) => endpoints.find((known) => known.token === token),
    endpointNames: async () => endpoints.map(({ name }) => name),
    endpointByName: async (name: string) => endpoints.find((known) => known.name === name),
    sourceByToken: async (token: string) => (token === EVENTS.token ? EVENTS : undefined),
    sourceByName: async (name: string) => (name === EVENTS.name ? EVENTS : undefined),
  };
  const calls: ({ readonly endpoint: Endpoint } & EndpointCall)[] = [];
  const runner = {
    async run(called: Endpoint, call: EndpointCall) {
      calls.push({ endpoint: called, ...call });
      return options.run === undefined ? ANSWER : options.run();
    },
    async explain() {
      return { athena: 'a', duckdb: 'd', columns: [], scans: [], warnings: [] };
    },
    async parse(sql: string) {
      return { parameters: [], expanded_query: sql, endpoints: [] };
    },
  };
  const { logger } = recordingLogger();
  const app = createQueryApp({
    registry,
    runner,
    authenticator: new Authenticator({ registry, clock: fixedClock }),
    logger,
    clock: fixedClock,
  });
  /** Sends a request with the all-round key unless it brings a credential of its own. */
  const request = (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { 'X-API-KEY': KEY, ...init.headers } });
  return { app, request, calls };
}
