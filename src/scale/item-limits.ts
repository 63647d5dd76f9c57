import type { Limit } from './limit.ts';
import { BUSIEST_SHARE, type Demand, RUN_SECONDS } from './load.ts';

/** What one partition of DynamoDB gives, and so one item: units of 1 KB written, of 4 KB read. */
const WRITES = 1_000;
const READS = 3_000;

/** Seconds that instances remember what they read of the registry. */
const REGISTRY_CACHE_SECONDS = 10;
/** An instance draws what it used in 5 s, and draws again when a quarter is left. */
const SECONDS_PER_DRAW = 3.75;
/** Seconds between two writes of an instance about the refusals of a source, and KB of each. */
const REJECTION_SECONDS = 10;
const REJECTION_KB = 2;

/** Items that many instances read or write. */
export const ITEM_LIMITS: readonly Limit[] = [
  {
    name: 'rate limit of the busiest source or key',
    unit: 'writes/s',
    most: WRITES,
    source: 'documented',
    takes: ({ ingestInstances }) => ingestInstances / SECONDS_PER_DRAW,
    beyond: '200: everything is let through for 5 s, and a line in the log says so',
    moves: 'larger batches (fewer instances)',
  },
  {
    name: 'record of the busiest key or source',
    unit: 'reads/s',
    most: READS,
    source: 'documented',
    takes: ({ ingestInstances }) => ingestInstances / REGISTRY_CACHE_SECONDS,
    beyond: '503 `registry_unavailable` with `Retry-After`',
    moves: 'larger batches (fewer instances)',
  },
  {
    name: 'records of all sources, one partition until DynamoDB splits it',
    unit: 'reads/s',
    most: READS,
    source: 'documented',
    takes: sourceReads,
    beyond:
      '503 `registry_unavailable` with `Retry-After`, for the minutes that DynamoDB takes to split it',
    moves: 'larger batches; fewer sources',
  },
  {
    name: 'refusals of the busiest source, when it errs all the time',
    unit: 'writes/s',
    most: WRITES,
    source: 'documented',
    takes: ({ ingestInstances }) => (ingestInstances * REJECTION_KB) / REJECTION_SECONDS,
    beyond:
      'what was refused is answered as ever; counts of refusals are lost, and the log says how many',
    moves: 'larger batches (fewer instances)',
  },
  // Instances answer them from memory for 1 and for 10 seconds.
  result('20 KB', 5, 1),
  result('350 KB', 88, 10),
  {
    name: 'lease of the busiest result, while its query runs',
    unit: 'writes/s',
    most: WRITES,
    source: 'documented',
    // A caller who waits and finds no execution yet tries once a second.
    takes: ({ load }) => BUSIEST_SHARE * load.callsPerSecond * RUN_SECONDS,
    beyond: '503 `cache_unavailable` with `Retry-After`, or older rows',
    moves: '`queryConcurrency` bounds it: so many callers wait at most; warming',
  },
  {
    name: 'list of calls of the busiest endpoint, for the warmer',
    unit: 'writes/s',
    most: WRITES,
    source: 'documented',
    // Each instance notes each of ten calls once a minute.
    takes: ({ queryInstances }) => (queryInstances * 10) / 60,
    beyond: '200: the call is answered, and warmed later',
    moves: '`queryConcurrency`',
  },
];

function result(size: string, units: number, hotSeconds: number): Limit {
  return {
    name: `busiest result, ${size} compressed`,
    unit: 'reads/s',
    most: READS,
    source: 'documented',
    takes: ({ load, queryInstances }) =>
      units * Math.min(BUSIEST_SHARE * load.callsPerSecond, queryInstances / hotSeconds),
    beyond: '503 `cache_unavailable` with `Retry-After`',
    moves: 'fewer rows; `cachedResultMiB`; `queryConcurrency` (fewer instances)',
  };
}

/** An instance asks for each source of whose requests it got one within the time that it remembers. */
function sourceReads({ ingestInstances, ingestRequests, load }: Demand): number {
  const instances = Math.max(1, ingestInstances);
  const requests = (ingestRequests * REGISTRY_CACHE_SECONDS) / instances;
  return (instances * Math.min(requests, load.sources)) / REGISTRY_CACHE_SECONDS;
}
