import type { Stack } from '@aws-sdk/client-cloudformation';
import type { Check } from '../check.ts';
import { describeStack } from '../stacks.ts';
import { failed, ok, unchecked, type Verdict } from '../verdict.ts';

/** Whether stacks of an earlier attempt are in the way of this one. */
export const stacks: Check = {
  name: 'Stacks',
  permissions: ['cloudformation:DescribeStacks'],
  async run({ clients, planned, region }) {
    const found = await Promise.all(
      planned.stacks.map((name) => describeStack(clients.cloudFormation, name)),
    );
    const existing = found.filter((one) => one !== undefined);
    const inTheWay = existing.map((stack) => hindrance(stack, region));
    return (
      inTheWay.find((verdict) => verdict !== undefined) ??
      ok(
        existing.length === 0
          ? 'None exists; three will be made.'
          : `${existing.map(({ StackName }) => StackName).join(', ')} can be updated.`,
      )
    );
  },
};

/** What is in the way of deploying to a stack; undefined if nothing is. */
function hindrance(stack: Stack, region: string): Verdict | undefined {
  const { StackName: name, StackStatus: status, EnableTerminationProtection: guarded } = stack;
  if (name === undefined || status === undefined) {
    return unchecked('CloudFormation answered without the name or state of a stack.');
  }
  const aws = (command: string) =>
    `aws cloudformation ${command} --stack-name ${name} --region ${region}`;
  const remove = [
    ...(guarded ? [aws('update-termination-protection --no-enable-termination-protection')] : []),
    aws('delete-stack'),
    aws('wait stack-delete-complete'),
  ];
  switch (status) {
    case 'REVIEW_IN_PROGRESS':
      // A change set that was never executed. The CDK goes on from there.
      return undefined;
    case 'ROLLBACK_COMPLETE':
      // The CDK deletes the stack itself, unless it is protected.
      if (!guarded) return undefined;
      return failed(
        `The first deployment of ${name} failed, and what is left is protected.`,
        ...remove,
      );
    case 'CREATE_FAILED':
    case 'ROLLBACK_FAILED':
    case 'DELETE_FAILED':
      return failed(
        `${name} is in the state ${status}. docs/deploy.md says what may be left of it.`,
        ...remove,
      );
    case 'UPDATE_FAILED':
    case 'UPDATE_ROLLBACK_FAILED':
      return failed(
        `${name} is in the state ${status}. Mend what its events name, then:`,
        aws('continue-update-rollback'),
      );
    default:
      if (!status.endsWith('_IN_PROGRESS')) return undefined;
      return failed(
        `${name} is being changed (${status}).`,
        'Wait until that is over, and run it again.',
      );
  }
}
