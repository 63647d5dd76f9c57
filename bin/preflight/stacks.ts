/** What CloudFormation knows of a stack. */
import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { isServiceError, messageOf, UnreadableAnswer } from './verdict.ts';

/**
 * A stack as it is; undefined if there is none of that name.
 *
 * @throws errors of the SDK, and UnreadableAnswer
 */
export async function describeStack(
  client: CloudFormationClient,
  name: string,
): Promise<Stack | undefined> {
  const answer = await orMissing(client.send(new DescribeStacksCommand({ StackName: name })));
  if (answer === undefined) return undefined;
  const [stack] = answer.Stacks ?? [];
  if (stack === undefined) throw new UnreadableAnswer('CloudFormation answered without the stack.');
  return stack;
}

/**
 * What the resources of a stack are called in AWS: names, and ARNs with names in them. None if there is no such stack.
 *
 * @throws errors of the SDK
 */
export async function physicalIds(client: CloudFormationClient, stack: string): Promise<string[]> {
  const ids: string[] = [];
  const pages = paginateListStackResources({ client, stopOnSameToken: true }, { StackName: stack });
  await orMissing(
    (async () => {
      for await (const { StackResourceSummaries = [] } of pages) {
        for (const { PhysicalResourceId, ResourceStatus } of StackResourceSummaries) {
          // What a rollback has deleted, or left behind on purpose, is of the stack no more.
          if (ResourceStatus === 'DELETE_COMPLETE' || ResourceStatus === 'DELETE_SKIPPED') continue;
          if (PhysicalResourceId) ids.push(PhysicalResourceId);
        }
      }
    })(),
  );
  return ids;
}

/** CloudFormation has no error of its own for a stack that does not exist. */
async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isServiceError(error, 'ValidationError') && /does not exist/.test(messageOf(error))) {
      return undefined;
    }
    throw error;
  }
}
