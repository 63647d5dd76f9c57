import type { Context } from 'hono';
import { stringifyJson } from '../../../platform/json/json.ts';
import type { EndpointAnswer } from '../../../query/endpoint-service.ts';
import type { CallInput } from '../../../query/parameters/parameters.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';

/** `?explain`, for those who may read every query and source anyway. */
export function asksForExplanation({ explain }: CallInput): boolean {
  return explain === '' || explain === '1' || explain === 'true' || explain === true;
}

/** The `api_key` of a body, and nothing else. */
export function fromBody(posted: CallInput) {
  const key = Object.hasOwn(posted, 'api_key') ? posted.api_key : undefined;
  return {
    header: () => undefined,
    query: (name: string) => (name === 'api_key' && typeof key === 'string' ? key : undefined),
  };
}

/** What the header `LF-ENDPOINT-REDACT-PII` says: `true` in any case means yes, anything else no; undefined without it. */
export function redactionHeader(c: Context<HttpEnv>): boolean | undefined {
  const header = c.req.header('LF-ENDPOINT-REDACT-PII');
  return header === undefined ? undefined : header.toLowerCase() === 'true';
}

/** Rows, with headers that say where they come from and what they took. */
export function respond(c: Context<HttpEnv>, result: EndpointAnswer): Response {
  const { timing, freshSeconds } = result;
  const durations = Object.entries(timing).map(
    ([phase, ms]) => `${phase};dur=${Math.round(ms * 1_000) / 1_000}`,
  );
  c.header('Server-Timing', durations.join(', '));
  c.header('Sluice-Cache', result.cache);
  c.header('Sluice-Bytes-Scanned', String(result.bytesScanned));
  c.header('Age', String(result.ageSeconds));
  if (freshSeconds !== undefined) c.header('Cache-Control', `private, max-age=${freshSeconds}`);
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.body(stringifyJson({ result: result.rows }));
}
