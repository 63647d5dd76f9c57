import { isTemporary } from '../../platform/dynamo/dynamo-failure.ts';
import type { Channel } from './channel.ts';
import { details, headline } from './texts.ts';

/** What is published: a subject for mails, the text, and attributes that subscriptions filter by. */
export interface SnsMessage {
  readonly subject: string;
  readonly message: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Publishes to the deployment's topic. */
export type Publish = (message: SnsMessage, signal: AbortSignal) => Promise<unknown>;

/** SNS takes less than 100 characters, ASCII and without line breaks (API reference, Publish). */
const MAX_SUBJECT = 99;

/** @param publish comes when the first notification does: most instances send none. */
export function snsChannel(publish: () => Promise<Publish>): Channel<'sns'> {
  return {
    async send(_target, notification, signal) {
      const { alert, kind } = notification;
      const title = headline(notification);
      const message = {
        subject: title.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_SUBJECT),
        message: [title, '', ...details(notification)].join('\n'),
        attributes: { status: kind, alert: alert.name },
      };
      try {
        await (await publish())(message, signal);
        return { ok: true, status: null };
      } catch (error) {
        const code = error instanceof Error ? error.name : 'unknown';
        const again = signal.aborted || isTemporary(error);
        return { ok: false, status: null, code, isTemporary: again };
      }
    },
  };
}

/** For where there is no SNS. */
export const noSns: Channel<'sns'> = {
  missing: 'is not available on the local server, which has no SNS; use a webhook or Slack',
  send: async () => ({ ok: false, status: null, code: 'sns_unavailable', isTemporary: false }),
};
