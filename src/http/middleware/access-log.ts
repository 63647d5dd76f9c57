import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { finishAnswer } from './finish-answer.ts';
import type { HttpEnv } from './http-env.ts';

/**
 * One line per request. The query string stays out of it, since `api_key` may be there, and so does
 * every header and body.
 */
export function accessLog(deps: { logger: Logger; clock: Clock }): MiddlewareHandler<HttpEnv> {
  const { logger, clock } = deps;
  return async function logAccess(c, next) {
    const startedAt = clock.now();
    await next();
    const bytesOut = await finishAnswer(c);
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
