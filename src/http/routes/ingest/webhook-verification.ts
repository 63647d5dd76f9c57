import type { Context } from 'hono';
import type { IngestFormat } from '../../../ingest/decode/format.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';

/** Vercel's codes are 40 hexadecimal digits. */
const CODE = /^[\w-]{1,128}$/;

/**
 * Answers with the code that proves to a log drain that its user owns the address. The user puts it
 * there, as a query parameter or a header of the drain, so the service has no setting for it. Only
 * for requests with a valid key: anyone else could have the address verified as theirs.
 */
export function repeatVerificationCode(c: Context<HttpEnv>, format: IngestFormat): void {
  const { verificationHeader: name } = format;
  if (name === undefined) return;
  const code = c.req.query(name) ?? c.req.header(name);
  if (code !== undefined && CODE.test(code)) c.header(name, code);
}
