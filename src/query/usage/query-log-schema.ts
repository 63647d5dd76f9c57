import type { FlatSchema } from '../../catalog/source-schema.ts';
import { JsonType } from '../../lake/schema/schema.ts';
import type { QueryLogRecord } from './query-log-record.ts';

const { string, int, float, object } = JsonType;

/** The JSON types of a record, every field of which is in this list. */
const FIELDS: Readonly<Record<keyof QueryLogRecord, number>> = {
  endpoint: string,
  endpoint_token: string,
  key_id: string,
  language: string,
  origin: string,
  status_code: int,
  error_code: string,
  cache: string,
  age_seconds: int,
  rows: int,
  bytes_scanned: int,
  // 0 has no fraction.
  cost_usd: int | float,
  compile_ms: int,
  queue_ms: int,
  engine_ms: int,
  decode_ms: int,
};

/**
 * The schema of the service's own source. Its rows go past ingest, which learns from others, so it is
 * given when the source is created.
 */
export const QUERY_LOG_SCHEMA: FlatSchema = {
  metadata: object,
  ...Object.fromEntries(
    Object.entries(FIELDS).map(([name, mask]) => [`metadata.${name}`, mask] as const),
  ),
};

/**
 * The record as it is kept: what the schema says is an integer is rounded to one. Engines and clocks
 * give milliseconds with a fraction, and a path that has shown integers is read as one.
 */
export function wholeNumbers(record: QueryLogRecord): QueryLogRecord {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'number' && INTEGERS.has(name) ? Math.round(value) : value,
  ]);
  return Object.fromEntries(fields);
}

const INTEGERS: ReadonlySet<string> = new Set(
  Object.entries(FIELDS).flatMap(([name, mask]) => (mask === int ? [name] : [])),
);
