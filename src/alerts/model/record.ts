import type { CheckFault, Notification, Problem, Status } from './alert.ts';

/** What is remembered of an alert between checks. Times are milliseconds since the epoch. */
export interface AlertState {
  readonly status: Status;
  /** When the status began. */
  readonly since: number;
  /** Checks in a row that found the condition true; those that found nothing to compare do not count. */
  readonly breaches: number;
  /** Checks in a row that failed. */
  readonly failures: number;
  /** What people were told last, if they were not told since that it is over. */
  readonly told: { readonly problem: Problem; readonly at: number } | null;
}

/** A notification that was decided, and is not with all of its targets yet. */
export interface Undelivered {
  readonly notification: Notification;
  /** Ids of the targets that wait for it. */
  readonly targets: readonly string[];
  /** When it is given up, milliseconds since the epoch. */
  readonly until: number;
}

/** All that is known of an alert beside its definition. Times are milliseconds since the epoch. */
export interface AlertRecord {
  /** Version of the definition that this is about; 0 before the first check. */
  readonly version: number;
  readonly state: AlertState;
  /** When the next check is due; null for never, and before the first one. */
  readonly nextAt: number | null;
  /** When a check began whose query was still running when its pass ended. */
  readonly runningSince: number | null;
  /** The latest check. */
  readonly checkedAt: number | null;
  readonly value: number | null;
  readonly rows: number | null;
  readonly fault: CheckFault | null;
  /** In the order in which they were decided. */
  readonly outbox: readonly Undelivered[];
}

export function newRecord(now: number): AlertRecord {
  return {
    version: 0,
    state: { status: 'ok', since: now, breaches: 0, failures: 0, told: null },
    nextAt: null,
    runningSince: null,
    checkedAt: null,
    value: null,
    rows: null,
    fault: null,
    outbox: [],
  };
}
