import { Hono, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { accessLog } from './middleware/access-log.ts';
import { allowAnyOrigin } from './middleware/cors.ts';
import { answerErrors, answerNotFound } from './middleware/errors.ts';
import type { HttpEnv } from './middleware/http-env.ts';

/**
 * An app without routes: request ids, CORS, the error mapping, 404 and the access log. Every other
 * part of the HTTP interface adds its routes to one of these.
 */
export function createHttpApp(deps: { logger: Logger; clock: Clock }): Hono<HttpEnv> {
  // Not strict: `/logs/` is `/logs`, since agents append the slash when they join URLs.
  const app = new Hono<HttpEnv>({ strict: false });
  app.use(accessLog(deps), requestId(), allowAnyOrigin, nameCharset);
  app.onError(answerErrors(deps.logger));
  app.notFound(answerNotFound);
  return app;
}

/**
 * Logflare names the charset, and some clients compare the whole header. Routes that answer in a
 * protocol's own way say their content type to the letter.
 */
const nameCharset: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  if (
    c.get('errorBody') === undefined &&
    c.res.headers.get('Content-Type') === 'application/json'
  ) {
    c.res.headers.set('Content-Type', 'application/json; charset=utf-8');
  }
};
