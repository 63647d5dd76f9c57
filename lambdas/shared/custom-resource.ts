import type { CloudFormationCustomResourceEvent as Request } from 'aws-lambda';
import { systemSleep } from '../../src/platform/concurrency/sleep.ts';

export type CustomResourceRequest = Request;

/** CloudFormation takes an answer of 4,096 bytes at most; ids take up to half of it. */
const MAX_REASON_LENGTH = 1_000;

/** Always the same, or CloudFormation would take the resource for replaced and delete the old one. */
const PHYSICAL_ID = 'sluice-first-run';

/** Milliseconds between the calls by which an answer is given. */
const WAITS_MS = [1_000, 5_000];

/** Whether CloudFormation calls, and not an operator. */
export function isCustomResourceRequest(event: unknown): event is CustomResourceRequest {
  return (
    typeof event === 'object' && event !== null && 'RequestType' in event && 'ResponseURL' in event
  );
}

/**
 * Tells CloudFormation that its request is done, or why not. Without an answer a deployment waits until
 * its time is up.
 *
 * @param failure a sentence; absent for a success.
 * @throws Error when nobody takes the answer.
 */
export async function answerRequest(
  request: CustomResourceRequest,
  failure?: string,
): Promise<void> {
  const answer = {
    Status: failure === undefined ? 'SUCCESS' : 'FAILED',
    ...(failure === undefined ? {} : { Reason: failure.slice(0, MAX_REASON_LENGTH) }),
    PhysicalResourceId: PHYSICAL_ID,
    StackId: request.StackId,
    RequestId: request.RequestId,
    LogicalResourceId: request.LogicalResourceId,
  };
  // Bytes rather than text: the address is signed for a request without a content type.
  const body = Buffer.from(JSON.stringify(answer));
  for (let attempt = 0; ; attempt++) {
    const waitMs = WAITS_MS[attempt];
    try {
      const { ok, status } = await fetch(request.ResponseURL, { method: 'PUT', body });
      if (ok) return;
      throw new Error(`CloudFormation's bucket answered ${status}.`);
    } catch (error) {
      if (waitMs === undefined) throw error;
    }
    await systemSleep(waitMs);
  }
}
