import { type CostLine, GB } from './ingest.ts';
import { PRICES } from './prices.ts';

/**
 * What others ask for taking in events and keeping them for a month, at list price and without a query.
 * Datadog keeps them for 15 days.
 */
export function otherServices(events: number, eventBytes: number): CostLine[] {
  const gb = (events * eventBytes) / GB;
  return [
    { item: 'CloudWatch Logs', usd: gb * (PRICES.cloudWatchLogsGb.usd + PRICES.logsGbMonth.usd) },
    {
      item: 'Datadog',
      usd: gb * PRICES.datadogGb.usd + (events / 1e6) * PRICES.datadogMillion.usd,
    },
    { item: 'BigQuery', usd: gb * (PRICES.bigQueryGb.usd + PRICES.bigQueryGbMonth.usd) },
  ];
}
