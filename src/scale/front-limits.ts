import type { Limit } from './limit.ts';
import { BUSIEST_SHARE } from './load.ts';

const MIB = 2 ** 20;

/** Regions whose streams have the smaller quotas. */
export const OTHER_REGIONS = 'other Regions';

/** From the request to the stream. */
export const FRONT_LIMITS: readonly Limit[] = [
  {
    name: 'API, `throttle.requestsPerSecond`',
    unit: 'requests/s',
    most: 1_000,
    source: 'setting',
    takes: ({ requests }) => requests,
    beyond: '429; agents send again',
    moves: '`throttle`, up to the account’s limit; larger batches',
  },
  {
    name: 'API Gateway, account and Region',
    unit: 'requests/s',
    most: 10_000,
    source: 'documented',
    takes: ({ requests }) => requests,
    beyond: '429; agents send again',
    moves: 'quota "Throttle rate"; 2,500 in newer Regions; larger batches',
  },
  {
    name: 'Lambda, instances of the account',
    unit: 'instances',
    most: 1_000,
    source: 'documented',
    takes: ({ ingestInstances, queryInstances }) => ingestInstances + queryInstances,
    beyond: '5xx of API Gateway; agents send again',
    moves: 'quota "Concurrent executions"; larger batches',
  },
  {
    name: 'Lambda, instances that 10 s can add',
    unit: 'instances',
    most: 1_000,
    source: 'documented',
    // A burst of ten times the load, within ten seconds.
    takes: ({ ingestInstances }) => 9 * ingestInstances,
    beyond:
      'in a burst of ten times: 5xx of API Gateway until the instances are there; agents send again',
    moves: 'nothing; larger batches',
  },
  {
    name: '`rateLimits.perSource`, busiest source',
    unit: 'events/s',
    most: 100_000,
    source: 'setting',
    takes: ({ load }) => BUSIEST_SHARE * load.eventsPerSecond,
    beyond: '429 with `Retry-After`',
    moves: '`rateLimits.perSource`, or `api_quota` of the source',
  },
  {
    name: '`rateLimits.perKey`, busiest key',
    unit: 'events/s',
    most: 500_000,
    source: 'setting',
    takes: ({ load }) => BUSIEST_SHARE * load.eventsPerSecond,
    beyond: '429 with `Retry-After`',
    moves: '`rateLimits.perKey`, or `rate_limit` of the key',
  },
  ...stream('us-east-1, us-west-2, eu-west-1', {
    bytes: 5 * MIB,
    requests: 2_000,
    records: 500_000,
  }),
  ...stream(OTHER_REGIONS, { bytes: MIB, requests: 1_000, records: 100_000 }),
];

/** A stream's quotas grow together. */
function stream(
  where: string,
  most: { readonly bytes: number; readonly requests: number; readonly records: number },
): Limit[] {
  const common = {
    source: 'documented',
    beyond: '200: retried for 4 s, then parked and put on the stream later',
    moves: '`landingStreams`; the stream’s quota',
  } as const;
  return [
    {
      ...common,
      name: `Firehose, bytes of a stream (${where})`,
      unit: 'MiB/s',
      most: most.bytes / MIB,
      takes: ({ streamBytes }) => streamBytes / MIB,
    },
    {
      ...common,
      name: `Firehose, calls of a stream (${where})`,
      unit: 'calls/s',
      most: most.requests,
      takes: ({ streamRequests }) => streamRequests,
    },
    {
      ...common,
      name: `Firehose, records of a stream (${where})`,
      unit: 'records/s',
      most: most.records,
      takes: ({ streamRecords }) => streamRecords,
    },
  ];
}
