import type { QueryExecutionStatus } from '@aws-sdk/client-athena';
import { queryDataError, queryTooLarge, ServiceError } from '../errors.ts';
import { RetryableFailure, StatementRefused } from '../execution.ts';

/**
 * What a client hears of Athena. Sentences are fixed: Athena's own texts name tables, buckets and
 * values, and go to the log only (see {@link loggable}).
 */

export function throttled(): ServiceError {
  return new ServiceError(
    'engine_throttled',
    503,
    'The query engine has taken no new query for as long as you waited, because too many are running. ' +
      'Send this one again shortly.',
    { retryAfterSeconds: 15 },
  );
}

/**
 * Athena did not accept a call: permissions, a missing workgroup, a statement that does not analyse.
 *
 * @param reason Athena's own text.
 */
export function refused(reason = ''): ServiceError {
  const error = failed(
    'The query engine did not accept this query. The operator finds the cause in the log.',
  );
  return WORDING.test(reason) ? new StatementRefused(error) : error;
}

/** The answer for an execution that ended as FAILED or CANCELLED. */
export function executionFailed(status: QueryExecutionStatus): ServiceError {
  const failure = failureOf(status);
  const isRetryable = status.State === 'CANCELLED' || status.AthenaError?.Retryable === true;
  if (isRetryable && !isOverScanLimit(status)) return new RetryableFailure(failure);
  return WORDING.test(status.StateChangeReason ?? '') ? new StatementRefused(failure) : failure;
}

function failureOf(status: QueryExecutionStatus): ServiceError {
  // A query past the workgroup's scan limit ends as CANCELLED, and as FAILED in some reports; only
  // the reason tells it from other endings.
  if (isOverScanLimit(status)) {
    return new ServiceError(
      'scan_limit_exceeded',
      400,
      'The query reads more data than one query may. Narrow its time range.',
    );
  }
  if (VALUE_ERRORS.test(status.StateChangeReason ?? '')) return queryDataError();
  if (MORE_RUNS.test(status.StateChangeReason ?? '')) {
    return new ServiceError(
      'more_runs_needed',
      502,
      'The statement did a part of its work. Run it again.',
    );
  }
  if (TOO_DEEP.test(status.StateChangeReason ?? '')) {
    const message = 'The query nests deeper than its engine reads: compute parts of it in CTEs.';
    return new ServiceError('sql_too_large', 400, message);
  }
  if (/exhausted resources/i.test(status.StateChangeReason ?? '')) return queryTooLarge();
  if (status.State === 'CANCELLED') {
    return failed('The query was cancelled before it finished. Send it again.');
  }
  return failed('The query failed in the query engine. The operator finds the cause in the log.');
}

/** Trino's words for a statement that ends its stack, or is more than its compiler takes. */
const TOO_DEEP = /stack_?\s?overflow|statement is too large|Query exceeded maximum/i;

/** Trino's names of errors that a value causes; they open the reason. */
const VALUE_ERRORS =
  /^(?:INVALID_CAST_ARGUMENT|DIVISION_BY_ZERO|NUMERIC_VALUE_OUT_OF_RANGE|INVALID_FUNCTION_ARGUMENT|SUBQUERY_MULTIPLE_ROWS)\b/;

/**
 * How Athena's parsers and Trino's analysis open what they say of a statement that they do not read, and what the
 * planner says of an OPTIMIZE whose condition is not one of partitions (trinodb/trino#15697).
 */
const WORDING =
  /^(?:line \d+:\d+:|Queries of this type are not supported|(?:SYNTAX_ERROR|NOT_SUPPORTED|TYPE_MISMATCH|COLUMN_NOT_FOUND)\b)|Unexpected FilterNode found in plan/;

/** How OPTIMIZE and VACUUM end when a single run does not get through. */
const MORE_RUNS = /^ICEBERG_(?:OPTIMIZE|VACUUM)_MORE_RUNS_NEEDED\b/;

/**
 * An Athena text fit for the log: cut short, and without quoted parts, since a failed cast quotes the
 * value that it failed on. The execution id beside it leads to the full text in the Athena console.
 */
export function loggable(text: string | undefined): string | undefined {
  return text?.replaceAll(/'[^']*'/g, "'...'").slice(0, 500);
}

function isOverScanLimit(status: QueryExecutionStatus): boolean {
  return /bytes scanned limit/i.test(status.StateChangeReason ?? '');
}

function failed(message: string): ServiceError {
  return new ServiceError('query_failed', 502, message);
}
