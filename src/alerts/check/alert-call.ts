import { ENDPOINT_DEFAULTS } from '../../catalog/endpoint-versions.ts';
import type { Endpoint, ParameterDeclaration } from '../../catalog/types.ts';
import type { CallInput } from '../../query/parameters/parameters.ts';
import type { Alert, ParameterInput } from '../model/alert.ts';

/** Rows that an alert's own query may give (Logflare 1.50); a count of rows goes no further. */
export const MAX_ROWS = 1_000;

/** What runs at a check, as the runner of saved queries takes it. */
export interface AlertCall {
  readonly endpoint: Endpoint;
  readonly input: CallInput;
}

/** The parameters of an alert's SQL as declarations: their types are those of the values. */
export function declarationsOf(alert: Pick<Alert, 'parameters'>): ParameterDeclaration[] {
  return Object.entries(alert.parameters).map(([name, value]) => ({
    name,
    type: typeOf(value),
    required: false,
    default: value,
  }));
}

/** The call of an alert with a query of its own: an endpoint that no one else can call. */
export function ownCall(alert: Alert): AlertCall {
  const isLql = alert.language === 'lql';
  return {
    endpoint: {
      ...ENDPOINT_DEFAULTS,
      token: alert.token,
      name: alert.name,
      query: isLql ? windowOf(alert) : (alert.query ?? ''),
      parameters: isLql ? [] : declarationsOf(alert),
      source_mapping: isLql ? { [LQL_SOURCE]: alert.source ?? '' } : alert.source_mapping,
      parsed: null,
      sandboxable: isLql,
      // Each check asks anew; one that takes long is left to the next pass.
      cache_duration_seconds: 0,
      proactive_requerying_seconds: 0,
      max_limit: MAX_ROWS,
      version: alert.version,
      insertedAt: alert.insertedAt,
      updatedAt: alert.updatedAt,
    },
    input: isLql ? { lql: alert.query } : {},
  };
}

/** What the source is called in {@link windowOf}, whatever its name is. */
const LQL_SOURCE = 'source';

/** The table that LQL is about: the latest events of the source. */
function windowOf({ window_minutes }: Alert): string {
  return (
    `with events as (select * from \`${LQL_SOURCE}\` where timestamp >= ` +
    `timestamp_sub(current_timestamp(), interval ${window_minutes} minute)) select * from events`
  );
}

function typeOf(value: ParameterInput): ParameterDeclaration['type'] {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Number.isSafeInteger(value) ? 'int64' : 'float64';
}
