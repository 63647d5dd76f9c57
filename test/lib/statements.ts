import type { Template } from 'aws-cdk-lib/assertions';
import { resources, text } from './stacks.ts';

/** A statement of an IAM policy as the template has it. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Statements of a role's own policies. */
export function statementsOf(template: Template, role: string): readonly Statement[] {
  const { Policies = [] } = resources(template, 'AWS::IAM::Role')[role]?.Properties ?? {};
  return Policies.flatMap(
    (policy: { PolicyDocument: { Statement: readonly Statement[] } }) =>
      policy.PolicyDocument.Statement,
  );
}

/** What statements allow or deny, one `action on resource [if condition]` each. */
export function listed(statements: readonly Statement[], effect: Statement['Effect']): string[] {
  return statements
    .filter(({ Effect }) => Effect === effect)
    .flatMap(({ Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((resource) => {
          const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
          return `${action} on ${text(resource).replace(ARN_HEAD, '')}${condition}`;
        }),
      ),
    )
    .sort();
}

const ARN_HEAD = /^arn:AWS::Partition:\w+:AWS::Region:AWS::AccountId:/;

/** An action on a table of the lake needs the same on its database and on the catalog. */
export const onTables = (actions: readonly string[]) =>
  actions.flatMap((action) => [
    `glue:${action} on catalog`,
    `glue:${action} on database/LakeDatabase`,
    `glue:${action} on table/LakeDatabase/*`,
  ]);
