/** What an alert is. Field names that Logflare has are Logflare's, because its clients send and read them. */

/** A value that a query's `@name` stands for. */
export type ParameterInput = string | number | boolean;

export const OPERATORS = ['>', '>=', '<', '<=', '==', '!='] as const;
export type Operator = (typeof OPERATORS)[number];

/** What has to hold of the rows for a check to count against the alert. */
export type Condition =
  | { readonly type: 'any_rows' }
  | { readonly type: 'row_count'; readonly operator: Operator; readonly threshold: number }
  | {
      readonly type: 'column';
      readonly column: string;
      /** `first`: its value in the first row; `any`: in any row. */
      readonly rows: 'first' | 'any';
      readonly operator: Operator;
      readonly threshold: number;
    };

/** Where notifications go. */
export type AlertTarget = WebhookTarget | SlackTarget | SnsTarget;
export interface WebhookTarget {
  readonly id: string;
  readonly type: 'webhook';
  readonly url: string;
  /** What deliveries are signed with: `whsec_` and Base64. Shown once, and never logged. */
  readonly secret: string;
}
export interface SlackTarget {
  readonly id: string;
  readonly type: 'slack';
  readonly url: string;
}
/** The deployment's own topic, which mails are subscribed to. */
export interface SnsTarget {
  readonly id: string;
  readonly type: 'sns';
}

/** What a value that is missing means to a condition on a column. */
export const NO_DATA_MEANINGS = ['no_data', 'ok', 'firing'] as const;
export type NoDataMeaning = (typeof NO_DATA_MEANINGS)[number];

export interface Alert {
  /** UUID v4, the public identifier. */
  readonly token: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: string | null;
  readonly enabled: boolean;
  /** What is asked at each check: SQL, or LQL over `source`; null where an endpoint is called. */
  readonly query: string | null;
  readonly language: 'bq_sql' | 'lql';
  /** Values of the query's `@names`, or what the endpoint is called with. */
  readonly parameters: Readonly<Record<string, ParameterInput>>;
  /** Source names in the SQL, with the UUIDs they had when it was saved. */
  readonly source_mapping: Readonly<Record<string, string>>;
  /** UUID of the source that LQL is about. */
  readonly source: string | null;
  /** Minutes of event time that LQL looks back. */
  readonly window_minutes: number;
  /** UUID of the endpoint that is called. */
  readonly endpoint: string | null;
  /** Five fields, read in `timezone`; null where `every_minutes` says when. */
  readonly cron: string | null;
  /** Name in the IANA database. */
  readonly timezone: string;
  /** Minutes between checks, counted from midnight UTC of 1970; null where there is a cron. */
  readonly every_minutes: number | null;
  readonly condition: Condition;
  /** Checks in a row that have to find the condition true. */
  readonly for_checks: number;
  readonly no_data: NoDataMeaning;
  /** Minutes between notifications of a state that lasts; null for one and no more. */
  readonly repeat_minutes: number | null;
  /** ISO 8601; no notifications before. */
  readonly muted_until: string | null;
  readonly targets: readonly AlertTarget[];
  /** Grows with every change but of the mute: counts of checks in a row begin anew. */
  readonly version: number;
  readonly insertedAt: string;
  readonly updatedAt: string;
}

export const STATUSES = ['ok', 'pending', 'firing', 'resolved', 'no_data', 'error'] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses that people are told of. */
export type Problem = 'firing' | 'no_data' | 'error';

/** Statuses that are the same for who is told: nothing is wrong, or not yet. */
export function problemOf(status: Status): Problem | null {
  return status === 'firing' || status === 'no_data' || status === 'error' ? status : null;
}

/** Why a check could not be made: code and sentence of the error. */
export interface CheckFault {
  readonly code: string;
  readonly message: string;
}

/** What a check found. */
export interface Finding {
  /** `breach`: the condition held; `clear`: it did not. */
  readonly outcome: 'breach' | 'clear' | 'no_data' | 'error';
  /** The value that was compared, where there is one. */
  readonly value: number | null;
  /** Rows that the query gave. */
  readonly rows: number | null;
  readonly fault: CheckFault | null;
  /** Whether the same check may succeed soon, though the query stays as it is. */
  readonly isTemporary: boolean;
}

export type NotificationKind = Problem | 'resolved' | 'test';

/** What people are told, once for each change and repeat. */
export interface Notification {
  /** UUID; equal for all attempts and targets. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** When it was decided, milliseconds since the epoch. */
  readonly at: number;
  readonly alert: Pick<Alert, 'token' | 'name' | 'description' | 'labels'>;
  /** When the status began, milliseconds since the epoch. */
  readonly since: number;
  readonly value: number | null;
  readonly rows: number | null;
  readonly fault: CheckFault | null;
  /** The first rows, as JSON; as many as fit. */
  readonly sample: readonly Readonly<Record<string, unknown>>[];
}
