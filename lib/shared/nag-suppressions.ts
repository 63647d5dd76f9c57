import { type ArnComponents, Stack, Validations } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';

/**
 * Accepts one finding of a validation, on a construct and everything in it.
 *
 * @param rule id of the rule as synthesis prints it
 * @param reason why the rule's risk does not apply or is taken
 */
export function acknowledge(construct: IConstruct, rule: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: rule, reason });
}

/**
 * Accepts that a policy names all objects under a prefix of a bucket that belongs to another stack.
 * Any other wildcard in the same policy remains a finding.
 */
export function acknowledgeObjects(
  construct: IConstruct,
  bucket: IBucket,
  prefix: string,
  reason: string,
): void {
  // cdk-nag names the finding by what the template says: the export of the bucket's ARN.
  const { 'Fn::ImportValue': bucketArn } = Stack.of(construct).resolve(
    Stack.of(bucket).exportValue(bucket.bucketArn),
  );
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${bucketArn}/${prefix}*]`, reason);
}

/** Accepts that a policy names all resources that an ARN with a wildcard stands for, and no other ones. */
export function acknowledgeArn(construct: IConstruct, arn: ArnComponents, reason: string): void {
  const stack = Stack.of(construct);
  // Text where the environment names its account and Region, else a join with references, which cdk-nag
  // prints in angle brackets.
  const resolved: string | { 'Fn::Join': [string, (string | { Ref: string })[]] } = stack.resolve(
    stack.formatArn(arn),
  );
  const named =
    typeof resolved === 'string'
      ? resolved
      : resolved['Fn::Join'][1]
          .map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`))
          .join('');
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${named}]`, reason);
}
