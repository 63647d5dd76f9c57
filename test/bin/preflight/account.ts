/** An account in which everything is as a first deployment needs it, as the services answer it. */
import type { Target } from '../../../bin/preflight/check.ts';
import { createClients } from '../../../bin/preflight/clients.ts';
import type { PlannedDeployment } from '../../../bin/preflight/planned-deployment.ts';
import { type Config, loadConfig } from '../../../lib/config.ts';
import { type Answers, Refusal } from './stand-in.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-west-1';

const NO_STACK = new Refusal('ValidationError', 'Stack with id x does not exist');
const NOT_FOUND = new Refusal('ResourceNotFoundException', 'It is not found.', 404);

const LEFT_TO_IAM = [
  {
    Principal: { DataLakePrincipalIdentifier: 'IAM_ALLOWED_PRINCIPALS' },
    Permissions: ['ALL'],
  },
];

const QUOTAS: Readonly<Record<string, object>> = {
  athena: { QuotaName: 'Active DML queries', QuotaCode: 'L-FC5F6546', Value: 200 },
  firehose: { QuotaName: 'Delivery streams', QuotaCode: 'L-14BB0BE7', Value: 5_000 },
};

export const READY: Answers = {
  GetCallerIdentity: { Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/me`, UserId: 'AIDA' },
  GetParameter: { Parameter: { Value: '28' } },
  GetParameters: { Parameters: [], InvalidParameters: [] },
  DescribeStacks: NO_STACK,
  ListStackResources: NO_STACK,
  GetDatabase: ({ Name }) =>
    Name === 'default' ? { Database: { Name } } : new Refusal('EntityNotFoundException'),
  GetDataLakeSettings: {
    DataLakeSettings: {
      CreateDatabaseDefaultPermissions: LEFT_TO_IAM,
      CreateTableDefaultPermissions: LEFT_TO_IAM,
    },
  },
  GetAccountSettings: {
    AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
  },
  GetFunctionConcurrency: NOT_FOUND,
  GetFunctionConfiguration: NOT_FOUND,
  ListServiceQuotas: ({ ServiceCode }) => ({ Quotas: [QUOTAS[String(ServiceCode)]] }),
  ListDeliveryStreams: { DeliveryStreamNames: [], HasMoreDeliveryStreams: false },
  DescribeDeliveryStream: NOT_FOUND,
  DescribeLogGroups: { logGroups: [] },
  DescribeSecret: NOT_FOUND,
  ListWorkGroups: { WorkGroups: [{ Name: 'primary' }] },
};

/** The day of the first deployment. */
export const TODAY = '2026-11-23';

/** `prod`, first deployed today. */
export const PROD: Config = { ...loadConfig('prod'), firstDay: TODAY };

/** A part of what `prod` creates: to read it all takes the CDK, and seconds to load that. */
const PLANNED: PlannedDeployment = {
  stacks: ['sluice-prod-storage', 'sluice-prod-service', 'sluice-prod-observability'],
  names: [
    { type: 'database', name: 'sluice_prod' },
    { type: 'secret', name: 'sluice-prod/admin-key' },
    { type: 'stream', name: 'sluice-prod-landing' },
    { type: 'workgroup', name: 'sluice-prod-analysts' },
    { type: 'log group', name: '/aws/lambda/sluice-prod-query' },
    { type: 'function', name: 'sluice-prod-query' },
  ],
  concurrency: [{ functionName: 'sluice-prod-query', reserved: 20 }],
};

/** What a check is run on; clients ask where the environment points them. */
export function target(changes: Partial<Target> = {}): Target {
  return {
    config: PROD,
    planned: PLANNED,
    account: ACCOUNT,
    region: REGION,
    regionFrom: 'AWS_REGION',
    terminal: { region: REGION, from: 'AWS_REGION' },
    clients: createClients(REGION),
    fix: false,
    today: TODAY,
    ...changes,
  };
}
