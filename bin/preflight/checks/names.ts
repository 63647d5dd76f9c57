import { paginateListWorkGroups } from '@aws-sdk/client-athena';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeDeliveryStreamCommand } from '@aws-sdk/client-firehose';
import { GetDatabaseCommand } from '@aws-sdk/client-glue';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Check } from '../check.ts';
import type { Clients } from '../clients.ts';
import type { NamedType, PlannedName } from '../planned-deployment.ts';
import { physicalIds } from '../stacks.ts';
import { failed, isServiceError, ok } from '../verdict.ts';

/** How to learn whether a name is taken, and what frees it. */
interface Kind {
  readonly isTaken: (clients: Clients, name: string) => Promise<boolean>;
  readonly remove: (name: string) => string;
}

const KINDS: Readonly<Record<NamedType, Kind>> = {
  database: {
    isTaken: ({ glue }, Name) => exists(glue.send(new GetDatabaseCommand({ Name }))),
    // The files of its tables stay.
    remove: (name) => `aws glue delete-database --name ${name}`,
  },
  function: {
    isTaken: ({ lambda }, FunctionName) =>
      exists(lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))),
    remove: (name) => `aws lambda delete-function --function-name ${name}`,
  },
  'log group': {
    isTaken: async ({ logs }, name) => {
      const answer = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }));
      // In the order of their names: the one that is nothing but the prefix is on the first page.
      return answer.logGroups?.some(({ logGroupName }) => logGroupName === name) ?? false;
    },
    remove: (name) => `aws logs delete-log-group --log-group-name ${name}`,
  },
  secret: {
    // One that waits for its deletion is found, and keeps its name until then.
    isTaken: ({ secrets }, SecretId) =>
      exists(secrets.send(new DescribeSecretCommand({ SecretId }))),
    remove: (name) =>
      `aws secretsmanager delete-secret --secret-id ${name} --force-delete-without-recovery`,
  },
  stream: {
    isTaken: ({ firehose }, DeliveryStreamName) =>
      exists(firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName }))),
    remove: (name) => `aws firehose delete-delivery-stream --delivery-stream-name ${name}`,
  },
  workgroup: {
    isTaken: async ({ athena: client }, name) => {
      for await (const { WorkGroups = [] } of paginateListWorkGroups(
        { client, stopOnSameToken: true },
        {},
      )) {
        if (WorkGroups.some(({ Name }) => Name === name)) return true;
      }
      return false;
    },
    remove: (name) => `aws athena delete-work-group --work-group ${name} --recursive-delete-option`,
  },
};

/** Whether something that is not of these stacks has a name that they need. Buckets, tables and the queue have none of their own. */
export const names: Check = {
  name: 'Names',
  permissions: [
    'athena:ListWorkGroups',
    'cloudformation:ListStackResources',
    'firehose:DescribeDeliveryStream',
    'glue:GetDatabase',
    'lambda:GetFunctionConfiguration',
    'logs:DescribeLogGroups',
    'secretsmanager:DescribeSecret',
  ],
  async run({ clients, config, planned, region }) {
    const owned = await Promise.all(
      planned.stacks.map((stack) => physicalIds(clients.cloudFormation, stack)),
    );
    const ids = owned.flat();
    const others = planned.names.filter((one) => !ids.some((id) => isIdOf(id, one)));
    const taken: PlannedName[] = [];
    for (const one of others) {
      if (await KINDS[one.type].isTaken(clients, one.name)) taken.push(one);
    }
    if (taken.length === 0) {
      return ok(
        `${ids.length === 0 ? 'None' : 'No other'} of the ${planned.names.length} fixed names is taken.`,
      );
    }
    const list = taken.map(({ type, name }) => `the ${type} ${name}`).join(', ');
    return failed(
      `Names are taken by what is not of these stacks: ${list}. Look at what it is; then delete it, or call the environment something else than ${config.environment}.`,
      ...taken.map(({ type, name }) => `${KINDS[type].remove(name)} --region ${region}`),
    );
  },
};

/** CloudFormation identifies most resources by their names, and secrets by ARNs that end in a dash and six characters. */
function isIdOf(id: string, { type, name }: PlannedName): boolean {
  return type === 'secret' ? id.includes(`:secret:${name}-`) : id === name;
}

const NOT_FOUND = ['EntityNotFoundException', 'ResourceNotFoundException'] as const;

async function exists(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (isServiceError(error, ...NOT_FOUND)) return false;
    throw error;
  }
}
