import type { Clock } from '../../platform/clock.ts';
import type { Channel } from './channel.ts';
import { type PostOptions, post } from './post.ts';
import { signatureHeaders } from './signature.ts';
import type { Reach } from './target-url.ts';
import { webhookBody } from './texts.ts';

export type HttpDeps = Reach & Pick<PostOptions, 'resolve'> & { readonly clock: Clock };

/** Posts JSON that the receiver can check: see {@link signatureHeaders}. */
export function webhookChannel({ clock, ...reach }: HttpDeps): Channel<'webhook'> {
  return {
    send({ url, secret }, notification, signal) {
      const body = webhookBody(notification);
      const seconds = Math.floor(clock.now() / 1_000);
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Sluice-Alerts',
        ...signatureHeaders(secret, { id: notification.id, seconds, body }),
      };
      return post(url, { ...reach, headers, body, signal });
    },
  };
}
