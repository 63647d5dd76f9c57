import type { Context } from 'hono';
import type { Principal } from '../../access/scopes.ts';
import type { Source } from '../../catalog/types.ts';
import type { Admission, RateLimiter } from '../../ingest/limits/rate-limiter.ts';
import type { HttpEnv } from './http-env.ts';

/** Headers that tell a sender its limits, in events per minute (Logflare 1.50). */
export const RATE_LIMIT_HEADERS = [
  'x-rate-limit-user_limit',
  'x-rate-limit-user_remaining',
  'x-rate-limit-source_limit',
  'x-rate-limit-source_remaining',
] as const;

/**
 * Asks whether a key may store events into a source now, and says on the answer, whatever it will
 * be, how much is left before this request.
 *
 * @throws ServiceError `rate_limited` (429, with retryAfterSeconds).
 */
export async function admit(
  c: Context<HttpEnv>,
  source: Source,
  { keyId, rateLimit }: Principal,
  limiter: Pick<RateLimiter, 'admit'>,
): Promise<Admission> {
  const admission = await limiter.admit(source, { id: keyId, rate_limit: rateLimit });
  const values = [
    admission.key.limit,
    admission.key.remaining,
    admission.source.limit,
    admission.source.remaining,
  ];
  RATE_LIMIT_HEADERS.forEach((name, index) => {
    c.header(name, String(values[index]));
  });
  if (admission.refusal !== undefined) throw admission.refusal;
  return admission;
}
