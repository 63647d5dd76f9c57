import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { AlertHistory } from './history/alert-history.ts';
import type { Alert, AlertTarget, Notification } from './model/alert.ts';
import type { Undelivered } from './model/record.ts';
import type { Delivery, Notifier } from './notify/notifier.ts';

/** How long a notification is tried to be delivered, milliseconds. */
const PATIENCE_MS = 15 * 60_000;

/** Notifications of one alert that wait at a time; the oldest are given up for new ones. */
const MAX_WAITING = 10;

export interface OutboxDeps {
  readonly notifier: Pick<Notifier, 'deliver'>;
  readonly history: Pick<AlertHistory, 'notified'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Notifications that were decided and have to reach their targets. */
export class Outbox {
  readonly #deps: OutboxDeps;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** The waiting ones with another one at the end. */
  add(
    waiting: readonly Undelivered[],
    notification: Notification,
    targets: readonly AlertTarget[],
  ): readonly Undelivered[] {
    if (targets.length === 0) return waiting;
    const until = this.#deps.clock.now() + PATIENCE_MS;
    const all = [...waiting, { notification, targets: targets.map(({ id }) => id), until }];
    for (const { notification: lost, targets: ids } of all.slice(0, -MAX_WAITING)) {
      for (const id of ids) this.#giveUp(lost, { id, type: 'unknown' });
    }
    return all.slice(-MAX_WAITING);
  }

  /**
   * Delivers what waits, to each target in the order in which it was decided; a target that fails holds
   * up nothing but its own.
   *
   * @returns what still waits. Never throws.
   */
  async deliver(waiting: readonly Undelivered[], alert: Alert): Promise<readonly Undelivered[]> {
    const blocked = new Set<string>();
    const left: Undelivered[] = [];
    for (const entry of waiting) {
      const outcomes = await Promise.all(
        entry.targets.map(async (id) => {
          const isLeft = blocked.has(id) || (await this.#deliverTo(id, entry, alert));
          if (isLeft) blocked.add(id);
          return { id, isLeft };
        }),
      );
      const targets = outcomes.filter(({ isLeft }) => isLeft).map(({ id }) => id);
      if (targets.length > 0) left.push({ ...entry, targets });
    }
    return left;
  }

  /** @returns whether it is to be tried again. */
  async #deliverTo(
    id: string,
    { notification, until }: Undelivered,
    { targets }: Alert,
  ): Promise<boolean> {
    const { notifier, history, clock } = this.#deps;
    const target = targets.find((known) => known.id === id);
    if (target === undefined || clock.now() >= until) {
      this.#giveUp(notification, target ?? { id, type: 'deleted' });
      return false;
    }
    const delivery = await notifier.deliver(target, notification);
    if (delivery.last.ok) {
      history.notified(notification, target, 'delivered', delivery);
      return false;
    }
    const { isTemporary } = delivery.last;
    if (!isTemporary) this.#giveUp(notification, target, delivery);
    else history.notified(notification, target, 'retrying', delivery);
    return isTemporary;
  }

  #giveUp(
    notification: Notification,
    target: Pick<AlertTarget, 'id'> & { readonly type: string },
    delivery?: Delivery,
  ): void {
    const { history, logger } = this.#deps;
    history.notified(notification, target, 'failed', delivery);
    logger.error('a notification was given up', {
      alert: notification.alert.token,
      notification: notification.id,
      kind: notification.kind,
      target: target.id,
      target_type: target.type,
      outcome: delivery?.last,
    });
  }
}
