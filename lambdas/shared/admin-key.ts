import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { ServiceError } from '../../src/platform/errors.ts';

/** What may be an admin key: long enough not to be guessed, and fit for a header. */
export const AdminKey = z
  .string('must be text')
  .check(
    z.minLength(20, 'must have at least 20 characters'),
    z.regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces'),
  );

/**
 * Reads the admin key that Secrets Manager made.
 *
 * @param secret ARN.
 * @throws ServiceError `invalid_admin_key` (500) when the secret holds no such key, never with its value;
 *   what the SDK throws.
 */
export async function readAdminKey(secret: string): Promise<string> {
  const client = new SecretsManagerClient();
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
  const key = AdminKey.safeParse(SecretString);
  if (!key.success) {
    const faults = key.error.issues.map(({ message }) => message).join(' and ');
    throw new ServiceError(
      'invalid_admin_key',
      500,
      `The admin key in the secret ${secret} ${faults}. Put another one there.`,
    );
  }
  return key.data;
}
