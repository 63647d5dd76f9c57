import type { Hono } from 'hono';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import type { HttpEnv } from '../../src/http/middleware/http-env.ts';
import { setGetBodyAside } from '../../src/http/routes/query/get-with-body.ts';
import { type HttpApiResponse, limitResponse } from './response-limit.ts';

/** A request as an HTTP API hands it over, payload format 2.0. */
export type HttpApiEvent = Extract<LambdaEvent, { readonly rawPath: string }>;

/**
 * Serves an app behind an HTTP API. Hono's adapter does nearly all of it: it decodes base64 bodies and
 * sets the Content-Length that API Gateway drops from chunked ones.
 */
export function httpHandler(app: Hono<HttpEnv>) {
  const answer = handle(app);
  return async (event: HttpApiEvent): Promise<HttpApiResponse> => {
    const { 'accept-encoding': acceptEncoding, ...headers } = event.headers;
    return limitResponse(await answer(repaired({ ...event, headers })), acceptEncoding);
  };
}

/**
 * Two things that the adapter does not expect: API Gateway has URL-decoded the path already, so that
 * a `?` or `#` within a name would end the path of the URL it builds; and it passes on the body of a
 * GET, which a Request cannot have.
 */
function repaired(event: HttpApiEvent): HttpApiEvent {
  const rawPath = event.rawPath.replace(/[?#]|%(?![0-9a-f]{2})/gi, encodeURIComponent);
  const { method } = event.requestContext.http;
  const bodiless = method === 'GET' || method === 'HEAD';
  return { ...(bodiless ? setGetBodyAside(event) : event), rawPath };
}
