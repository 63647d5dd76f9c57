import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../shared/nag-suppressions.ts';

export interface AdminKeyProps {
  readonly environment: string;
}

/**
 * The first admin key. Secrets Manager makes it up, so that it is in no template, log or terminal; the
 * bootstrap function tells the registry its hash.
 *
 * It is beside the registry because it is of use for as long as that is, but is not kept like it: the
 * registry needs the hash only, and a new stack of that name could not have a secret of the same name.
 */
export class AdminKey extends Construct {
  readonly secret: Secret;
  /** Prints the key, for those who may read the secret. */
  readonly command: string;

  constructor(scope: Construct, id: string, props: AdminKeyProps) {
    super(scope, id);
    const secretName = `sluice-${props.environment}/admin-key`;
    this.secret = new Secret(this, 'Secret', {
      secretName,
      description: `Admin key of Sluice (${props.environment})`,
      generateSecretString: {
        // Letters and digits, 285 bits: nothing that a shell or a header would have to quote.
        passwordLength: 48,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.command = `aws secretsmanager get-secret-value --secret-id ${secretName} --query SecretString --output text`;
    acknowledge(
      this,
      'AwsSolutions-SMG4',
      'Whoever manages the service holds this key, and would be locked out by a rotation of which nobody told them. It is rotated by hand.',
    );
  }
}
