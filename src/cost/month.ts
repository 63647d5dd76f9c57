import { METRICS } from '../platform/metrics.ts';
import { ATHENA_MIN_BYTES, athenaCostUsd } from './athena-price.ts';
import { type CostLine, GB, ingestCost, type PackSizes } from './ingest.ts';
import { PRICES } from './prices.ts';

/** A deployment under a steady load. The defaults are those of {@link TYPICAL}. */
export interface Workload {
  /** Bytes of JSON that clients send in a day. */
  readonly bytesPerDay: number;
  readonly eventBytes: number;
  readonly pack: PackSizes;
  /** Firehose's buffering interval. */
  readonly bufferSeconds: number;
  /** Days that landing files are kept. */
  readonly landingDays: number;
  /** Days that compacted events are kept. */
  readonly retentionDays: number;
  /** Bytes of Parquet per byte of JSON as sent. */
  readonly parquetShare: number;
  /** Calls of saved queries in a month. */
  readonly calls: number;
  /** Share of them that the cache answers. */
  readonly cached: number;
  /** Results that are kept warm all month, each by a run every five minutes. */
  readonly warmed: number;
  /** Hours of events that a run looks at. */
  readonly hoursPerRun: number;
  /** Share of the bytes of those hours that a run reads: its columns. */
  readonly columnShare: number;
  /** KB of a cached result, compressed. */
  readonly resultKb: number;
}

/**
 * One busy dashboard: every tenth of 100,000 calls runs its query, two results are kept warm, and each
 * run reads a third of the bytes of the last hour. Parquet takes a quarter of the JSON's bytes: rows of
 * random ids measured 4.9 times smaller, and the slots come on top.
 */
export const TYPICAL = {
  eventBytes: 1024,
  bufferSeconds: 60,
  landingDays: 14,
  retentionDays: 30,
  parquetShare: 0.25,
  calls: 100_000,
  cached: 0.9,
  warmed: 2,
  hoursPerRun: 1,
  columnShare: 0.33,
  resultKb: 20,
} as const satisfies Partial<Workload>;

const DAYS = 30;

/** Firehose calls the transformation this often at most, unless there is more than a call takes. */
const TRANSFORMATION_SECONDS = 5;
const MINUTES = DAYS * 1_440;

/** Requests that Athena makes for a file: its end, its footer, its columns. */
const GETS_PER_FILE = 3;

/** The same where only the rows are counted: its end and its footer. */
const GETS_PER_COUNT = 2;

/** Hourly looks for late files, each at two days of landing files. */
const COUNTS_OF_A_FILE = 48;

/**
 * Requests that a query makes to find the landing files: one for each hour that it looks at. The bounds are
 * wider than the call's by an hour and by what a file's hour may be off.
 */
const EXTRA_LISTS = 2;

/** Keys that one LIST answers. */
const KEYS_PER_LIST = 1_000;

/** Objects that Athena writes for each statement: its result and the description of that. */
const PUTS_PER_STATEMENT = 2;

/**
 * Statements of compaction in a day: five for each hour, one for each run of the job, and the few of a
 * day. Each looks at some hours, and the hourly one for late files at all of two days.
 */
const STATEMENTS_PER_DAY = 24 * 5 + 144 + 4;
const LISTS_OF_COMPACTION_PER_DAY = 24 * COUNTS_OF_A_FILE + STATEMENTS_PER_DAY * 2;

/** Bytes of a line of S3's access log, which every GET gets. */
const S3_LOG_BYTES = 600;

/** Days that S3's access logs are kept. */
export const S3_LOG_DAYS = 90;

/** Bytes that make Firehose write a file before its interval is over; counted before conversion. */
const BUFFER_BYTES = 128 * 2 ** 20;

/** Days that a version of the lake's files stays after it was deleted or replaced. */
const NONCURRENT_DAYS = 7;

/** US dollars a month, line by line. */
export function monthlyCost(workload: Workload): CostLine[] {
  return [
    ...ingestCost(
      (workload.bytesPerDay * DAYS) / workload.eventBytes,
      workload.eventBytes,
      workload.pack,
      (DAYS * 86_400) / TRANSFORMATION_SECONDS,
    ),
    ...storage(workload),
    ...queries(workload),
    ...compaction(workload),
    ...FIXED,
  ];
}

