import type { Endpoint, Registry } from '../../catalog/types.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { EndpointService } from '../../query/endpoint-service.ts';
import { RUN_LIMIT_MS } from '../../query/execution/timeouts.ts';
import type { Alert, CheckFault, Finding } from '../model/alert.ts';
import { type AlertCall, ownCall } from './alert-call.ts';
import { evaluate } from './condition.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows of an endpoint that its cache may give to a check: those of the last minute are as good as new. */
const CACHE_CONTROL = 'max-age=60';

/** What a check came to, with its rows. */
export interface Checked {
  readonly finding: Finding;
  readonly rows: readonly Row[];
}

export interface CheckerDeps {
  readonly runner: Pick<EndpointService, 'run'>;
  readonly registry: Pick<Registry, 'endpointByToken'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs the queries of alerts, through the runner and the cache of saved queries. */
export class Checker {
  readonly #deps: CheckerDeps;

  constructor(deps: CheckerDeps) {
    this.#deps = deps;
  }

  /**
   * @param deadline milliseconds since the epoch until which to wait.
   * @param runningSince when the first pass started this check, milliseconds since the epoch.
   * @returns `running` when the query goes on: the next pass collects its rows.
   */
  async check(alert: Alert, deadline: number, runningSince: number): Promise<Checked | 'running'> {
    try {
      const { endpoint, input } = await this.#callOf(alert);
      const { rows } = await this.#deps.runner.run(endpoint, {
        input,
        redact: endpoint.redact_pii,
        cacheControl: CACHE_CONTROL,
        origin: 'alert',
        deadline,
      });
      return { finding: evaluate(alert.condition, rows, alert.no_data), rows };
    } catch (error) {
      const age = this.#deps.clock.now() - runningSince;
      if (goesOn(error) && age >= 0 && age < RUN_LIMIT_MS) return 'running';
      return { finding: this.#failed(alert, error), rows: [] };
    }
  }

  async #callOf(alert: Alert): Promise<AlertCall> {
    if (alert.endpoint === null) return ownCall(alert);
    return { endpoint: await this.#endpoint(alert.endpoint), input: alert.parameters };
  }

  async #endpoint(token: string): Promise<Endpoint> {
    const endpoint = await this.#deps.registry.endpointByToken(token);
    if (endpoint !== undefined) return endpoint;
    const message = 'The endpoint that the alert calls has been deleted. Name another one.';
    throw new ServiceError('endpoint_deleted', 400, message);
  }

  #failed(alert: Alert, error: unknown): Finding {
    const fault = faultOf(error);
    const isTemporary = !(error instanceof ServiceError) || error.status >= 429;
    this.#deps.logger.warn('the query of an alert failed', {
      alert: alert.token,
      code: fault.code,
      error,
    });
    return { outcome: 'error', value: null, rows: null, fault, isTemporary };
  }
}

/** Whether an execution goes on though its caller's time is up. */
function goesOn(error: unknown): boolean {
  return error instanceof ServiceError && ['query_timeout', 'query_queued'].includes(error.code);
}

function faultOf(error: unknown): CheckFault {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'Something went wrong on the server.' };
}
