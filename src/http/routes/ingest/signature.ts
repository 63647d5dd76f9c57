import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { credential } from '../../../access/authenticator.ts';
import type { IngestFormat } from '../../../ingest/decode/format.ts';
import { unauthorized } from '../../../platform/errors.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';

/**
 * Checks who signed a body, where the address asks for it with `signed=1`. The secret is the access
 * key that the request shows: no other secret is at hand, since keys are stored as hashes only.
 *
 * @param body as sent, before any decompression.
 * @throws ServiceError 401 for a signature that is missing or wrong.
 */
export function checkSignature(c: Context<HttpEnv>, format: IngestFormat, body: Uint8Array): void {
  const { signature, keyHeader } = format;
  if (signature === undefined || c.req.query('signed') !== '1') return;
  const secret = credential(c.req, keyHeader);
  if (secret === undefined) throw unauthorized();
  const { header, algorithm, prefix } = signature;
  const expected = prefix + createHmac(algorithm, secret).update(body).digest('hex');
  if (!isSame(c.req.header(header) ?? '', expected)) throw unauthorized();
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
