/**
 * What a failed AWS call means for the next one. The SDK's own retries are off (`maxAttempts: 1`),
 * because they know neither our time budget nor which entries of a batch failed; so this file decides.
 */

/**
 * - `throttled`: refused for lack of capacity; the same call succeeds later
 * - `transient`: the service or the network broke; the call may or may not have taken effect
 * - `permanent`: permissions, a missing resource, a bad request; repeating it changes nothing
 */
export type FailureKind = 'throttled' | 'transient' | 'permanent';

export interface SdkError {
  readonly kind: FailureKind;
  /** The service's error name or the network's error code: fit for a log line. */
  readonly code: string;
  readonly requestId: string | undefined;
}

const THROTTLED = new Set([
  'LimitExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailableException',
  'SlowDown',
  'Throttling',
  'ThrottledException',
  'ThrottlingException',
  'TooManyRequestsException',
]);

const TRANSIENT = new Set([
  // Node's network codes. ECONNRESET is routine on Lambda: connections die while it is frozen.
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
  // The SDK's and the services' names for the same.
  'AbortError',
  'InternalError',
  'InternalFailure',
  'InternalServerException',
  'RequestTimeout',
  'RequestTimeoutException',
  'TimeoutError',
]);

/** Reads an error thrown by an AWS SDK client; anything unknown is permanent. */
export function classifySdkError(error: unknown): SdkError {
  const { name, code, cause, $metadata } = (error ?? {}) as ThrownBySdk;
  // `code` of a DOMException, as an AbortSignal throws it, is a number.
  const names = [code, cause?.code, name].filter((text) => typeof text === 'string');
  const status = $metadata?.httpStatusCode ?? 0;
  return {
    kind: kindOf(names, status),
    code: names[0] ?? 'unknown',
    requestId: $metadata?.requestId,
  };
}

interface ThrownBySdk {
  readonly name?: string;
  readonly code?: string | number;
  readonly cause?: { readonly code?: string };
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

function kindOf(names: readonly string[], status: number): FailureKind {
  if (status === 429 || names.some((name) => THROTTLED.has(name))) return 'throttled';
  return status >= 500 || names.some((name) => TRANSIENT.has(name)) ? 'transient' : 'permanent';
}
