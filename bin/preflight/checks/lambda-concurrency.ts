import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
} from '@aws-sdk/client-lambda';
import type { Check } from '../check.ts';
import { raiseQuota } from '../quotas.ts';
import { failed, isServiceError, ok, unchecked, warning } from '../verdict.ts';

/** Lambda refuses to set aside what would leave less than this to functions without a reservation. */
const KEPT_UNRESERVED = 100;

/** A new account may have no more. */
const SMALL_ACCOUNT = 10;

const QUOTA_CODE = 'L-B99A9384';

/** Whether the account has the concurrency that functions set aside. */
export const lambdaConcurrency: Check = {
  name: 'Lambda concurrency',
  permissions: ['lambda:GetAccountSettings', 'lambda:GetFunctionConcurrency'],
  async run({ clients, config, planned, region }) {
    const { AccountLimit } = await clients.lambda.send(new GetAccountSettingsCommand({}));
    const limit = AccountLimit?.ConcurrentExecutions;
    const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
    if (limit === undefined || unreserved === undefined) {
      return unchecked('Lambda answered without the limits of the account.');
    }
    const wanted = sum(planned.concurrency.map(({ reserved }) => reserved));
    if (wanted === 0) {
      const says = `${limit} calls at once in this account and Region; the environment sets none aside.`;
      if (limit > SMALL_ACCOUNT) return ok(says);
      return warning(
        `${says} That is enough to try things, and not for production.`,
        raiseQuota('lambda', QUOTA_CODE, 1_000, region),
      );
    }
    const own = await Promise.all(
      planned.concurrency.map(({ functionName }) => reservedBy(clients.lambda, functionName)),
    );
    const free = unreserved + sum(own) - KEPT_UNRESERVED;
    const others = limit - unreserved - sum(own);
    const state = `The account has ${limit}; others set ${others} aside, AWS keeps ${KEPT_UNRESERVED} unreserved, and the environment wants ${wanted}`;
    if (wanted <= free) return ok(`${state}.`);
    return failed(
      `${state}: ${wanted - free} too many.`,
      raiseQuota('lambda', QUOTA_CODE, Math.max(1_000, limit + wanted - free), region),
      `Or set queryConcurrency in config/${config.environment}.ts to ${free > 0 ? `${free} at most, or to 'unreserved'` : `'unreserved'`}.`,
    );
  },
};

/** What a function of an earlier deployment sets aside already; 0 if there is none. */
async function reservedBy(client: LambdaClient, functionName: string): Promise<number> {
  try {
    const { ReservedConcurrentExecutions } = await client.send(
      new GetFunctionConcurrencyCommand({ FunctionName: functionName }),
    );
    return ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    if (isServiceError(error, 'ResourceNotFoundException')) return 0;
    throw error;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
