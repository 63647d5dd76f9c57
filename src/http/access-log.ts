import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../errors.ts';
import type { Clock, Logger } from '../ports.ts';
import type { HttpEnv } from './core.ts';

/**
 * One line per request. The query string stays out of it, since `api_key` may be there, and so does
 * every header and body.
 */
export function accessLog(deps: { logger: Logger; clock: Clock }): MiddlewareHandler<HttpEnv> {
  const { logger, clock } = deps;
  return async function logAccess(c, next) {
    const startedAt = clock.now();
    await next();
    const bytesOut = await bufferAnswer(c);
    logger.info('request', {
      request_id: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ...(c.error instanceof ServiceError ? { code: c.error.code } : {}),
      ms: clock.now() - startedAt,
      bytes_in: c.get('bytesIn') ?? Number(c.req.header('Content-Length') ?? 0),
      bytes_out: c.req.method === 'HEAD' ? 0 : bytesOut,
    });
  };
}

/**
 * Replaces the answer's body by its bytes and returns how many there are. No answer is streamed, so
 * this is the encoding that would happen anyway (10 to 20 microseconds more per request, measured
 * over HTTP), and it gives every answer a Content-Length.
 */
async function bufferAnswer(c: Parameters<MiddlewareHandler<HttpEnv>>[0]): Promise<number> {
  const answer = c.res;
  if (answer.body === null) return 0;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  // Without clearing it first, the setter merges the headers of both answers once more.
  c.res = undefined;
  c.res = new Response(bytes, answer);
  return bytes.byteLength;
}
