import { dueTime } from '../../../alerts/alert-runner.ts';
import type { Alert, AlertTarget } from '../../../alerts/model/alert.ts';
import type { AlertRecord } from '../../../alerts/model/record.ts';
import type { Reach } from '../../../alerts/notify/target-url.ts';
import type {
  AlertFields,
  SavedAlert,
  SavedAlerts,
  TargetInput,
} from '../../../alerts/saved-alerts.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { readFields } from '../management/fields.ts';
import type { JsonObject } from '../management/request-body.ts';
import type { Resource } from '../management/resource.ts';
import { type AlertBody, alertFields, IGNORED_OF_ALERTS, muteFields } from './alert-fields.ts';

export class Alerts implements Resource {
  readonly #saved: SavedAlerts;
  readonly #clock: Clock;
  readonly #fields: ReturnType<typeof alertFields>;

  constructor(saved: SavedAlerts, { clock, reach }: { clock: Clock; reach: Reach }) {
    this.#saved = saved;
    this.#clock = clock;
    this.#fields = alertFields(reach);
  }

  async list(): Promise<object[]> {
    return (await this.#saved.list()).map(({ alert, record }) => render(alert, record));
  }

  /** The one answer that shows the secrets of webhooks. */
  async create(body: JsonObject): Promise<object> {
    refuseBackends(body);
    const { name, ...fields } = readFields(this.#fields.created, body, IGNORED_OF_ALERTS);
    const created = await this.#saved.create({ ...fieldsOf(fields, []), name });
    return renderSaved(created, undefined);
  }

  async show(token: string): Promise<object> {
    const alert = await this.#saved.find(token);
    return render(alert, await this.#saved.record(alert));
  }

  /** Shows the secrets of webhooks that are new. */
  async update(token: string, body: JsonObject): Promise<object> {
    refuseBackends(body);
    const base = await this.#saved.find(token);
    const fields = readFields(this.#fields.changed, body, IGNORED_OF_ALERTS);
    const changed = await this.#saved.update(base, fieldsOf(fields, base.targets));
    return renderSaved(changed, await this.#saved.record(base));
  }

  remove(token: string): Promise<void> {
    return this.#saved.remove(token);
  }

  async mute(token: string, body: JsonObject): Promise<object> {
    const { until, minutes } = readFields(muteFields, body, []);
    const isOne = (until === undefined) !== (minutes === undefined);
    if (!isOne) throw new ValidationError({ until: ['or minutes has to be given, and not both'] });
    const ends = minutes === undefined ? until : this.#clock.now() + minutes * 60_000;
    const at = typeof ends === 'string' ? Date.parse(ends) : (ends ?? null);
    const alert = await this.#saved.mute(token, at);
    return render(alert, await this.#saved.record(alert));
  }

  async test(token: string): Promise<object> {
    const deliveries = await this.#saved.test(token);
    return {
      result: deliveries.map(({ target: { id, type }, delivery: { last } }) => ({
        id,
        type,
        delivered: last.ok,
        http_status: last.status,
        error: last.ok ? null : last.code,
      })),
    };
  }
}

/** There are no backends to choose from, so whichever is named does not exist (Logflare 1.50). */
function refuseBackends({ backend_ids: ids }: JsonObject): void {
  if (ids === undefined || ids === null) return;
  if (!Array.isArray(ids)) throw new ValidationError({ backend_ids: ['must be an array'] });
  if (ids.length > 0) throw notFound();
}

/** Logflare's two URLs are the first target of their type; `targets` wins, where both are given. */
function fieldsOf(body: AlertBody, known: readonly AlertTarget[]): AlertFields {
  const { webhook_notification_url: webhook, slack_hook_url: slack, targets, ...fields } = body;
  if (targets !== undefined) return { ...fields, targets: targets as TargetInput[] };
  if (webhook === undefined && slack === undefined) return fields;
  const withWebhook = replaced(known, 'webhook', webhook);
  return { ...fields, targets: replaced(withWebhook, 'slack', slack) };
}

/** @param url undefined leaves the target as it is, null removes it. */
function replaced(
  targets: readonly TargetInput[],
  type: 'webhook' | 'slack',
  url: string | null | undefined,
): readonly TargetInput[] {
  if (url === undefined) return targets;
  const index = targets.findIndex((target) => target.type === type);
  if (url === null) return targets.toSpliced(index, index < 0 ? 0 : 1);
  const id = targets[index]?.id;
  const target = { type, url, ...(id === undefined ? {} : { id }) };
  return index < 0 ? [...targets, target] : targets.with(index, target);
}

function renderSaved({ alert, warnings, newSecrets }: SavedAlert, record: AlertRecord | undefined) {
  return { ...render(alert, record, newSecrets), warnings };
}

/** `id`, a row number at Logflare, is the token. Field by field, so that no secret is among them. */
function render(
  alert: Alert,
  record: AlertRecord | undefined,
  newSecrets: ReadonlySet<string> = new Set(),
): object {
  const { token, insertedAt, updatedAt, targets, ...fields } = alert;
  const urlOf = (type: 'webhook' | 'slack') =>
    targets.find((target) => target.type === type) as { url: string } | undefined;
  return {
    id: token,
    token,
    ...fields,
    targets: targets.map((target) => renderTarget(target, newSecrets)),
    webhook_notification_url: urlOf('webhook')?.url ?? null,
    slack_hook_url: urlOf('slack')?.url ?? null,
    state: renderState(alert, record),
    inserted_at: insertedAt,
    updated_at: updatedAt,
  };
}

function renderTarget(target: AlertTarget, newSecrets: ReadonlySet<string>): object {
  const { id, type } = target;
  switch (type) {
    case 'webhook': {
      const secret = newSecrets.has(id) ? target.secret : null;
      return { id, type, url: target.url, secret };
    }
    case 'slack':
      return { id, type, url: target.url };
    case 'sns':
      return { id, type };
  }
}

function renderState(alert: Alert, record: AlertRecord | undefined): object {
  const next = alert.enabled ? dueTime(alert, record) : undefined;
  return {
    status: record?.state.status ?? 'ok',
    since: time(record?.state.since),
    checked_at: time(record?.checkedAt),
    next_check_at: time(next),
    value: record?.value ?? null,
    rows: record?.rows ?? null,
    error: record?.fault ?? null,
    checks_in_a_row: record?.state.breaches ?? 0,
    notified: record?.state.told?.problem ?? null,
    notified_at: time(record?.state.told?.at),
    undelivered: record?.outbox.length ?? 0,
  };
}

function time(ms: number | null | undefined): string | null {
  return ms === undefined || ms === null ? null : new Date(ms).toISOString();
}
