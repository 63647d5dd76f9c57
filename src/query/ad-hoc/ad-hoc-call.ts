import { createHash } from 'node:crypto';
import { ENDPOINT_DEFAULTS } from '../../catalog/endpoint-versions.ts';
import type { Endpoint, ParameterDeclaration, Source } from '../../catalog/types.ts';
import { ServiceError } from '../../platform/errors.ts';
import { isRawNumber } from '../../platform/json/json.ts';
import { SqlError } from '../../sql/common/sql-error.ts';
import { acceptedAge } from '../cache/cache-control.ts';
import type { CallInput } from '../parameters/parameters.ts';

/** What calls of texts that are not saved are called in their records; no saved query can have a slash in its name. */
export const AD_HOC_NAME = '/api/query';

/** Most rows of an answer, as of a saved query. */
export const MAX_ROWS = 10_000;

/** Longest time for which rows are kept for callers who accept old ones, seconds. */
const MAX_AGE_SECONDS = 3_600;

/** A text that is not saved, as the runner of saved queries takes it. */
export interface AdHocCall {
  readonly endpoint: Endpoint;
  readonly input: CallInput;
}

/** The table that LQL reads where it names none. */
const LQL_TABLE = 'events';

/** What the source is called behind that table. It has a dot, which no name in LQL has. */
const LQL_SOURCE = 'source.events';

/**
 * A caller's own SQL over all sources.
 *
 * @param cacheControl the header of the request: rows are kept for as long as it accepts old ones.
 * @throws SqlError for what is no text; ServiceError 400 `invalid_parameter`.
 */
export function sqlCall(sql: unknown, input: CallInput, cacheControl: string | undefined) {
  const query = textOf('sql', sql);
  if (query.trim() === '') throw new SqlError('sql_empty', 'The parameter "sql" is empty.');
  const parameters = declarationsOf(input);
  return adHocCall({ query, parameters, source_mapping: {} }, input, input, cacheControl);
}

/**
 * A caller's own LQL over one source. Its table has the name that the text gives it.
 *
 * @throws SqlError `lql_syntax`; ServiceError 400 `invalid_parameter`.
 */
export function lqlCall(
  lql: string,
  { table = LQL_TABLE, source }: { readonly table?: string | undefined; readonly source: Source },
  input: CallInput,
  cacheControl: string | undefined,
): AdHocCall {
  const query = `with \`${table}\` as (select * from \`${LQL_SOURCE}\`) select * from \`${table}\``;
  const text = { query, parameters: [], source_mapping: { [LQL_SOURCE]: source.token } };
  return adHocCall({ ...text, sandboxable: true }, { lql }, input, cacheControl);
}

/**
 * The newest events of a source within a span of time, the newest first.
 *
 * @param from from when on, microseconds since the epoch; `to`: before when.
 * @param lql filters; the empty text has none.
 */
export function newestCall(
  { token }: Source,
  { from, to, rows, lql }: NewestEvents,
): Required<AdHocCall> {
  const query =
    `with ${LQL_TABLE} as (select * from \`${LQL_SOURCE}\` where timestamp >= @from and timestamp < @to) ` +
    `select * from ${LQL_TABLE} order by timestamp desc`;
  const parameters = ['from', 'to'].map(
    (name): ParameterDeclaration => ({ name, type: 'timestamp', required: true }),
  );
  const text = { query, parameters, source_mapping: { [LQL_SOURCE]: token }, sandboxable: true };
  const input = { from: String(from), to: String(to), ...(lql === '' ? {} : { lql }) };
  return adHocCall(text, input, { max_limit: rows }, undefined);
}

export interface NewestEvents {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly lql: string;
}

function adHocCall(
  text: Pick<Endpoint, 'query' | 'parameters' | 'source_mapping'> & Partial<Endpoint>,
  input: CallInput,
  { max_limit }: CallInput,
  cacheControl: string | undefined,
): AdHocCall {
  const limit = maxRows(max_limit);
  const now = new Date(0).toISOString();
  return {
    endpoint: {
      ...ENDPOINT_DEFAULTS,
      ...text,
      // Rows, and runs that go on, are found by it: it is that of the text.
      token: uuidOf([text.query, text.source_mapping, limit]),
      name: AD_HOC_NAME,
      parsed: null,
      cache_duration_seconds: Math.min(acceptedAge(cacheControl) ?? 0, MAX_AGE_SECONDS),
      proactive_requerying_seconds: 0,
      max_limit: limit,
      version: 1,
      insertedAt: now,
      updatedAt: now,
    },
    input,
  };
}

/** @throws ServiceError 400 `invalid_parameter`. */
export function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ServiceError('invalid_parameter', 400, `The parameter "${name}" must be text.`);
}

/** @throws ServiceError 400 `invalid_parameter`. */
export function rowsOf(
  name: string,
  value: unknown,
  { least = 1, otherwise, most }: { least?: number; otherwise: number; most: number },
): number {
  if (value === undefined || value === null || value === '') return otherwise;
  const text = typeof value === 'number' ? String(value) : value;
  const rows = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (rows >= least && rows <= most) return rows;
  throw new ServiceError(
    'invalid_parameter',
    400,
    `The parameter "${name}" must be a whole number from ${least} to ${most}.`,
  );
}

function maxRows(value: unknown): number {
  return rowsOf('max_limit', value, { otherwise: ENDPOINT_DEFAULTS.max_limit, most: MAX_ROWS });
}

/** A number or a boolean of a JSON body says its type; everything else is text, as what a saved query does not declare. */
function declarationsOf(input: CallInput): ParameterDeclaration[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const type = typeOf(value);
    return type === undefined ? [] : [{ name, type, required: false }];
  });
}

function typeOf(value: unknown): ParameterDeclaration['type'] | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  return isRawNumber(value) ? 'int64' : undefined;
}

function uuidOf(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
