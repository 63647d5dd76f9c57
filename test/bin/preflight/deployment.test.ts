import { bootstrap } from '../../../bin/preflight/checks/bootstrap.ts';
import { firstDay } from '../../../bin/preflight/checks/first-day.ts';
import { names } from '../../../bin/preflight/checks/names.ts';
import { region } from '../../../bin/preflight/checks/region.ts';
import { services } from '../../../bin/preflight/checks/services.ts';
import { stacks } from '../../../bin/preflight/checks/stacks.ts';
import { target } from './account.ts';
import { type Case, cases, config } from './cases.ts';
import { type Answers, Refusal } from './stand-in.ts';

cases(region, [
  ['is that of the terminal', {}, {}, 'ok', /^eu-west-1, from AWS_REGION\.$/],
  [
    'is another one than the configuration names',
    {},
    config({ region: 'us-east-1' }),
    'failed',
    /cdk deploys to us-east-1/,
  ],
  [
    'is named nowhere',
    {},
    { regionFrom: undefined, region: 'us-east-1' },
    'warning',
    /Nothing names a Region[\s\S]*region: 'us-east-1'/,
  ],
  [
    'is not that which other commands ask',
    {},
    { ...config({ region: 'eu-west-1' }), terminal: { region: 'us-west-2', from: 'AWS_REGION' } },
    'warning',
    /ask us-west-2 \(AWS_REGION\)\.\nexport AWS_REGION=eu-west-1/,
  ],
  [
    'is that of the command line only',
    {},
    { regionFrom: '--region', terminal: { region: 'us-west-2', from: 'AWS_REGION' } },
    'warning',
    /cdk among them/,
  ],
]);

cases(services, [
  ['are all there', {}, {}, 'ok', /all 14/],
  [
    'lack one',
    {
      GetParameters: [
        { InvalidParameters: [] },
        {
          InvalidParameters: [
            '/aws/service/global-infrastructure/regions/eu-west-1/services/scheduler',
          ],
        },
      ],
    },
    {},
    'warning',
    /does not have scheduler\./,
  ],
  [
    'are not listed for a Region',
    { GetParameters: ({ Names }) => ({ InvalidParameters: Names }) },
    {},
    'unchecked',
    /publishes no list/,
  ],
]);

cases(bootstrap, [
  ['is done', {}, {}, 'ok', /Version 28/],
  [
    'is not done',
    { GetParameter: new Refusal('ParameterNotFound') },
    {},
    'failed',
    /not prepared[\s\S]*npx cdk bootstrap aws:\/\/111122223333\/eu-west-1/,
  ],
  ['is too old', { GetParameter: { Parameter: { Value: '5' } } }, {}, 'failed', /version 5; 6 or/],
  ['is no number', { GetParameter: { Parameter: {} } }, {}, 'failed', /without a number/],
]);

const stack = (StackName: string, StackStatus: string, more: object = {}) => ({
  Stacks: { member: [{ StackName, StackStatus, CreationTime: '2026-11-20T10:00:00Z', ...more }] },
});
const protectedStack = { EnableTerminationProtection: true };

cases(stacks, [
  ['do not exist', {}, {}, 'ok', /None exists/],
  [
    'can be updated',
    { DescribeStacks: stack('sluice-prod-storage', 'UPDATE_COMPLETE') },
    {},
    'ok',
    /can be updated/,
  ],
  [
    'are left from an attempt that the CDK clears away',
    { DescribeStacks: stack('sluice-prod-service', 'ROLLBACK_COMPLETE') },
    {},
    'ok',
    /sluice-prod-service/,
  ],
  [
    'are left from an attempt, and protected',
    { DescribeStacks: stack('sluice-prod-storage', 'ROLLBACK_COMPLETE', protectedStack) },
    {},
    'failed',
    /no-enable-termination-protection --stack-name sluice-prod-storage[\s\S]*delete-stack/,
  ],
  ...['ROLLBACK_FAILED', 'DELETE_FAILED', 'CREATE_FAILED'].map(
    (state): Case => [
      `are in the state ${state}`,
      { DescribeStacks: stack('sluice-prod-service', state) },
      {},
      'failed',
      new RegExp(
        `${state}[\\s\\S]*delete-stack --stack-name sluice-prod-service --region eu-west-1`,
      ),
    ],
  ),
  [
    'could not go back',
    { DescribeStacks: stack('sluice-prod-service', 'UPDATE_ROLLBACK_FAILED') },
    {},
    'failed',
    /continue-update-rollback/,
  ],
  [
    'are being changed',
    { DescribeStacks: stack('sluice-prod-service', 'UPDATE_IN_PROGRESS') },
    {},
    'failed',
    /being changed[\s\S]*Wait/,
  ],
  [
    'have a change set that nobody executed',
    { DescribeStacks: stack('sluice-prod-service', 'REVIEW_IN_PROGRESS') },
    {},
    'ok',
    /./,
  ],
  [
    'have no state',
    { DescribeStacks: { Stacks: { member: [{ CreationTime: '2026-11-20T10:00:00Z' }] } } },
    {},
    'unchecked',
    /without the name or state/,
  ],
]);

