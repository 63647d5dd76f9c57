import type { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** DynamoDB calls these the client's fault, yet they pass. */
const THROTTLED = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);

/** Whether a call to DynamoDB failed in a way that the same call later may not. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $fault, $metadata } = error as Partial<DynamoDBServiceException>;
  // The SDK gave up without an answer: connection refused, reset, or timed out.
  const unanswered = $metadata !== undefined && $metadata.httpStatusCode === undefined;
  return unanswered || $fault === 'server' || THROTTLED.has(error.name);
}
