import { randomUUID } from 'node:crypto';
import type { Checked } from '../../src/alerts/check/checker.ts';
import type { Alert, Finding, Notification } from '../../src/alerts/model/alert.ts';
import type { Channels } from '../../src/alerts/notify/channel.ts';
import type { Attempt } from '../../src/alerts/notify/post.ts';
import { ALERT_DEFAULTS } from '../../src/alerts/saved-alerts.ts';

export function anAlert(fields: Partial<Alert> = {}): Alert {
  const token = randomUUID();
  return {
    ...ALERT_DEFAULTS,
    token,
    name: `alert-${token}`,
    query: 'select 1 as one',
    every_minutes: 1,
    targets: [{ id: 'hook', type: 'slack', url: 'https://hooks.example.com/a' }],
    version: 1,
    insertedAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

export function aNotification(fields: Partial<Notification> = {}): Notification {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    kind: 'firing',
    at: Date.UTC(2026, 0, 2),
    alert: { token: '2', name: 'too many', description: null, labels: null },
    since: Date.UTC(2026, 0, 2),
    value: 7,
    rows: 1,
    fault: null,
    sample: [{ n: 7 }],
    ...fields,
  };
}

export function checked(outcome: Finding['outcome'], isTemporary = false): Checked {
  const finding = { outcome, value: null, rows: null, fault: null, isTemporary };
  return { finding, rows: [] };
}

/** Channels that answer as they are told, and keep what they were sent. */
export class FakeChannels {
  readonly sent: Notification[] = [];
  answers: Attempt[] = [];
  readonly channels: Channels;

  constructor() {
    const send = async (_target: unknown, notification: Notification): Promise<Attempt> => {
      this.sent.push(notification);
      return this.answers.shift() ?? { ok: true, status: 200 };
    };
    this.channels = { webhook: { send }, slack: { send }, sns: { send } };
  }
}

export const BUSY: Attempt = {
  ok: false,
  status: 503,
  code: 'refused_by_target',
  isTemporary: true,
};
export const GONE: Attempt = {
  ok: false,
  status: 410,
  code: 'refused_by_target',
  isTemporary: false,
};