const owned = (ids: readonly string[], next?: string) => ({
  StackResourceSummaries: {
    member: ids.map((PhysicalResourceId) => ({
      PhysicalResourceId,
      ResourceStatus: 'CREATE_COMPLETE',
    })),
  },
  ...(next === undefined ? {} : { NextToken: next }),
});
const taken: Answers = { GetDatabase: { Database: { Name: 'sluice_prod' } } };

cases(names, [
  ['are free', {}, {}, 'ok', /None of the 6/],
  [
    'have a database of a deployment before',
    taken,
    {},
    'failed',
    /aws glue delete-database --name/,
  ],
  [
    'are those of the stacks themselves, on a later page',
    { ...taken, ListStackResources: [owned(['x'], 'more'), owned(['sluice_prod'])] },
    { planned: { ...target().planned, stacks: ['sluice-prod-storage'] } },
    'ok',
    /No other/,
  ],
  [
    'have a secret that waits for its deletion',
    { DescribeSecret: { Name: 'sluice-prod/admin-key', DeletedDate: 1_795_000_000 } },
    {},
    'failed',
    /the secret sluice-prod\/admin-key\.[\s\S]*--force-delete-without-recovery/,
  ],
  [
    'have a secret of the stack',
    {
      DescribeSecret: { Name: 'sluice-prod/admin-key' },
      ListStackResources: owned([
        'arn:aws:secretsmanager:eu-west-1:111122223333:secret:sluice-prod/admin-key-AbC123',
      ]),
    },
    {},
    'ok',
    /No other/,
  ],
  [
    'have a workgroup that analysts used, on a later page',
    {
      ListWorkGroups: ({ NextToken }) =>
        NextToken === undefined
          ? { WorkGroups: [{ Name: 'primary' }], NextToken: 'more' }
          : { WorkGroups: [{ Name: 'sluice-prod-analysts' }] },
    },
    {},
    'failed',
    /delete-work-group --work-group sluice-prod-analysts --recursive-delete-option --region eu/,
  ],
  [
    'have a log group',
    { DescribeLogGroups: { logGroups: [{ logGroupName: '/aws/lambda/sluice-prod-query' }] } },
    {},
    'failed',
    /the log group \/aws\/lambda\/sluice-prod-query\./,
  ],
  [
    'have a function and a stream',
    {
      GetFunctionConfiguration: { FunctionName: 'x' },
      DescribeDeliveryStream: { DeliveryStreamDescription: {} },
    },
    {},
    'failed',
    /delete-delivery-stream[\s\S]*delete-function/,
  ],
]);

cases(firstDay, [
  ['is today', {}, {}, 'ok', /today or shortly/],
  [
    'is tomorrow',
    {},
    { today: '2026-11-22' },
    'failed',
    /in the future \(it is 2026-11-22 in UTC\)[\s\S]*firstDay: '2026-11-22'/,
  ],
  ['is long past', {}, { today: '2026-12-23' }, 'warning', /30 days ago[\s\S]*720 hours/],
  [
    'is that of a lake that exists',
    { DescribeStacks: stack('sluice-prod-storage', 'CREATE_COMPLETE') },
    { ...config({ firstDay: '2026-11-01' }) },
    'ok',
    /made on 2026-11-20/,
  ],
  [
    'was moved after the lake was made',
    { DescribeStacks: stack('sluice-prod-storage', 'CREATE_COMPLETE') },
    {},
    'failed',
    /no query would find what came before[\s\S]*firstDay: '2026-11-20'/,
  ],
]);
