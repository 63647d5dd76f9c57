import type { Context, Hono, Next } from 'hono';
import type { Authenticator } from '../../../access/authenticator.ts';
import { mayIngestAnywhere } from '../../../access/scopes.ts';
import type { IngestFormat, Probe } from '../../../ingest/decode/format.ts';
import { unauthorized } from '../../../platform/errors.ts';
import { answer } from '../../middleware/finish-answer.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';

/** The routes that senders of a format ask before they send, so that a wrong key shows when they start. */
export function addProbes(
  app: Hono<HttpEnv>,
  format: IngestFormat,
  authenticator: Pick<Authenticator, 'principal'>,
): void {
  const { probes = [], answers, keyHeader } = format;
  for (const probe of probes) {
    app.on([...probe.methods], probe.path, async (c, next) => {
      if (probe.notForPages && isPage(c)) return pass(next);
      if (answers !== undefined) {
        c.set('errorBody', (error) => answers.failed(error, () => c.req.header()));
      }
      if (!(await isAllowed(c, probe))) throw unauthorized();
      return answer(c, probe.answer);
    });
  }

  async function isAllowed(c: Context<HttpEnv>, { isOpen }: Probe): Promise<boolean> {
    return isOpen === true || mayIngestAnywhere(await authenticator.principal(c.req, keyHeader));
  }
}

/** Browsers ask for HTML by name; agents never do. */
function isPage(c: Context<HttpEnv>): boolean {
  return c.req.header('Accept')?.includes('text/html') === true;
}

async function pass(next: Next): Promise<undefined> {
  await next();
}
