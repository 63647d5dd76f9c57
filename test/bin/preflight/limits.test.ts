import type { Target } from '../../../bin/preflight/check.ts';
import { athenaQuota } from '../../../bin/preflight/checks/athena-quota.ts';
import { firehoseQuota } from '../../../bin/preflight/checks/firehose-quota.ts';
import { lambdaConcurrency } from '../../../bin/preflight/checks/lambda-concurrency.ts';
import { PROD, target } from './account.ts';
import { cases } from './cases.ts';
import type { Answers } from './stand-in.ts';

const limits = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number): Answers => ({
  GetAccountSettings: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } },
});
const unreserved: Partial<Target> = {
  config: { ...PROD, queryConcurrency: 'unreserved' },
  planned: { ...target().planned, concurrency: [] },
};

cases(lambdaConcurrency, [
  ['suffices', {}, {}, 'ok', /wants 20\.$/],
  ['just suffices', limits(120, 120), {}, 'ok', /has 120/],
  [
    'is short by one',
    limits(119, 119),
    {},
    'failed',
    /: 1 too many\.\naws service-quotas [\s\S]*--quota-code L-B99A9384 --desired-value 1000 [\s\S]*to 19 at most/,
  ],
  ['is that of a new account', limits(10, 10), {}, 'failed', /queryConcurrency .* to 'unreserved'/],
  ['is set aside by others', limits(1_000, 110), {}, 'failed', /others set 890 aside/],
  [
    'is set aside by the same environment already',
    { ...limits(120, 100), GetFunctionConcurrency: { ReservedConcurrentExecutions: 20 } },
    {},
    'ok',
    /others set 0 aside/,
  ],
  ['is not set aside', limits(1_000, 1_000), unreserved, 'ok', /sets none aside/],
  ['is not set aside in a new account', limits(10, 10), unreserved, 'warning', /to try things/],
  ['is not told', { GetAccountSettings: {} }, {}, 'unchecked', /without the limits/],
]);

const dml = (Value: number): Answers => ({
  ListServiceQuotas: {
    Quotas: [{ QuotaName: 'Active DML queries', QuotaCode: 'L-FC5F6546', Value }],
  },
});

cases(athenaQuota, [
  ['have room', {}, {}, 'ok', /200 .* starts 20 at most/],
  [
    'have little room',
    dml(25),
    {},
    'warning',
    /leaves little[\s\S]*--desired-value 40[\s\S]*to 12/,
  ],
  ['have no room', dml(15), {}, 'failed', /fewer than the 20[\s\S]*to 7 or less/],
  ['are not bounded', dml(15), unreserved, 'ok', /may use all/],
  [
    'are on a later page, and in the defaults only',
    {
      ListServiceQuotas: { Quotas: [{ QuotaName: 'Another', Value: 1 }] },
      ListAWSDefaultServiceQuotas: ({ NextToken }) =>
        NextToken === undefined
          ? { Quotas: [], NextToken: 'more' }
          : { Quotas: [{ QuotaName: 'Active DML queries', Value: 150 }] },
    },
    {},
    'ok',
    /^150 /,
  ],
  [
    'are listed nowhere',
    { ListServiceQuotas: {}, ListAWSDefaultServiceQuotas: {} },
    {},
    'unchecked',
    /no quota "Active DML queries"/,
  ],
]);

cases(firehoseQuota, [
  ['have room', {}, {}, 'ok', /0 of 5000 .* 5 MiB\/s/],
  ['take less in most Regions', {}, { region: 'eu-central-1' }, 'ok', / 1 MiB\/s/],
  [
    'are too many, over two pages',
    {
      ListDeliveryStreams: ({ ExclusiveStartDeliveryStreamName: last }) =>
        last === undefined
          ? { DeliveryStreamNames: ['a', 'b'], HasMoreDeliveryStreams: true }
          : { DeliveryStreamNames: ['c'], HasMoreDeliveryStreams: false },
      ListServiceQuotas: {
        Quotas: [{ QuotaName: 'Delivery streams', QuotaCode: 'L-14BB0BE7', Value: 3 }],
      },
    },
    {},
    'failed',
    /3 of 3 streams exist, and the environment needs 1[\s\S]*--desired-value 4/,
  ],
  [
    'are counted once when they exist',
    {
      ListDeliveryStreams: {
        DeliveryStreamNames: ['sluice-prod-landing'],
        HasMoreDeliveryStreams: false,
      },
      ListServiceQuotas: { Quotas: [{ QuotaName: 'Delivery streams', Value: 1 }] },
    },
    {},
    'ok',
    /1 of 1/,
  ],
  [
    'promise pages that are empty',
    { ListDeliveryStreams: { DeliveryStreamNames: [], HasMoreDeliveryStreams: true } },
    {},
    'ok',
    /0 of 5000/,
  ],
]);
