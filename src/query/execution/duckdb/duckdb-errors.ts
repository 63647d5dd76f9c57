import { queryDataError, queryTooLarge, ServiceError } from '../../../platform/errors.ts';
import { RetryableFailure } from '../../../platform/execution.ts';
import type { Logger } from '../../../platform/log.ts';
import { CallerFullError, PoolFullError } from './connection-pool.ts';

/** Queries of one caller that may wait. */
export const MAX_WAITING_PER_CALLER = 16;
const RETRY_AFTER_SECONDS = 2;

/** What a client hears of what a query failed with; DuckDB's own text goes to the log only. */
export function toServiceError(error: unknown, signal: AbortSignal, logger: Logger): ServiceError {
  if (signal.aborted && signal.reason instanceof ServiceError) return signal.reason;
  if (error instanceof ServiceError) return error;
  if (error instanceof CallerFullError) return tooManyQueries();
  if (error instanceof PoolFullError) return busy();
  if (VALUE_ERRORS.test(String(error))) return queryDataError(error);
  if (TOO_DEEP.test(String(error))) {
    const message = 'The query nests deeper than its engine reads: compute parts of it in CTEs.';
    return new ServiceError('sql_too_large', 400, message, { cause: error });
  }
  if (MEMORY_ERRORS.test(String(error))) return queryTooLarge(error);
  logger.error('DuckDB could not run a query', { error: String(error) });
  return new ServiceError(
    'query_failed',
    502,
    'The query engine could not run this query. The log of this service says why.',
    { cause: error },
  );
}

/** Printed levels of one query; those of the tree that are many levels each are not known before. */
const TOO_DEEP = /Max expression depth limit/;

/** Kinds of error that a value causes, by the start of DuckDB's text. */
const VALUE_ERRORS = /^(?:Error: )?(?:Conversion|Invalid Input|Out of Range) Error: /;

/** The limit of memory, or of what may be spilled. */
const MEMORY_ERRORS = /^(?:Error: )?Out of Memory Error: /;

/** The process that began an execution has ended, or given it up. */
export function lost(): RetryableFailure {
  return new RetryableFailure({
    code: 'query_failed',
    status: 502,
    message: 'The query was ended before its rows were asked for. Send it again.',
  });
}

export function busy(): ServiceError {
  return throttled('Too many queries are running. Send this one again in a moment.');
}

function tooManyQueries(): ServiceError {
  return new ServiceError(
    'too_many_queries',
    429,
    `${MAX_WAITING_PER_CALLER} queries of this key wait for others of it. Send this one when those have been answered.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

export function stopping(): ServiceError {
  return throttled('The service is stopping. Send the query again in a moment.');
}

function throttled(message: string): ServiceError {
  return new ServiceError('engine_throttled', 503, message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
