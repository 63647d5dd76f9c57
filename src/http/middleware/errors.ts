import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { notFound, ServiceError, ValidationError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { HttpEnv } from './http-env.ts';

/** Turns whatever a route throws into its JSON answer; the only place that does. */
export function answerErrors(logger: Logger): ErrorHandler<HttpEnv> {
  return (error, c) => {
    const requestId = c.get('requestId');
    if (!(error instanceof ServiceError)) {
      logger.error('unexpected error', { request_id: requestId, error });
      return answerServiceError(internalError(requestId), c);
    }
    if (error.status >= 500) logger.error('request failed', { request_id: requestId, error });
    return answerServiceError(error, c);
  };
}

function internalError(requestId: string): ServiceError {
  return new ServiceError(
    'internal_error',
    500,
    `Something went wrong on the server. Quote request id ${requestId} to its operators.`,
  );
}

/** A path or verb that no route serves. */
export const answerNotFound: NotFoundHandler<HttpEnv> = (c) => answerServiceError(notFound(), c);

function answerServiceError(error: ServiceError, c: Context<HttpEnv>): Response {
  if (error.retryAfterSeconds !== undefined) {
    // RFC 9110 10.2.3 allows whole seconds only.
    c.header('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
  }
  // ServiceError carries any number; every status it is built with takes a body.
  const status = error.status as ContentfulStatusCode;
  const ofRoute = c.get('errorBody')?.(error);
  return ofRoute === undefined
    ? c.json(bodyOf(error), status)
    : c.body(ofRoute.body, ofRoute.status ?? status, {
        ...ofRoute.headers,
        'Content-Type': ofRoute.contentType,
      });
}

function bodyOf(error: ServiceError): object {
  if (error instanceof ValidationError) return { errors: error.errors };
  // Clients compare this answer whole (Logflare 1.50); its status says all there is to say.
  if (error.status === 401) return { error: error.message };
  return { error: error.message, code: error.code };
}
