/** List prices in us-east-1, in US dollars, before free tiers and discounts. */

import { ATHENA_USD_PER_TB } from './athena-price.ts';

/** The day on which the prices were put together. Compare them with AWS's pages before relying on them. */
export const PRICE_LIST_DATE = '2026-11-20';

export interface Price {
  readonly usd: number;
  readonly per: string;
  readonly source: PriceSource;
}

/**
 * `list`: read in a copy of AWS's price list. `secondary`: several sources that agree, none of them
 * AWS's own. `unchecked`: known, but not read anywhere on the day of the list.
 */
export type PriceSource = 'list' | 'secondary' | 'unchecked';

const price = (usd: number, per: string, source: PriceSource): Price => ({ usd, per, source });

/** Gigabytes are 2^30 bytes, as AWS meters them; Athena's terabyte is 10^12, the dearer reading. */
export const PRICES = {
  httpApiMillion: price(1, 'million requests of an HTTP API, in steps of 512 KB', 'list'),
  lambdaMillion: price(0.2, 'million calls of a function', 'list'),
  lambdaGbSecond: price(0.000_013_333_4, 'GB-second of a function on arm64', 'list'),
  logsGb: price(0.5, 'GB written to CloudWatch Logs', 'list'),
  logsGbMonth: price(0.03, 'GB-month in CloudWatch Logs', 'list'),
  firehoseGb: price(0.029, 'GB put on a stream, each record rounded up to 5 KB', 'secondary'),
  conversionGb: price(0.018, 'GB converted to Parquet, rounded in the same way', 'secondary'),
  s3GbMonth: price(0.023, 'GB-month in S3 Standard', 'list'),
  s3PutThousand: price(0.005, 'thousand PUT or LIST requests', 'list'),
  s3GetThousand: price(0.0004, 'thousand GET requests', 'list'),
  athenaTb: price(ATHENA_USD_PER_TB, 'TB scanned by Athena, at least 10 MB a query', 'list'),
  dynamoWriteMillion: price(0.625, 'million write units of 1 KB', 'list'),
  dynamoReadMillion: price(0.125, 'million read units of 4 KB', 'list'),
  dataOutGb: price(0.09, 'GB from the API to the internet', 'unchecked'),
  sqsMillion: price(0.4, 'million requests to SQS', 'unchecked'),
  metricMonth: price(0.3, 'metric of the service a month', 'unchecked'),
  alarmMetricMonth: price(0.1, 'metric that an alarm watches a month', 'unchecked'),
  dashboardMonth: price(3, 'dashboard a month', 'unchecked'),
  secretMonth: price(0.4, 'secret a month', 'unchecked'),
  // What others ask for taking in and keeping the same events.
  cloudWatchLogsGb: price(0.5, 'GB taken in by CloudWatch Logs', 'list'),
  datadogGb: price(0.1, 'GB taken in by Datadog', 'unchecked'),
  datadogMillion: price(1.7, 'million events indexed by Datadog for 15 days', 'unchecked'),
  bigQueryGb: price(0.025, 'GB taken in by the Storage Write API of BigQuery', 'unchecked'),
  bigQueryGbMonth: price(0.02, 'GB-month, uncompressed, in BigQuery', 'unchecked'),
} as const satisfies Record<string, Price>;
