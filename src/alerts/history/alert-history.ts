import { type OwnEvent, type OwnEventsDeps, writeOwnEvents } from '../../lake/rows/own-events.ts';
import type { Logger } from '../../platform/log.ts';
import type { Alert, Finding, Notification, Status } from '../model/alert.ts';
import type { Delivery } from '../notify/notifier.ts';
import { ALERTS_SOURCE, type AlertEvent } from './alert-event.ts';

/** Keeps what happened to alerts. Nothing here throws: an alert is told of whether or not it is written down. */
export class AlertHistory {
  readonly #deps: OwnEventsDeps & { readonly logger: Logger };
  #waiting: OwnEvent[] = [];

  constructor(deps: OwnEventsDeps & { readonly logger: Logger }) {
    this.#deps = deps;
  }

  changed(alert: Alert, from: Status, to: Status, finding: Finding): void {
    const { value, rows, fault } = finding;
    this.#note(`${alert.name} ${to}, was ${from}`, {
      event: 'state',
      ...identity(alert),
      status: to,
      previous_status: from,
      ...(value === null ? {} : { value }),
      ...(rows === null ? {} : { row_count: rows }),
      ...(fault === null ? {} : { error_code: fault.code }),
    });
  }

  /** @param delivery undefined where none was tried, because it was too late or the target is gone. */
  notified(
    { id, kind, alert }: Notification,
    target: { readonly id: string; readonly type: string },
    result: NonNullable<AlertEvent['delivery']>,
    delivery?: Delivery,
  ): void {
    const last = delivery?.last;
    this.#note(`${alert.name} ${kind} to ${target.type}: ${result}`, {
      event: 'notification',
      ...identity(alert),
      notification_id: id,
      kind,
      target_id: target.id,
      target_type: target.type,
      delivery: result,
      ...(delivery && { attempts: delivery.attempts, duration_ms: Math.round(delivery.tookMs) }),
      ...(last?.status ? { http_status: last.status } : {}),
      ...(last?.ok === false ? { error_code: last.code } : {}),
    });
  }

  /** Writes what was noted. */
  async flush(): Promise<void> {
    const events = this.#waiting;
    if (events.length === 0) return;
    this.#waiting = [];
    try {
      await writeOwnEvents(ALERTS_SOURCE, events, this.#deps);
    } catch (error) {
      const { logger } = this.#deps;
      logger.error('events of alerts could not be written', { lost: events.length, error });
    }
  }

  #note(message: string, metadata: AlertEvent): void {
    this.#waiting.push({ at: this.#deps.clock.now(), message, metadata });
  }
}

function identity({ name, token, labels }: Pick<Alert, 'name' | 'token' | 'labels'>) {
  return { alert: name, alert_token: token, ...(labels === null ? {} : { labels }) };
}
