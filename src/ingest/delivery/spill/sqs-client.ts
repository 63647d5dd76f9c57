import { SQSClient } from '@aws-sdk/client-sqs';

/**
 * The client that {@link SqsSpillQueue} expects. One attempt per call, because spilling has a deadline of
 * its own; a call that takes 1.5 s is taken for lost, which leaves time for another.
 *
 * @param region default: the SDK's own lookup (`AWS_REGION` on Lambda).
 */
export function sqsClient(region?: string): SQSClient {
  return new SQSClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_500,
      socketTimeout: 1_500,
      throwOnRequestTimeout: true,
    },
  });
}
