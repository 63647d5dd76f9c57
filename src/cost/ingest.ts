import { PRICES } from './prices.ts';

export const GB = 2 ** 30;

/** What requests of one size become on their way into Firehose; measure it with the real packer. */
export interface PackSizes {
  readonly eventsPerRequest: number;
  /** Bytes of the events as clients send them. */
  readonly sent: number;
  /** Bytes of their rows, before conversion. */
  readonly rows: number;
  /** Bytes of the records as they are put on the stream. */
  readonly put: number;
  /** Bytes that Firehose bills: each record is rounded up to 5 KB. */
  readonly billed: number;
}

/** One line of a bill: US dollars, and what for. */
export interface CostLine {
  readonly item: string;
  readonly usd: number;
}

/**
 * Time of the ingest function for a request: a call of Firehose, and work for each event. The work is
 * twice `JSON.parse` and `JSON.stringify` (`npm run bench:ingest`) on the 0.58 vCPU that come with
 * 1,024 MiB. Assumed; a real account shows it in the metric `Duration`.
 */
export const MS_PER_REQUEST = 25;
export const MS_PER_EVENT = 0.06;
const MEMORY_GB = 1;

/** Bytes of a line of the access log, with the 26 that CloudWatch Logs adds to each. */
const ACCESS_LOG_BYTES = 330;

/** Bytes of an answer to a sender, headers included. */
const ANSWER_BYTES = 350;

/**
 * Bytes on the stream that make Firehose call the transformation, and its time for a call: 14 us of CPU an
 * event (`npm run bench:transform`) on 0.58 vCPU. Assumed; a real account shows it in `Duration`.
 */
const TRANSFORMATION_BYTES = 0.2 * 2 ** 20;
const TRANSFORMATION_MS_PER_CALL = 5;
const TRANSFORMATION_MS_PER_EVENT = 0.025;
const TRANSFORMATION_MEMORY_GB = 1;

const API_STEP_BYTES = 512 * 1024;

/**
 * What taking events in costs, up to the file that Firehose writes. Lines are in US dollars.
 *
 * @param events how many of them
 * @param eventBytes bytes of one as it is sent
 * @param leastCalls calls of the transformation that the stream makes even when little comes
 */
export function ingestCost(
  events: number,
  eventBytes: number,
  pack: PackSizes,
  leastCalls = 0,
): CostLine[] {
  const requests = events / pack.eventsPerRequest;
  const steps = Math.ceil((pack.eventsPerRequest * eventBytes) / API_STEP_BYTES);
  const seconds = (MS_PER_REQUEST + MS_PER_EVENT * pack.eventsPerRequest) / 1_000;
  const billedGb = (events * eventBytes * (pack.billed / pack.sent)) / GB;
  const putBytes = events * eventBytes * (pack.put / pack.sent);
  const calls = Math.max(putBytes / TRANSFORMATION_BYTES, Math.min(requests, leastCalls));
  const transforming =
    (calls * TRANSFORMATION_MS_PER_CALL + events * TRANSFORMATION_MS_PER_EVENT) / 1_000;
  const logGb = (requests * ACCESS_LOG_BYTES) / GB;
  return [
    { item: 'API Gateway', usd: (requests * steps * PRICES.httpApiMillion.usd) / 1e6 },
    {
      item: 'Lambda, ingest',
      usd:
        (requests * PRICES.lambdaMillion.usd) / 1e6 +
        requests * seconds * MEMORY_GB * PRICES.lambdaGbSecond.usd,
    },
    {
      item: 'access log, kept a month',
      usd: logGb * (PRICES.logsGb.usd + PRICES.logsGbMonth.usd),
    },
    { item: 'Firehose', usd: billedGb * PRICES.firehoseGb.usd },
    { item: 'conversion to Parquet', usd: billedGb * PRICES.conversionGb.usd },
    {
      item: 'Lambda, transformation',
      usd:
        (calls * PRICES.lambdaMillion.usd) / 1e6 +
        transforming * TRANSFORMATION_MEMORY_GB * PRICES.lambdaGbSecond.usd,
    },
    {
      item: 'data out, answers to senders',
      usd: ((requests * ANSWER_BYTES) / GB) * PRICES.dataOutGb.usd,
    },
  ];
}

/** The sum of a bill. */
export function total(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { usd }) => sum + usd, 0);
}
