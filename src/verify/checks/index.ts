/** Everything that is checked over HTTP: one row each. Reports list them in this order. */

import type { Check } from '../trial/check.ts';
import { keys, scopes } from './access.ts';
import { batch } from './batch.ts';
import { apiCounts, builtInSend, compaction, logsAll, usageQueries } from './built-in.ts';
import { formats } from './formats.ts';
import { lakeBatch, lakeFormats, lakeRefused, rules, schema } from './lake.ts';
import { adHocQueries, cache, callersQueries, redaction, warming } from './queries.ts';
import { debug, refusals, rejections } from './refusals.ts';
import { http, management, rateLimits } from './service.ts';
import { slowQueries } from './slow-queries.ts';

export const CHECKS: readonly Check[] = [
  http,
  management,
  formats,
  batch,
  refusals,
  rejections,
  debug,
  rateLimits,
  scopes,
  keys,
  builtInSend,
  lakeFormats,
  lakeBatch,
  lakeRefused,
  schema,
  rules,
  logsAll,
  apiCounts,
  usageQueries,
  cache,
  warming,
  redaction,
  callersQueries,
  adHocQueries,
  slowQueries,
  compaction,
];

/** What a run sends at most, for its first line. */
export const VOLUME = { events: 1_300, requests: 400, queries: 100 };
