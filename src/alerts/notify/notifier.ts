import type { Clock } from '../../platform/clock.ts';
import { fullJitter } from '../../platform/concurrency/backoff.ts';
import type { Sleep } from '../../platform/concurrency/sleep.ts';
import type { AlertTarget, Notification } from '../model/alert.ts';
import type { Channels } from './channel.ts';
import type { Attempt } from './post.ts';

/** How long one attempt may take, milliseconds. */
export const ATTEMPT_MS = 5_000;

/** Attempts in a row before a target is left to the next pass. */
export const MAX_ATTEMPTS = 3;

const BACKOFF = { baseMs: 1_000, capMs: 4_000 } as const;

/** How a delivery to one target went. */
export interface Delivery {
  readonly last: Attempt;
  readonly attempts: number;
  /** Milliseconds over all attempts. */
  readonly tookMs: number;
}

export interface NotifierDeps {
  readonly channels: Channels;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** @default Math.random */
  readonly random?: () => number;
}

/** Sends notifications to targets, again where that may help. */
export class Notifier {
  readonly #deps: NotifierDeps;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Why there are no targets of a type here; undefined where there are. */
  missing(type: AlertTarget['type']): string | undefined {
    return this.#deps.channels[type].missing;
  }

  /**
   * @param attempts at most; each takes 5 s at most, and the waits between them 1 and 2 s. Never throws.
   */
  async deliver(
    target: AlertTarget,
    notification: Notification,
    attempts = MAX_ATTEMPTS,
  ): Promise<Delivery> {
    const { clock, sleep, random = Math.random } = this.#deps;
    const startedAt = clock.now();
    for (let attempt = 1; ; attempt++) {
      const last = await this.#attempt(target, notification);
      const isOver = last.ok || !last.isTemporary || attempt >= attempts;
      if (isOver) return { last, attempts: attempt, tookMs: clock.now() - startedAt };
      await sleep(fullJitter(BACKOFF, attempt, random));
    }
  }

  #attempt(target: AlertTarget, notification: Notification): Promise<Attempt> {
    const { channels } = this.#deps;
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    switch (target.type) {
      case 'webhook':
        return channels.webhook.send(target, notification, signal);
      case 'slack':
        return channels.slack.send(target, notification, signal);
      case 'sns':
        return channels.sns.send(target, notification, signal);
    }
  }
}
