import * as z from 'zod/mini';
import { NamedStore } from '../../catalog/named-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RegistryTable } from '../../platform/dynamo/registry-table.ts';
import { type Alert, NO_DATA_MEANINGS, OPERATORS } from '../model/alert.ts';

/** Definitions of alerts. They are an operator's work, and so in the registry, which is backed up. */
export interface AlertStore {
  /** Ordered by name, never cached. */
  list(): Promise<readonly Alert[]>;
  byToken(token: string): Promise<Alert | undefined>;
  /** @throws ValidationError when the name is taken. */
  create(alert: Alert): Promise<void>;
  /**
   * @param base what the change was made from.
   * @throws ValidationError when the new name is taken; ServiceError `not_found`, `conflict` (409).
   */
  update(alert: Alert, base: Alert): Promise<void>;
  delete(token: string): Promise<void>;
}

const threshold = { operator: z.enum(OPERATORS), threshold: z.number() };

const condition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('any_rows') }),
  z.object({ type: z.literal('row_count'), ...threshold }),
  z.object({
    type: z.literal('column'),
    column: z.string(),
    rows: z.enum(['first', 'any']),
    ...threshold,
  }),
]);

const target = z.discriminatedUnion('type', [
  z.object({ id: z.string(), type: z.literal('webhook'), url: z.string(), secret: z.string() }),
  z.object({ id: z.string(), type: z.literal('slack'), url: z.string() }),
  z.object({ id: z.string(), type: z.literal('sns') }),
]);

const text = z.nullable(z.string());

const alertCodec = z.object({
  token: z.string(),
  name: z.string(),
  description: text,
  labels: text,
  enabled: z.boolean(),
  query: text,
  language: z.enum(['bq_sql', 'lql']),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  source_mapping: z.record(z.string(), z.string()),
  source: text,
  window_minutes: z.number(),
  endpoint: text,
  cron: text,
  timezone: z.string(),
  every_minutes: z.nullable(z.number()),
  condition,
  for_checks: z.number(),
  no_data: z.enum(NO_DATA_MEANINGS),
  repeat_minutes: z.nullable(z.number()),
  muted_until: text,
  targets: z.array(target),
  version: z.number(),
  insertedAt: z.string(),
  updatedAt: z.string(),
}) satisfies z.ZodMiniType<Alert>;

/** Alerts in the registry table. */
export function dynamoAlertStore(deps: { table: RegistryTable; clock: Clock }): AlertStore {
  const alerts = new NamedStore<Alert>({ ...deps, kind: 'alert', codec: alertCodec, cacheMs: 0 });
  return {
    list: () => alerts.list(),
    byToken: (token) => alerts.byToken(token, { fresh: true }),
    create: (alert) => alerts.create(alert),
    update: (alert, base) => alerts.update(alert, base),
    delete: (token) => alerts.delete(token),
  };
}
