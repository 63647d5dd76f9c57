import { readFileSync } from 'node:fs';
import { ALERTS_SCHEMA, ALERTS_SOURCE } from '../alerts/history/alert-event.ts';
import type { FlatSchema } from '../catalog/source-schema.ts';
import type { ParameterDeclaration } from '../catalog/types.ts';
import { QUERY_LOG_SOURCE } from '../query/usage/query-log-record.ts';
import { QUERY_LOG_SCHEMA } from '../query/usage/query-log-schema.ts';
import {
  AUTH_FIELDS,
  EDGE_FIELDS,
  FUNCTION_OUTPUT_FIELDS,
  FUNCTION_REQUEST_FIELDS,
  MESSAGE_FIELDS,
  POSTGRES_FIELDS,
  PROJECT_FIELDS,
} from './built-in-fields.ts';

/** A saved query that every deployment starts with. */
export interface BuiltInEndpoint {
  readonly name: string;
  readonly description: string;
  readonly query: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly sandboxable: boolean;
  readonly allow_wildcards: boolean;
  readonly allow_whole_rows: boolean | null;
  readonly cache_duration_seconds: number;
  readonly proactive_requerying_seconds: number;
  readonly max_limit: number;
}

export interface BuiltInSource {
  readonly name: string;
  readonly description: string;
  /** What its events are known to hold before the first has come, in the order of its slots. */
  readonly fields: FlatSchema;
}

/** The log sources that the shipped endpoints read; the last ones are the service's own. */
export const BUILT_IN_SOURCES: readonly BuiltInSource[] = [
  { name: 'cloudflare.logs.prod', description: 'Requests at the edge', fields: EDGE_FIELDS },
  { name: 'postgres.logs', description: 'PostgreSQL', fields: POSTGRES_FIELDS },
  {
    name: 'deno-relay-logs',
    description: 'Requests to edge functions',
    fields: FUNCTION_REQUEST_FIELDS,
  },
  {
    name: 'deno-subhosting-events',
    description: 'Output of edge functions',
    fields: FUNCTION_OUTPUT_FIELDS,
  },
  { name: 'gotrue.logs.prod', description: 'Authentication', fields: AUTH_FIELDS },
  { name: 'realtime.logs.prod', description: 'Realtime', fields: PROJECT_FIELDS },
  { name: 'storage.logs.prod.2', description: 'Storage', fields: PROJECT_FIELDS },
  { name: 'postgREST.logs.prod', description: 'REST API', fields: MESSAGE_FIELDS },
  { name: 'pgbouncer.logs.prod', description: 'Connection pooler', fields: MESSAGE_FIELDS },
  {
    name: QUERY_LOG_SOURCE,
    description: 'Calls of saved queries; rename or delete it to keep none',
    fields: QUERY_LOG_SCHEMA,
  },
  {
    name: ALERTS_SOURCE,
    description: 'Changes of alerts and their notifications; rename or delete it to keep none',
    fields: ALERTS_SCHEMA,
  },
];

const project: ParameterDeclaration = {
  name: 'project',
  type: 'string',
  required: true,
  description: 'Reference of the project whose logs to read',
};

/** Called as Logflare calls it. */
const urlPattern: ParameterDeclaration = {
  name: 'project',
  type: 'string',
  required: true,
  description: 'Regular expression (RE2) found anywhere in the URL of the requests to count',
};

const interval: ParameterDeclaration = {
  name: 'interval',
  type: 'string',
  required: true,
  enum: ['hourly', 'daily', 'minutely'],
  description: 'Width of a row: an hour, a day or a minute',
};

const sql = (file: string): string =>
  readFileSync(new URL(`./built-in/${file}`, import.meta.url), 'utf8');

export const BUILT_IN_ENDPOINTS: readonly BuiltInEndpoint[] = [
  {
    name: 'logs.all',
    description: 'All logs of a project; send sql= to query its tables',
    query: sql('logs.all.sql'),
    parameters: [
      project,
      {
        name: 'iso_timestamp_start',
        type: 'string',
        required: false,
        description: 'Only events later than this ISO 8601 time',
      },
      {
        name: 'iso_timestamp_end',
        type: 'string',
        required: false,
        description: 'Only events up to and including this ISO 8601 time',
      },
    ],
    sandboxable: true,
    // As Logflare has it: `*` would read every column of every row, also those that no caller looks at.
    allow_wildcards: false,
    // Supabase Studio asks for the one row that it shows: `select el as raw_log_data from edge_logs as el`.
    allow_whole_rows: true,
    cache_duration_seconds: 0,
    proactive_requerying_seconds: 0,
    max_limit: 1000,
  },
  {
    name: 'usage.api-counts',
    description: 'Requests by product and interval, of those whose URL matches',
    query: sql('usage.api-counts.sql'),
    parameters: [urlPattern, interval],
    sandboxable: true,
    allow_wildcards: false,
    allow_whole_rows: null,
    cache_duration_seconds: 900,
    proactive_requerying_seconds: 300,
    max_limit: 1000,
  },
  {
    name: 'usage.queries',
    description: 'Calls of saved queries by endpoint, key and interval, and what they cost',
    query: sql('usage.queries.sql'),
    parameters: [interval],
    sandboxable: true,
    allow_wildcards: false,
    allow_whole_rows: null,
    // Records reach the lake minutes later, so that younger rows would show little more.
    cache_duration_seconds: 60,
    proactive_requerying_seconds: 0,
    max_limit: 1000,
  },
];
