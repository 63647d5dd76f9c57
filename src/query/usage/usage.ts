import type { Endpoint } from '../../catalog/types.ts';
import { athenaCostUsd } from '../../cost/athena-price.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { CacheState, ExecutionCost } from '../execution/outcome.ts';
import type { QueryEngine } from '../execution/query-engine.ts';
import type { CallInput } from '../parameters/parameters.ts';
import type { QueryLog, QueryLogRecord, Usage } from './query-log-record.ts';

/** How a call that was answered came to its rows. */
export interface Answered {
  readonly state: CacheState;
  readonly rows: number;
  readonly ageSeconds: number;
  readonly cost: ExecutionCost | undefined;
  /** Milliseconds. */
  readonly timing: { readonly compile: number; readonly decode: number };
}

/** Makes the records of calls. */
export class CallRecorder {
  readonly #log: QueryLog;
  readonly #target: QueryEngine['target'];
  /** Runs that are in a record: callers that waited for the same run have not each paid for it. */
  readonly #counted = new WeakSet<ExecutionCost>();

  constructor(log: QueryLog, { target }: Pick<QueryEngine, 'target'>) {
    this.#log = log;
    this.#target = target;
  }

  async answered(
    usage: Usage,
    origin: QueryLogRecord['origin'],
    { state, rows, ageSeconds, cost, timing }: Answered,
  ): Promise<void> {
    await this.#log.record({
      ...usage,
      origin,
      status_code: 200,
      cache: state,
      age_seconds: ageSeconds,
      rows,
      ...(this.#count(cost) ? costFields(cost, this.#target) : {}),
      compile_ms: timing.compile,
      decode_ms: timing.decode,
    });
  }

  /** Whether a run is in no record yet, and in one from now on. */
  #count(cost: ExecutionCost | undefined): cost is ExecutionCost {
    if (cost === undefined || this.#counted.has(cost)) return false;
    this.#counted.add(cost);
    return true;
  }

  async failed(usage: Usage, origin: QueryLogRecord['origin'], error: unknown): Promise<void> {
    await this.#log.record({ ...usage, origin, ...failureFields(error) });
  }
}

/** What a run read, cost and took; nothing is billed for what a laptop reads. */
function costFields(
  { bytesScanned, queueMs, engineMs }: ExecutionCost,
  target: QueryEngine['target'],
) {
  return {
    bytes_scanned: bytesScanned,
    cost_usd: target === 'athena' ? athenaCostUsd(bytesScanned) : 0,
    queue_ms: queueMs,
    engine_ms: engineMs,
  } satisfies Partial<QueryLogRecord>;
}

function failureFields(error: unknown): Pick<QueryLogRecord, 'status_code' | 'error_code'> {
  return error instanceof ServiceError
    ? { status_code: error.status, error_code: error.code }
    : { status_code: 500, error_code: 'internal_error' };
}

/** @param keyId of the caller; undefined without a key. */
export function usageOf(
  endpoint: Endpoint,
  language: Usage['language'],
  keyId: string | undefined,
): Usage {
  return {
    endpoint: endpoint.name,
    endpoint_token: endpoint.token,
    ...(keyId === undefined ? {} : { key_id: keyId }),
    language,
  };
}

/** Language of the caller's own query, whether or not that could be planned. */
export function languageOf(
  { sandboxable }: Endpoint,
  { sql, lql }: CallInput,
  origin: QueryLogRecord['origin'],
): Usage['language'] {
  if (!sandboxable) return origin === 'query' ? 'sql' : 'none';
  if (sql !== undefined && sql !== null) return 'sql';
  return lql === undefined || lql === null || lql === '' ? 'none' : 'lql';
}
