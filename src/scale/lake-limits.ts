import type { Limit } from './limit.ts';
import { type Demand, RUN_SECONDS } from './load.ts';

const GIB = 2 ** 30;
/** Bytes of rows of a full file, and seconds after which Firehose writes one that is not full. */
const FILE_BYTES = 128 * 2 ** 20;
const BUFFER_SECONDS = 60;
/** Requests that Athena makes for a file of which it reads some columns. */
const GETS_PER_FILE = 3;
/** Share of an hour's bytes that a query reads: a third of the columns. */
const COLUMN_SHARE = 0.33;
/** Calls of GetQueryExecution for a query of three seconds: after 0.1 s, and 1.5 times as long each. */
const POLLS_PER_RUN = 6;
/** Results that are kept warm, for each endpoint, and seconds between two runs of each. */
const WARM_PER_ENDPOINT = 2;
const WARM_SECONDS = 300;
/** A pass of the warmer: four runs at a time for 50 s of each minute. */
const WARMER_RUNS = (4 * 50) / RUN_SECONDS / 60;
/** Bytes of Parquet that an INSERT of compaction sorts and writes a second. */
const COPY_BYTES_PER_SECOND = 100e6;

/** From the stream into the lake, and out again. */
export const LAKE_LIMITS: readonly Limit[] = [
  {
    name: 'S3, PUT of an hour’s landing files',
    unit: 'requests/s',
    most: 3_500,
    source: 'documented',
    takes: files,
    beyond: 'Firehose tries again for a day; events are found later',
    moves: 'nothing is needed',
  },
  {
    name: 'S3, GET of the newest hour’s landing files',
    unit: 'requests/s',
    most: 5_500,
    source: 'documented',
    takes: (demand) => (runs(demand) * files(demand) * 3_600 * GETS_PER_FILE) / 2,
    beyond:
      'Athena repeats what S3 refuses: queries take longer; S3 divides a busy prefix within minutes',
    moves: 'longer `cache_duration_seconds`; larger `bufferSeconds`',
  },
  {
    name: 'calls of saved queries at once, `queryConcurrency`',
    unit: 'instances',
    most: 20,
    source: 'setting',
    takes: ({ queryInstances }) => queryInstances,
    beyond: '5xx of API Gateway, and no line in the function’s log',
    moves: '`queryConcurrency`; longer `cache_duration_seconds`; warming',
  },
  {
    name: 'Athena, queries queued and running',
    unit: 'queries',
    most: 200,
    source: 'unchecked',
    takes: (demand) => runs(demand) * RUN_SECONDS,
    beyond:
      'retried while the caller waits, then 503 `engine_throttled` with `Retry-After`, or older rows',
    moves: 'quota "Active DML queries" (20 to 200 by Region); `queryConcurrency` keeps below it',
  },
  {
    name: 'Athena, calls of StartQueryExecution',
    unit: 'calls/s',
    most: 20,
    source: 'documented',
    takes: runs,
    beyond:
      'retried while the caller waits, then 503 `engine_throttled` with `Retry-After`, or older rows',
    moves: 'a support case; longer `cache_duration_seconds`',
  },
  {
    name: 'Athena, calls of GetQueryExecution',
    unit: 'calls/s',
    most: 100,
    source: 'documented',
    takes: (demand) => runs(demand) * POLLS_PER_RUN,
    beyond: 'retried while the caller waits: answers come later',
    moves: 'a support case; longer `cache_duration_seconds`',
  },
  {
    name: 'the warmer’s runs',
    unit: 'runs/s',
    most: WARMER_RUNS,
    source: 'code',
    takes: ({ load }) => (load.endpoints * WARM_PER_ENDPOINT) / WARM_SECONDS,
    beyond: 'callers run the queries that it does not get to; the metric `WarmingBacklog` grows',
    moves: 'longer `proactive_requerying_seconds`',
  },
  {
    name: 'bytes that a query of one hour reads, `scanLimitGiB.api`',
    unit: 'GiB',
    most: 50,
    source: 'setting',
    takes: ({ hourBytes }) => (hourBytes * COLUMN_SHARE) / GIB,
    beyond: '400 `scan_limit_exceeded`',
    moves: '`scanLimitGiB`; narrower time ranges',
  },
  {
    name: 'compaction, a statement that copies an hour',
    unit: 'minutes',
    most: 30,
    source: 'assumed',
    takes: ({ hourBytes }) => hourBytes / COPY_BYTES_PER_SECOND / 60,
    beyond:
      'the hour is not copied, the alarm `compaction-behind` rings; queries read landing files',
    moves: 'quota "DML query timeout" (to 240 minutes); see docs/compaction.md',
  },
];

/** Landing files a second. */
function files({ rowBytes }: Demand): number {
  return Math.max(1 / BUFFER_SECONDS, rowBytes / FILE_BYTES);
}

/** Queries a second: of calls, and of the warmer. */
function runs({ runs: ofCalls, load }: Demand): number {
  const warmed = (load.endpoints * WARM_PER_ENDPOINT) / WARM_SECONDS;
  return ofCalls + Math.min(WARMER_RUNS, warmed);
}
