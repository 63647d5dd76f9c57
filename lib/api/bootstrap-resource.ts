import { createHash } from 'node:crypto';
import { CustomResource, Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface BootstrapResourceProps {
  readonly bootstrap: IFunction;
  /** The admin key; another secret is another first run. */
  readonly secret: Pick<ISecret, 'secretArn'>;
  /** All that is shipped, as JSON can say it: when it changes, the function is called again. */
  readonly shipped: unknown;
}

/**
 * Calls the bootstrap function while the stack is deployed: the first time, and whenever what is shipped
 * has changed. CloudFormation calls the function itself; the CDK's provider framework would put another
 * function and a role with managed policies between them.
 */
export class BootstrapResource extends Construct {
  constructor(scope: Construct, id: string, props: BootstrapResourceProps) {
    super(scope, id);
    new CustomResource(this, 'Resource', {
      resourceType: 'Custom::SluiceFirstRun',
      serviceToken: props.bootstrap.functionArn,
      // The function needs two minutes at most; without this a lost answer would hold a deployment up
      // for an hour.
      serviceTimeout: Duration.minutes(5),
      properties: {
        Secret: props.secret.secretArn,
        Shipped: digest(props.shipped),
      },
    });
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
