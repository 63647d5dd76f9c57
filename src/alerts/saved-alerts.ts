import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { timestampAfter } from '../catalog/timestamp-after.ts';
import type { Registry } from '../catalog/types.ts';
import type { Clock } from '../platform/clock.ts';
import { notFound, ServiceError, ValidationError } from '../platform/errors.ts';
import { isUuid } from '../platform/uuid.ts';
import type { EndpointService } from '../query/endpoint-service.ts';
import type { QueryCheck } from '../query/saved-endpoints.ts';
import { SqlError } from '../sql/common/sql-error.ts';
import { declarationsOf, MAX_ROWS, ownCall } from './check/alert-call.ts';
import { cronFault } from './check/schedule.ts';
import type { Alert, AlertTarget } from './model/alert.ts';
import type { AlertRecord } from './model/record.ts';
import { notificationOf } from './notify/notification.ts';
import type { Delivery, Notifier } from './notify/notifier.ts';
import { newSecret } from './notify/signature.ts';
import type { AlertRecords } from './store/alert-records.ts';
import type { AlertStore } from './store/alert-store.ts';

/** Alerts of a deployment. A pass lists them all, and checks those that are due within a minute. */
export const MAX_ALERTS = 200;

/** A target as its author writes it: with the id of one that is there already, or without for a new one. */
export type TargetInput =
  | { readonly id?: string | undefined; readonly type: 'webhook' | 'slack'; readonly url: string }
  | { readonly id?: string | undefined; readonly type: 'sns' };

/** What an author says of an alert. Sources and endpoints are named or given by token. */
export type AlertFields = Partial<Omit<Alert, OwnField | 'targets'>> & {
  readonly targets?: readonly TargetInput[];
};

type OwnField = 'token' | 'source_mapping' | 'muted_until' | 'version' | 'insertedAt' | 'updatedAt';

/** An alert as it was saved, with what its author is told once. */
export interface SavedAlert {
  readonly alert: Alert;
  readonly warnings: readonly string[];
  /** Ids of the webhooks whose secrets are new. */
  readonly newSecrets: ReadonlySet<string>;
}

/** What an alert is when its author says nothing. */
export const ALERT_DEFAULTS = {
  description: null,
  labels: null,
  enabled: true,
  query: null,
  language: 'bq_sql',
  parameters: {},
  source_mapping: {},
  source: null,
  window_minutes: 10,
  endpoint: null,
  cron: null,
  timezone: 'UTC',
  every_minutes: null,
  condition: { type: 'any_rows' },
  for_checks: 1,
  no_data: 'no_data',
  repeat_minutes: 240,
  muted_until: null,
  targets: [],
} as const satisfies Partial<Alert>;

export interface SavedAlertsDeps {
  readonly alerts: AlertStore;
  readonly records: Pick<AlertRecords, 'list' | 'find' | 'remove'>;
  readonly registry: Pick<
    Registry,
    'sourceByName' | 'sourceByToken' | 'endpointByName' | 'endpointByToken'
  >;
  readonly checkQuery: QueryCheck;
  readonly runner: Pick<EndpointService, 'explain'>;
  readonly notifier: Pick<Notifier, 'deliver' | 'missing'>;
  readonly clock: Clock;
}

/** Alerts as their authors manage them: none is kept whose query was not compiled. */
export class SavedAlerts {
  readonly #deps: SavedAlertsDeps;

  constructor(deps: SavedAlertsDeps) {
    this.#deps = deps;
  }

  async list(): Promise<readonly { alert: Alert; record: AlertRecord | undefined }[]> {
    const [alerts, records] = await Promise.all([
      this.#deps.alerts.list(),
      this.#deps.records.list(),
    ]);
    return alerts.map((alert) => ({ alert, record: records.get(alert.token) }));
  }

  /** @throws ServiceError `not_found` (404). */
  async find(token: string): Promise<Alert> {
    const alert = isUuid(token) ? await this.#deps.alerts.byToken(token) : undefined;
    if (alert === undefined) throw notFound();
    return alert;
  }

  record(alert: Alert): Promise<AlertRecord | undefined> {
    return this.#deps.records.find(alert.token);
  }

