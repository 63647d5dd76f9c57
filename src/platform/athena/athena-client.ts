import { AthenaClient } from '@aws-sdk/client-athena';

/** Longest that one API call may take, milliseconds; a results page of wide rows takes the longest. */
export const MAX_CALL_MS = 10_000;

/**
 * The client that {@link AthenaEngine} expects. One attempt per call, because the engine retries on
 * its own until a query's deadline; the SDK only warns about a slow request unless told to throw.
 *
 * @param region default: the SDK's own lookup (`AWS_REGION` on Lambda).
 */
export function athenaClient(region?: string): AthenaClient {
  return new AthenaClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: MAX_CALL_MS,
      socketTimeout: MAX_CALL_MS,
      throwOnRequestTimeout: true,
    },
  });
}
