import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { classifySdkError } from '../../../src/platform/sdk-error.ts';
import type { Terminal } from '../check.ts';
import { failed, ok, type Verdict } from '../verdict.ts';

/** Who the credentials are; no account where they do not work, or are of another one than the configuration names. */
export interface Identity {
  readonly verdict: Verdict;
  readonly account: string | undefined;
}

/** Asks AWS whose credentials these are, which needs no permission. */
export async function identify({ clients, config, region }: Terminal): Promise<Identity> {
  let identity: { readonly Account?: string | undefined; readonly Arn?: string | undefined };
  try {
    identity = await clients.sts.send(new GetCallerIdentityCommand({}));
  } catch (error) {
    return { verdict: refusal(error, region), account: undefined };
  }
  const { Account: account, Arn: arn } = identity;
  if (account === undefined) {
    const verdict = failed(
      'AWS answered without an account.',
      'Look at the network and its proxy.',
    );
    return { verdict, account };
  }
  if (config.account !== undefined && config.account !== account) {
    const verdict = failed(
      `The credentials are of account ${account}, but config/${config.environment}.ts names ${config.account}.`,
      `Use credentials of ${config.account} (--profile, AWS_PROFILE), or change account in config/${config.environment}.ts.`,
    );
    return { verdict, account: undefined };
  }
  return { verdict: ok(`Account ${account}, as ${arn ?? 'an identity without a name'}.`), account };
}

/** The SDK's messages may quote what a credential process printed, so only their codes are told. */
function refusal(error: unknown, region: string): Verdict {
  const { code, kind } = classifySdkError(error);
  switch (code) {
    case 'ENOTFOUND':
      return failed(
        `There is no address of AWS for the Region ${region}, or no network.`,
        'Look at the spelling of the Region, and at the network.',
      );
    case 'CredentialsProviderError':
    case 'TokenProviderError':
      return failed(
        'There are no credentials, or those of the profile have expired.',
        'aws configure, or aws sso login; then --profile <name>',
      );
    case 'ExpiredToken':
    case 'ExpiredTokenException':
      return failed('The credentials have expired.', 'Log in again, with aws sso login for one.');
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
    case 'SignatureDoesNotMatch':
      return failed(
        `AWS does not take the credentials in ${region} (${code}).`,
        `They are wrong or deleted, or the account has not enabled the Region: aws account get-region-opt-status --region-name ${region}`,
      );
    default:
      return failed(
        `The credentials could not be tried (${code}).`,
        kind === 'permanent'
          ? 'Look at the credentials and at the clock of this machine.'
          : 'Run it again; look at the network and its proxy.',
      );
  }
}
