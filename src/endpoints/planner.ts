import type { Endpoint } from '../catalog/types.ts';
import { ServiceError } from '../platform/errors.ts';
import { SqlError } from '../sql/error.ts';
import type { CallPlan, ConsumerQuery } from './call-plan.ts';
import { inheritedParameters } from './composition.ts';
import { bindParameters, type CallInput } from './parameters.ts';

/**
 * Decides what a call runs.
 *
 * @param composed the endpoints that its text reads; it inherits their parameters.
 * @param parameterNames names of the `@parameters` of a text.
 * @throws ServiceError 400 `missing_parameter`, `invalid_parameter`, `unknown_parameter`,
 *   or SqlError.
 */
export function planCall(
  endpoint: Endpoint,
  composed: readonly Endpoint[],
  input: CallInput,
  parameterNames: (sql: string) => readonly string[],
): CallPlan {
  const consumer = consumerQuery(endpoint, input);
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
