import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from './types.ts';

/** What an endpoint is when its author says nothing (Logflare 1.50). */
export const ENDPOINT_DEFAULTS = {
  description: null,
  language: 'bq_sql',
  parameters: [],
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
} as const satisfies Partial<Endpoint>;

/** What the compiled query depends on. */
const COMPILED = ['query', 'parameters', 'sandboxable', 'max_limit'] as const;

/** What makes cached rows useless when it changes (Logflare 1.50). */
const CACHED = [
  ...COMPILED,
  'source_mapping',
  'cache_duration_seconds',
  'proactive_requerying_seconds',
  'allow_wildcards',
  'allow_whole_rows',
  'enable_auth',
  'labels',
  'nested_records',
] as const;

/** Whether a change makes another query of an endpoint, which has to be compiled before it is saved. */
export function changesQuery(before: Endpoint, after: Endpoint): boolean {
  return differ(before, after, COMPILED);
}

/** The version of a changed endpoint. Cached rows are kept under it, so another one leaves them behind. */
export function nextVersion(before: Endpoint, after: Endpoint): number {
  return before.version + (differ(before, after, CACHED) ? 1 : 0);
}

function differ(a: Endpoint, b: Endpoint, fields: readonly (keyof Endpoint)[]): boolean {
  return fields.some((field) => !isDeepStrictEqual(a[field], b[field]));
}
