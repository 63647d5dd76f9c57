import { notFound } from '../../../platform/errors.ts';
import type { JsonObject } from './request-body.ts';

/** There are no backends to choose from, so whichever is named does not exist (Logflare 1.50). */
export function refuseBackend(body: JsonObject): void {
  if (body.backend_id !== undefined && body.backend_id !== null) throw notFound();
}
