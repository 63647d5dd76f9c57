import { describe, expect, test } from 'vitest';
import { ingestCost, total } from '../../src/cost/ingest.ts';
import { otherServices } from '../../src/cost/others.ts';

const MILLION = 1_000_000;

/** Requests whose rows are as large as their events and fill 5 KB exactly. */
const pack = (eventsPerRequest: number, billed = 1) => ({
  eventsPerRequest,
  sent: 1,
  rows: 1,
  billed,
});

const costs = (...of: Parameters<typeof ingestCost>) =>
  Object.fromEntries(ingestCost(...of).map(({ item, usd }) => [item, usd]));

describe('a million events of 1 KB', () => {
  test('in requests of 100 cost what a calculator says', () => {
    // 10,000 requests of 31 ms; 3.3 MB of access log; 1,024,000,000 bytes are 0.953674 GB.
    const lines = costs(MILLION, 1024, pack(100));
    expect(lines['API Gateway']).toBeCloseTo(0.01, 6);
    expect(lines['Lambda, ingest']).toBeCloseTo(0.002 + 310 * 0.000_013_333_4, 6);
    expect(lines['access log, kept a month']).toBeCloseTo(0.003_073_4 * 0.53, 6);
    expect(lines.Firehose).toBeCloseTo(0.953_674 * 0.029, 6);
    expect(lines['conversion to Parquet']).toBeCloseTo(0.953_674 * 0.018, 6);
    expect(total(ingestCost(MILLION, 1024, pack(100)))).toBeCloseTo(0.0626, 4);
  });

  test('one by one pay for a request and five times the bytes each', () => {
    const lines = costs(MILLION, 1024, pack(1, 5));
    expect(lines['API Gateway']).toBeCloseTo(1, 6);
    expect(lines.Firehose).toBeCloseTo(5 * 0.953_674 * 0.029, 6);
    expect(lines['access log, kept a month']).toBeCloseTo(0.307_336 * 0.53, 5);
  });

  test('in requests of more than 512 KB pay API Gateway for each half megabyte', () => {
    // 1,000 requests of 1,024,000 bytes, two steps each.
    expect(costs(MILLION, 1024, pack(1_000))['API Gateway']).toBeCloseTo(0.002, 6);
  });

  test('cost elsewhere what those list', () => {
    expect(otherServices(MILLION, 1024)).toEqual([
      { item: 'CloudWatch Logs', usd: expect.closeTo(0.953_674 * 0.53, 5) },
      { item: 'Datadog', usd: expect.closeTo(0.095_367 + 1.7, 5) },
      { item: 'BigQuery', usd: expect.closeTo(0.953_674 * 0.045, 5) },
    ]);
  });
});