  /** @throws ValidationError; ServiceError `too_many_alerts` (422). */
  async create(fields: AlertFields & Pick<Alert, 'name'>): Promise<SavedAlert> {
    if ((await this.#deps.alerts.list()).length >= MAX_ALERTS) {
      const message = `There are ${MAX_ALERTS} alerts, and that is the most. Delete one first.`;
      throw new ServiceError('too_many_alerts', 422, message);
    }
    const now = timestampAfter(this.#deps.clock);
    const stamps = { insertedAt: now, updatedAt: now };
    const base: Alert = {
      ...ALERT_DEFAULTS,
      token: randomUUID(),
      name: fields.name,
      version: 1,
      ...stamps,
    };
    const saved = await this.#checked(base, fields);
    await this.#deps.alerts.create(saved.alert);
    return saved;
  }

  /**
   * @param base the alert as the change was made from it.
   * @throws ServiceError `conflict` when it was changed or deleted meanwhile; ValidationError.
   */
  async update(base: Alert, fields: AlertFields): Promise<SavedAlert> {
    const saved = await this.#checked(base, fields);
    const updatedAt = timestampAfter(this.#deps.clock, base.updatedAt);
    // Who changes only who is told, or how it is called, does not begin counting anew.
    const version = base.version + (isDeepStrictEqual(what(base), what(saved.alert)) ? 0 : 1);
    const alert = { ...saved.alert, version, updatedAt };
    await this.#deps.alerts.update(alert, base);
    return { ...saved, alert };
  }

  /** @param until milliseconds since the epoch; null ends a mute. */
  async mute(token: string, until: number | null): Promise<Alert> {
    const base = await this.find(token);
    const alert = {
      ...base,
      muted_until: until === null ? null : new Date(until).toISOString(),
      updatedAt: timestampAfter(this.#deps.clock, base.updatedAt),
    };
    await this.#deps.alerts.update(alert, base);
    return alert;
  }

  async remove(token: string): Promise<void> {
    const alert = await this.find(token);
    await this.#deps.alerts.delete(alert.token);
    await this.#deps.records.remove(alert.token);
  }

  /** Makes one attempt to tell each target that this is a test. The alert's query does not run. */
  async test(token: string): Promise<readonly { target: AlertTarget; delivery: Delivery }[]> {
    const alert = await this.find(token);
    const now = this.#deps.clock.now();
    const finding = { value: null, rows: null, fault: null };
    const notification = notificationOf('test', alert, { at: now, since: now, finding, rows: [] });
    return Promise.all(
      alert.targets.map(async (target) => {
        return { target, delivery: await this.#deps.notifier.deliver(target, notification, 1) };
      }),
    );
  }

  async #checked(base: Alert, { targets, ...fields }: AlertFields): Promise<SavedAlert> {
    const draft = { ...base, ...oneOf(base, fields) };
    checkSchedule(draft, this.#deps.clock.now());
    const named = await this.#resolved(draft);
    const { source_mapping, warnings } = await this.#checkedQuery(named);
    const kept = targets === undefined ? base.targets : this.#targets(base, targets);
    const known = new Set(base.targets.map(({ id }) => id));
    return {
      alert: { ...named, source_mapping, targets: kept },
      warnings,
      newSecrets: new Set(kept.map(({ id }) => id).filter((id) => !known.has(id))),
    };
  }

  /** The tokens of what is named. */
  async #resolved(draft: Alert): Promise<Alert> {
    const { registry } = this.#deps;
    if (draft.endpoint !== null) {
      const endpoint = isUuid(draft.endpoint)
        ? await registry.endpointByToken(draft.endpoint, { fresh: true })
        : await registry.endpointByName(draft.endpoint);
      if (endpoint === undefined) throw new ValidationError({ endpoint: ['does not exist'] });
      return { ...draft, endpoint: endpoint.token, source: null };
    }
    if (draft.language !== 'lql') return { ...draft, source: null };
    if (draft.source === null) {
      throw new ValidationError({ source: ["can't be blank: LQL is about one source"] });
    }
    const source = isUuid(draft.source)
      ? await registry.sourceByToken(draft.source, { fresh: true })
      : await registry.sourceByName(draft.source);
    if (source === undefined) throw new ValidationError({ source: ['does not exist'] });
    return { ...draft, source: source.token };
  }

  async #checkedQuery(
    alert: Alert,
  ): Promise<{ source_mapping: Record<string, string>; warnings: readonly string[] }> {
    const { checkQuery, runner } = this.#deps;
    try {
      if (alert.endpoint === null && alert.language === 'bq_sql') {
        return await checkQuery({
          query: alert.query ?? '',
          parameters: declarationsOf(alert),
          sandboxable: false,
          max_limit: MAX_ROWS,
        });
      }
      const { endpoint, input } = await this.#call(alert);
      return { source_mapping: {}, warnings: (await runner.explain(endpoint, input)).warnings };
    } catch (error) {
      if (error instanceof SqlError) throw new ValidationError({ query: [error.message] });
      const isAuthors = error instanceof ServiceError && error.status === 400;
      if (isAuthors) throw new ValidationError({ parameters: [error.message] });
      throw error;
    }
  }

  async #call(alert: Alert) {
    if (alert.endpoint === null) return ownCall(alert);
    const endpoint = await this.#deps.registry.endpointByToken(alert.endpoint);
    if (endpoint === undefined) throw new ValidationError({ endpoint: ['does not exist'] });
    return { endpoint, input: alert.parameters };
  }

  /** A target that keeps its id keeps its secret; one without an id gets both. */
  #targets(base: Alert, targets: readonly TargetInput[]): AlertTarget[] {
    return targets.map((given, index) => {
      const missing = this.#deps.notifier.missing(given.type);
      if (missing !== undefined)
        throw new ValidationError({ targets: [`${index}.type ${missing}`] });
      const known = base.targets.find(({ id, type }) => id === given.id && type === given.type);
      if (given.id !== undefined && known === undefined) {
        throw new ValidationError({ targets: [`${index}.id is none of this alert's targets`] });
      }
      const id = given.id ?? randomUUID();
      if (given.type === 'sns') return { id, type: 'sns' };
      if (given.type === 'slack') return { id, type: 'slack', url: given.url };
      const secret = known?.type === 'webhook' ? known.secret : newSecret();
      return { id, type: 'webhook', url: given.url, secret };
    });
  }
}

/** The definition but for what does not change what checks mean. */
function what(alert: Alert): object {
  const { description: _d, labels: _l, targets: _t, repeat_minutes: _r, name: _n, ...rest } = alert;
  const {
    version: _v,
    insertedAt: _i,
    updatedAt: _u,
    muted_until: _m,
    enabled: _e,
    ...checks
  } = rest;
  return checks;
}

/** A change names one query and one schedule, and puts an end to the other. */
function oneOf(base: Alert, fields: Omit<AlertFields, 'targets'>): Omit<AlertFields, 'targets'> {
  const { query = null, endpoint = null, cron = null, every_minutes = null } = fields;
  if (query !== null && endpoint !== null) {
    throw new ValidationError({ endpoint: ['cannot be given together with query'] });
  }
  if (cron !== null && every_minutes !== null) {
    throw new ValidationError({ every_minutes: ['cannot be given together with cron'] });
  }
  const chosen = { ...base, ...fields };
  if (chosen.query === null && chosen.endpoint === null) {
    throw new ValidationError({ query: ["can't be blank"] });
  }
  if (chosen.cron === null && chosen.every_minutes === null) {
    throw new ValidationError({ cron: ["can't be blank"] });
  }
  return {
    ...fields,
    ...(endpoint === null ? {} : { query: null }),
    ...(query === null ? {} : { endpoint: null }),
    ...(cron === null ? {} : { every_minutes: null }),
    ...(every_minutes === null ? {} : { cron: null }),
  };
}

function checkSchedule({ cron, timezone }: Alert, now: number): void {
  const fault = cron === null ? undefined : cronFault(cron, timezone, now);
  if (fault !== undefined) throw new ValidationError({ cron: [fault] });
}