/** Files that Firehose writes in a day; none where nothing comes. */
export function landingFilesPerDay({ bufferSeconds, bytesPerDay, pack }: Workload): number {
  if (bytesPerDay === 0) return 0;
  const rowBytes = (bytesPerDay * pack.rows) / pack.sent;
  return Math.max(86_400 / bufferSeconds, rowBytes / BUFFER_BYTES);
}

/** Requests for landing files in a month. */
function gets(workload: Workload): { readonly queries: number; readonly compaction: number } {
  const filesPerDay = landingFilesPerDay(workload);
  const opened = (filesPerDay / 24) * workload.hoursPerRun;
  return {
    queries: runs(workload) * opened * GETS_PER_FILE,
    compaction: DAYS * filesPerDay * (GETS_PER_FILE * 4 + GETS_PER_COUNT * COUNTS_OF_A_FILE),
  };
}

/** LISTs by which Athena finds landing files, and PUTs of results, in a month. */
function listsAndResults(workload: Workload): number {
  const pages = Math.max(1, Math.ceil(landingFilesPerDay(workload) / 24 / KEYS_PER_LIST));
  const statements = runs(workload) + DAYS * STATEMENTS_PER_DAY;
  const lists =
    runs(workload) * (workload.hoursPerRun + EXTRA_LISTS) + DAYS * LISTS_OF_COMPACTION_PER_DAY;
  return lists * pages + statements * PUTS_PER_STATEMENT;
}

/** Runs of saved queries in a month: for calls that miss the cache, and to keep results warm. */
function runs({ calls, cached, warmed }: Workload): number {
  return calls * (1 - cached) + (warmed * MINUTES) / 5;
}

function storage(workload: Workload): CostLine[] {
  const { landingDays, retentionDays } = workload;
  const gbPerDay = parquetPerDay(workload) / GB;
  const landed = gbPerDay * (landingDays + NONCURRENT_DAYS);
  // Compaction writes a day twice: hour by hour, and again when the day is over. VACUUM drops the
  // first after five days.
  const compacted = gbPerDay * (retentionDays + 5 + NONCURRENT_DAYS);
  const { queries, compaction } = gets(workload);
  const requests = queries + compaction + listsAndResults(workload);
  const logged = ((requests * S3_LOG_BYTES) / GB) * (S3_LOG_DAYS / DAYS);
  return [
    { item: 'S3, landing files', usd: landed * PRICES.s3GbMonth.usd },
    { item: 'S3, compacted files', usd: compacted * PRICES.s3GbMonth.usd },
    { item: 'S3, its access logs', usd: logged * PRICES.s3GbMonth.usd },
    {
      item: 'S3, PUT of landing files',
      usd: (landingFilesPerDay(workload) * DAYS * PRICES.s3PutThousand.usd) / 1_000,
    },
  ];
}

