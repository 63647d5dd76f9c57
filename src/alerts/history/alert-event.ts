import type { FlatSchema } from '../../catalog/source-schema.ts';
import { JsonType } from '../../lake/schema/schema.ts';
import type { NotificationKind, Status } from '../model/alert.ts';

/** The service's own source, where each change of an alert's state and each notification is an event. */
export const ALERTS_SOURCE = 'sluice.alerts';

/** What happened to an alert. What does not apply is absent. */
export interface AlertEvent {
  readonly event: 'state' | 'notification';
  /** Name of the alert. */
  readonly alert: string;
  /** UUID of the alert. */
  readonly alert_token: string;
  readonly labels?: string;
  readonly status?: Status;
  readonly previous_status?: Status;
  /** What the condition was about. */
  readonly value?: number;
  readonly row_count?: number;
  readonly notification_id?: string;
  readonly kind?: NotificationKind;
  readonly target_id?: string;
  readonly target_type?: string;
  /** `failed` was given up; `retrying` goes on in the next pass. */
  readonly delivery?: 'delivered' | 'retrying' | 'failed';
  readonly attempts?: number;
  readonly http_status?: number;
  readonly duration_ms?: number;
  /** Of the check, or of the delivery. */
  readonly error_code?: string;
}

const { string, int, float, object } = JsonType;

const FIELDS: Readonly<Record<keyof AlertEvent, number>> = {
  event: string,
  alert: string,
  alert_token: string,
  labels: string,
  status: string,
  previous_status: string,
  value: int | float,
  row_count: int,
  notification_id: string,
  kind: string,
  target_id: string,
  target_type: string,
  delivery: string,
  attempts: int,
  http_status: int,
  duration_ms: int,
  error_code: string,
};

/** The schema of the source. Its rows go past ingest, so it is given when the source is created. */
export const ALERTS_SCHEMA: FlatSchema = {
  metadata: object,
  ...Object.fromEntries(Object.entries(FIELDS).map(([name, mask]) => [`metadata.${name}`, mask])),
};
