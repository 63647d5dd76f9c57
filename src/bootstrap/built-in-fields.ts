/**
 * The fields that queries of the shipped sources read, with the types that the products behind them send: they
 * have slots before the first event, those first that official queries name. A type that is not certain comes
 * with the first event that shows it.
 */

import type { FlatSchema } from '../catalog/source-schema.ts';
import { DOCUMENTED_NUMBER, JsonType } from '../lake/schema/schema.ts';

const { string, object } = JsonType;
const int = JsonType.int | DOCUMENTED_NUMBER;

export const EDGE_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.request': object,
  'metadata.request.method': string,
  'metadata.request.path': string,
  'metadata.request.search': string,
  'metadata.request.url': string,
  'metadata.request.host': string,
  'metadata.response': object,
  'metadata.response.status_code': int,
  'metadata.response.origin_time': int,
  'metadata.request.headers': object,
  'metadata.request.headers.user_agent': string,
  'metadata.request.cf': object,
  'metadata.request.cf.country': string,
  'metadata.response.headers': object,
  'metadata.response.headers.cf_cache_status': string,
};

export const POSTGRES_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.parsed': object,
  'metadata.parsed.error_severity': string,
  'metadata.parsed.sql_state_code': string,
  'metadata.parsed.user_name': string,
};

export const FUNCTION_REQUEST_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.project_ref': string,
  'metadata.request': object,
  'metadata.request.method': string,
  'metadata.request.url': string,
  'metadata.request.pathname': string,
  'metadata.request.search': string,
  'metadata.request.host': string,
  'metadata.request.headers': object,
  'metadata.request.headers.user_agent': string,
  'metadata.response': object,
  'metadata.response.status_code': int,
  'metadata.response.headers': object,
  'metadata.function_id': string,
  'metadata.deployment_id': string,
  'metadata.execution_time_ms': int,
};

export const FUNCTION_OUTPUT_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.project_ref': string,
  'metadata.event_type': string,
  'metadata.level': string,
  'metadata.function_id': string,
  'metadata.execution_id': string,
  'metadata.deployment_id': string,
};

export const AUTH_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.level': string,
  'metadata.path': string,
  'metadata.msg': string,
};

/** Of products whose events name their project in the metadata. */
export const PROJECT_FIELDS: FlatSchema = {
  metadata: object,
  'metadata.project': string,
  'metadata.level': string,
};

/** Of products that have their say in the message. */
export const MESSAGE_FIELDS: FlatSchema = { metadata: object };