function queries(workload: Workload): CostLine[] {
  const { calls, cached, warmed, hoursPerRun, columnShare, resultKb } = workload;
  const missed = calls * (1 - cached);
  const warming = (warmed * MINUTES) / 5;
  const hourBytes = parquetPerDay(workload) / 24;
  const scanned = Math.max(ATHENA_MIN_BYTES, hourBytes * hoursPerRun * columnShare);
  return [
    { item: 'Athena, calls that miss the cache', usd: missed * athenaCostUsd(scanned) },
    { item: 'Athena, warming', usd: warming * athenaCostUsd(scanned) },
    {
      item: 'S3, GET by queries',
      usd: (gets(workload).queries * PRICES.s3GetThousand.usd) / 1_000,
    },
    {
      item: "S3, LIST and Athena's results",
      usd: (listsAndResults(workload) * PRICES.s3PutThousand.usd) / 1_000,
    },
    {
      item: 'data out, answers of calls',
      usd: ((calls * resultKb * 1_024) / GB) * PRICES.dataOutGb.usd,
    },
    {
      item: 'API and Lambda, calls',
      // 1 GB for 3 s where Athena runs, and 50 ms where the cache answers.
      usd:
        (calls * (PRICES.httpApiMillion.usd + PRICES.lambdaMillion.usd)) / 1e6 +
        (missed * 3 + calls * cached * 0.05) * PRICES.lambdaGbSecond.usd,
    },
    {
      item: 'Lambda, warmer',
      usd:
        (MINUTES * PRICES.lambdaMillion.usd) / 1e6 +
        (MINUTES * 0.2 + warming * 3) * PRICES.lambdaGbSecond.usd,
    },
    {
      item: 'DynamoDB',
      // A result, its lease taken, given an execution, claimed and ended, and the warm index; reads of the
      // result, the endpoint and the key. Ingest's draws on rate limits are under 20 in 10,000 requests.
      usd:
        (runs(workload) * (resultKb + 5) * PRICES.dynamoWriteMillion.usd) / 1e6 +
        (calls * (resultKb / 4 + 2) * PRICES.dynamoReadMillion.usd) / 1e6,
    },
  ];
}

/**
 * An hour is read whole once to be copied and its keys, a sixth of its bytes, three times: to see what
 * is missing before and after, and to leave out what is there already. A day is read whole once more
 * when OPTIMIZE makes large files of its small ones.
 */
function compaction(workload: Workload): CostLine[] {
  const perDay = parquetPerDay(workload);
  const scanned = Math.max(perDay * (1 + 3 / 6 + 1), STATEMENTS_PER_DAY * ATHENA_MIN_BYTES);
  // Eight buckets an hour, each for today and yesterday now and then; and eight or more a day.
  const files = 24 * 8 * 1.2 + Math.max(8, perDay / BUFFER_BYTES);
  return [
    { item: 'Athena, compaction', usd: DAYS * athenaCostUsd(scanned) },
    {
      item: 'S3, requests of compaction',
      usd:
        (DAYS * files * 2 * PRICES.s3PutThousand.usd +
          gets(workload).compaction * PRICES.s3GetThousand.usd) /
        1_000,
    },
    // 256 MiB every ten minutes for two, mostly waiting for Athena.
    { item: 'Lambda, compaction', usd: (MINUTES / 10) * 120 * 0.25 * PRICES.lambdaGbSecond.usd },
  ];
}

/** Metrics that CloudWatch counts in the logs for the alarms. A test holds both to the templates. */
export const FILTERED_METRICS = 9;

/** Metrics that alarms watch: one of a sum counts for each of its terms. */
export const ALARM_METRICS = 38;

/** How many of them are there once more for each landing stream after the first. */
export const STREAM_ALARM_METRICS = 4;

const SERVICE_METRICS = Object.keys(METRICS).length + FILTERED_METRICS;

/** What a deployment costs without an event or a query. */
export const FIXED: readonly CostLine[] = [
  {
    item: `CloudWatch, ${SERVICE_METRICS} metrics of the service`,
    usd: SERVICE_METRICS * PRICES.metricMonth.usd,
  },
  {
    item: `CloudWatch, ${ALARM_METRICS} metrics under alarms`,
    usd: ALARM_METRICS * PRICES.alarmMetricMonth.usd,
  },
  { item: 'CloudWatch, dashboard', usd: PRICES.dashboardMonth.usd },
  {
    // A pass a minute; one that finds no alert reads an empty partition, in 50 ms.
    item: 'Lambda and DynamoDB, passes over alerts',
    usd:
      (MINUTES * (PRICES.lambdaMillion.usd + PRICES.dynamoReadMillion.usd)) / 1e6 +
      MINUTES * 0.05 * PRICES.lambdaGbSecond.usd,
  },
  { item: 'SQS, polling for parked records', usd: 0.65 * PRICES.sqsMillion.usd },
  { item: 'Secrets Manager', usd: PRICES.secretMonth.usd },
];

function parquetPerDay({ bytesPerDay, parquetShare }: Workload): number {
  return bytesPerDay * parquetShare;
}
