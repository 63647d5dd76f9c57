/** What a call of `logs.all` gives the compiler besides the texts; free of files, so that it bundles. */
import {
  AUTH_FIELDS,
  EDGE_FIELDS,
  FUNCTION_OUTPUT_FIELDS,
  FUNCTION_REQUEST_FIELDS,
  POSTGRES_FIELDS,
} from '../src/bootstrap/built-in-fields.ts';
import { JsonType, slotsOf, sourceSchema } from '../src/lake/schema/schema.ts';
import type { CompileInput } from '../src/sql/compile.ts';

/** Every source has shown what queries of the shipped ones read, and a few paths more. */
const TYPES = {
  ...EDGE_FIELDS,
  ...POSTGRES_FIELDS,
  ...FUNCTION_REQUEST_FIELDS,
  ...FUNCTION_OUTPUT_FIELDS,
  ...AUTH_FIELDS,
  identifier: JsonType.string,
  'metadata.host': JsonType.string,
  'metadata.request.cf.asn': JsonType.int,
  'metadata.request.headers.cf_ray': JsonType.string,
  'metadata.request.headers.x_client_info': JsonType.string,
  'metadata.request.protocol': JsonType.string,
  'metadata.response.headers.content_length': JsonType.string,
};

const SCHEMA = sourceSchema({ types: TYPES, slots: slotsOf(TYPES).entries });

/** @param sql text of the endpoint. */
export function compileInput(sql: string, consumerSql: string): CompileInput {
  return {
    sql,
    consumerSql,
    catalog: { source: (name) => ({ id: name, name, schema: SCHEMA }) },
    parameters: {
      project: { type: 'string', value: 'abcdefghijklmnopqrst' },
      iso_timestamp_start: { type: 'string', value: '2026-02-03T09:30:00Z' },
      iso_timestamp_end: { type: 'string', value: '2026-02-03T10:30:00Z' },
    },
    nowUs: Date.UTC(2026, 1, 3, 10, 30) * 1000,
    target: 'athena',
    maxRows: 1000,
    table: '"log_events"',
    maxFilingDelaySeconds: 1200,
  };
}
