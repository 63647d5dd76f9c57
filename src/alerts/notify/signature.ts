import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret of a webhook: 32 random bytes, as libraries for Standard Webhooks take them. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Headers of a delivery by the specification of Standard Webhooks 1.0: HMAC-SHA256 over the id, the time
 * and the body, joined by dots.
 *
 * @param seconds of the attempt, since the epoch.
 */
export function signatureHeaders(
  secret: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(seconds),
    'Webhook-Signature': `v1,${digest}`,
  };
}
