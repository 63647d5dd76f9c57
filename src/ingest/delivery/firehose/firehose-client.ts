import { FirehoseClient } from '@aws-sdk/client-firehose';

/**
 * The client that {@link FirehoseSink} expects.
 *
 * One attempt per call, because the sink retries on its own within a time budget and the SDK's
 * retries would multiply its attempts and outlast it. A call without an answer for 4 s is taken for
 * lost. The SDK only warns about a slow request unless told to throw, and stops watching once headers
 * have arrived, hence the socket timeout as well.
 *
 * @param region default: the SDK's own lookup (`AWS_REGION` on Lambda).
 */
export function firehoseClient(region?: string): FirehoseClient {
  return new FirehoseClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 4_000,
      socketTimeout: 4_000,
      throwOnRequestTimeout: true,
    },
  });
}
