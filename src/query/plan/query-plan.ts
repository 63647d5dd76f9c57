import { createHash } from 'node:crypto';
import type { Endpoint, ParameterType } from '../../catalog/types.ts';
import { ServiceError } from '../../platform/errors.ts';
import { SqlError } from '../../sql/common/sql-error.ts';
import type { ParameterValue } from '../../sql/compile.ts';
import { type BoundParameters, bindParameters, type CallInput } from '../parameters/parameters.ts';
import { inheritedParameters } from './endpoint-references.ts';

/** What a caller asks of an endpoint's tables, and in which language. */
export interface ConsumerQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
  /** Whether LQL gives whole rows, the newest first. */
  readonly newest?: true;
}

/** Everything that decides the rows of a call, and nothing that does not. */
export interface QueryPlan {
  readonly endpoint: Endpoint;
  /** The endpoints that its text reads as tables, at any depth. */
  readonly composed: readonly Endpoint[];
  /** The caller's own query over the endpoint's CTEs. */
  readonly consumer: ConsumerQuery | undefined;
  /** Exactly the parameters that the texts use. */
  readonly parameters: BoundParameters;
}

/**
 * Key of a plan's rows: 64 hexadecimal digits. Who asks, by which route, with which unused inputs,
 * and whether the answer is redacted, is no part of it.
 */
export function cacheKey({ endpoint, composed, parameters, consumer }: QueryPlan): string {
  return digest([
    endpoint.token,
    endpoint.version,
    composed.map(({ token, version }) => [token, version]),
    encodeParameters(parameters),
    consumer === undefined
      ? null
      : [consumer.language, consumer.text, ...(consumer.newest ? ['newest'] : [])],
  ]);
}

/**
 * The engine's idempotency token for one run of a plan. It names the start of the run, because equal
 * statements at different times read different data, and the text, because Athena refuses a token
 * that comes back with another statement.
 */
export function clientRequestToken(key: string, startedAt: number, text: string): string {
  return digest([key, startedAt, text]);
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Parameters as text, the same for equal values in any order; {@link decodeParameters} undoes it. */
export function encodeParameters(parameters: BoundParameters): string {
  const cells = Object.entries(parameters).map(([name, { type, value }]) => [
    name,
    type,
    value === null ? null : String(value),
  ]);
  return JSON.stringify(cells.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Undoes {@link encodeParameters}; its text comes from our own table, so its shape is given. */
export function decodeParameters(text: string): BoundParameters {
  const cells = JSON.parse(text) as [string, ParameterType, string | null][];
  return Object.fromEntries(cells.map(([name, type, value]) => [name, decodeValue(type, value)]));
}

function decodeValue(type: ParameterType, text: string | null): ParameterValue {
  if (text === null) return { type, value: null };
  switch (type) {
    case 'string':
      return { type, value: text };
    case 'int64':
      return { type, value: BigInt(text) };
    case 'bool':
      return { type, value: text === 'true' };
    case 'float64':
    case 'timestamp':
      return { type, value: Number(text) };
  }
}

/**
 * Decides what a call runs.
 *
 * @param composed the endpoints that its text reads; it inherits their parameters.
 * @param parameterNames names of the `@parameters` of a text.
 * @param newest whether LQL gives whole rows, the newest first.
 * @throws ServiceError 400 `missing_parameter`, `invalid_parameter`, `unknown_parameter`,
 *   or SqlError.
 */
export function planQuery(
  endpoint: Endpoint,
  composed: readonly Endpoint[],
  input: CallInput,
  parameterNames: (sql: string) => readonly string[],
  newest = false,
): QueryPlan {
  const asked = consumerQuery(endpoint, input);
  const consumer: ConsumerQuery | undefined = asked && newest ? { ...asked, newest } : asked;
  const texts = [endpoint, ...composed].map(({ query }) => query);
  const own = [...new Set(texts.flatMap((text) => parameterNames(text)))];
  const theirs = consumer?.language === 'sql' ? parameterNames(consumer.text) : [];
  const bound = bindParameters(inheritedParameters(endpoint.parameters, composed), own, input);
  for (const name of theirs) {
    if (!Object.hasOwn(bound, name)) throw unknownParameter(name, Object.keys(bound));
  }
  const used = new Set([...own, ...theirs]);
  const parameters = Object.fromEntries(Object.entries(bound).filter(([name]) => used.has(name)));
  return { endpoint, composed, consumer, parameters };
}

/**
 * The caller's own query. Endpoints that are not sandboxable ignore both `sql` and `lql`; `sql` wins
 * over `lql`; an empty `lql` is none (Logflare 1.50).
 */
function consumerQuery(endpoint: Endpoint, { sql, lql }: CallInput): ConsumerQuery | undefined {
  if (!endpoint.sandboxable) return undefined;
  if (sql !== undefined && sql !== null) return { language: 'sql', text: checkedSql(sql) };
  if (lql === undefined || lql === null || lql === '') return undefined;
  if (typeof lql !== 'string') {
    throw new ServiceError('invalid_parameter', 400, 'The parameter "lql" must be text.');
  }
  return { language: 'lql', text: lql };
}

function checkedSql(sql: unknown): string {
  if (typeof sql !== 'string') {
    throw new ServiceError('invalid_parameter', 400, 'The parameter "sql" must be text.');
  }
  if (sql.trim() === '') {
    throw new SqlError(
      'sql_empty',
      'The parameter "sql" is empty. Leave it out to run the endpoint\'s own query.',
    );
  }
  return sql;
}

function unknownParameter(name: string, known: readonly string[]): ServiceError {
  const has = known.length === 0 ? 'has none' : `has ${known.map((k) => `@${k}`).join(', ')}`;
  return new ServiceError(
    'unknown_parameter',
    400,
    `The query uses the parameter @${name}, which the endpoint does not have; it ${has}.`,
  );
}
