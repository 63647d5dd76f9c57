import { afterEach, describe, expect, test, vi } from 'vitest';
import { readAdminKey } from '../../../lambdas/shared/admin-key.ts';
import { type AwsStandIn, startAws } from '../support/aws-stand-in.ts';

const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:sluice-test/admin-key-a1b2c3';

let aws: AwsStandIn;
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

async function secretIs(value: string): Promise<void> {
  aws = await startAws(value);
  for (const [name, setting] of Object.entries(aws.environment)) vi.stubEnv(name, setting);
}

describe('the admin key in Secrets Manager', () => {
  test('is read as it is', async () => {
    await secretIs('Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i');
    expect(await readAdminKey(ARN)).toBe('Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i');
  });

  test.each([
    ['short', 'must have at least 20 characters'],
    ['{"adminKey": "has spaces in it"}', 'must be printable ASCII without spaces'],
  ])('that somebody replaced by %j is refused, and not shown', async (value, fault) => {
    await secretIs(value);

    const error = await readAdminKey(ARN).catch((reason) => reason);

    expect(error).toMatchObject({
      code: 'invalid_admin_key',
      message: expect.stringContaining(fault),
    });
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(value);
  });
});
