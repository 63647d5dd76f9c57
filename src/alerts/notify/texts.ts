import { stringifyJson } from '../../platform/json/json.ts';
import type { Notification, NotificationKind } from '../model/alert.ts';

const HEADLINES: Readonly<Record<NotificationKind, string>> = {
  firing: 'FIRING',
  resolved: 'RESOLVED',
  no_data: 'NO DATA',
  error: 'ERROR',
  test: 'TEST',
};

/** One line for people. */
export function headline({ kind, alert }: Notification): string {
  return `${HEADLINES[kind]}: ${alert.name}`;
}

/** Sentences for people, a line each: what was found, since when, and what the alert says of itself. */
export function details(notification: Notification): string[] {
  const { alert, fault, value, rows, since, kind } = notification;
  const found = [
    ...(value === null ? [] : [`value ${value}`]),
    ...(rows === null ? [] : [`${rows} ${rows === 1 ? 'row' : 'rows'}`]),
  ];
  return [
    ...(kind === 'test' ? ['This is a test. Nothing is wrong.'] : []),
    ...(fault === null ? [] : [fault.message]),
    ...(found.length === 0 ? [] : [`Found: ${found.join(', ')}.`]),
    `Since ${new Date(since).toISOString()}.`,
    ...(alert.description === null ? [] : [alert.description]),
    ...(alert.labels === null ? [] : [`Labels: ${alert.labels}`]),
  ];
}

/** The body of a webhook. `result` has the rows under the name that Logflare's webhooks give them. */
export function webhookBody(notification: Notification): string {
  const { id, kind, at, alert, since, value, rows, fault, sample } = notification;
  return stringifyJson({
    type: `alert.${kind}`,
    timestamp: new Date(at).toISOString(),
    data: {
      notification_id: id,
      status: kind,
      since: new Date(since).toISOString(),
      alert,
      value,
      rows,
      error: fault,
    },
    result: sample,
  });
}
