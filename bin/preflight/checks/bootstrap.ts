import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { Check } from '../check.ts';
import { failed, isServiceError, ok } from '../verdict.ts';

/** Where `cdk bootstrap` notes its version, with the qualifier that the CDK has by default. */
export const BOOTSTRAP_PARAMETER = '/cdk-bootstrap/hnb659fds/version';

/** Templates of the CDK refuse earlier versions. */
export const BOOTSTRAP_VERSION = 6;

/** Whether the account and Region are prepared for the CDK. */
export const bootstrap: Check = {
  name: 'CDK bootstrap',
  permissions: ['ssm:GetParameter'],
  async run({ clients, account, region }) {
    const mend = `npx cdk bootstrap aws://${account}/${region}`;
    try {
      const { Parameter } = await clients.ssm.send(
        new GetParameterCommand({ Name: BOOTSTRAP_PARAMETER }),
      );
      const version = Number(Parameter?.Value);
      if (version >= BOOTSTRAP_VERSION) return ok(`Version ${version}.`);
      return failed(
        `The Region has version ${Parameter?.Value ?? 'without a number'}; ${BOOTSTRAP_VERSION} or later is needed.`,
        mend,
      );
    } catch (error) {
      if (!isServiceError(error, 'ParameterNotFound')) throw error;
      return failed('This account and Region are not prepared for the CDK.', mend);
    }
  },
};
