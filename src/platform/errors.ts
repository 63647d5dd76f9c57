/**
 * The one error type that may reach a client: a machine-readable `code`, a sentence a stranger can
 * act on, and the HTTP status it maps to. Anything else that is thrown is a fault of ours and is
 * answered as `internal_error` without its text (see `src/http/middleware/errors.ts`).
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  /** Seconds to wait before the same call may succeed; set on 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, status: number, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

/** Credentials missing, unknown, or without the scope: always this one answer (Logflare 1.50). */
export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 401, 'Unauthorized');
}

/** A query that met a value it cannot work with: its author mends it, so it is no failure of ours. */
export function queryDataError(cause?: unknown): ServiceError {
  return new ServiceError(
    'query_data_error',
    400,
    'The query failed on a value: text that cannot be CAST, a division by zero, an index out of range, ' +
      'a number that is too large, a time outside of the years 1 to 9999, a subquery with more than one row, or an invalid regular expression. ' +
      'SAFE_CAST, SAFE_DIVIDE and SAFE_OFFSET give NULL instead.',
    cause === undefined ? {} : { cause },
  );
}

/** A query that needs more than one query may take of the engine's memory, and of its disk. */
export function queryTooLarge(cause?: unknown): ServiceError {
  return new ServiceError(
    'query_too_large',
    400,
    'The query needs more memory than one query may take. Narrow its time range, select fewer or shorter ' +
      'columns, or group and sort by fewer values.',
    cause === undefined ? {} : { cause },
  );
}

/** A management resource that does not exist. */
export function notFound(): ServiceError {
  return new ServiceError('not_found', 404, 'Not Found');
}

/**
 * A management body that breaks a rule of its fields: answered as 422 `{"errors": {field: [..]}}`,
 * the shape Logflare's clients read.
 */
export class ValidationError extends ServiceError {
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    const fields = Object.keys(errors).join(', ');
    super('validation_failed', 422, `These fields are not valid: ${fields}.`);
    this.errors = errors;
  }
}
