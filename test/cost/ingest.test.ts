import { describe, expect, test } from 'vitest';
import { ingestCost, total } from '../../src/cost/ingest.ts';
import { otherServices } from '../../src/cost/others.ts';

const MILLION = 1_000_000;

/** Requests whose rows are as large as their events, are not compressed and fill 5 KB exactly. */
const pack = (eventsPerRequest: number, billed = 1) => ({
  eventsPerRequest,
  sent: 1,
  rows: 1,
  put: 1,
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
    expect(total(ingestCost(MILLION, 1024, pack(100)))).toBeCloseTo(0.0645, 4);
  });

  test('one by one pay for a request and five times the bytes each', () => {
    const lines = costs(MILLION, 1024, pack(1, 5));
    expect(lines['API Gateway']).toBeCloseTo(1, 6);
    expect(lines.Firehose).toBeCloseTo(5 * 0.953_674 * 0.029, 6);
    expect(lines['access log, kept a month']).toBeCloseTo(0.307_336 * 0.53, 5);
  });

  test('pay for what the transformation is called with and what it takes', () => {
    // A tenth of 1,024,000,000 bytes in calls of 0.2 MiB: 488.3 of 5 ms each, and 25 us an event, at 1 GB.
    const lines = costs(MILLION, 1024, { ...pack(100), put: 0.1 });
    expect(lines['Lambda, transformation']).toBeCloseTo(
      (488.281 * 0.2) / 1e6 + (488.281 * 0.005 + 25) * 0.000_013_333_4,
      8,
    );
  });

  test('pay for a call every few seconds where the stream is quiet, and for none that no request makes', () => {
    const quiet = (requests: number) =>
      costs(requests, 1024, { ...pack(1), put: 0.1 }, 1_000)['Lambda, transformation'];
    const of = (events: number, calls: number) =>
      (calls * 0.2) / 1e6 + (calls * 0.005 + events * 0.000_025) * 0.000_013_333_4;
    expect(quiet(5_000)).toBeCloseTo(of(5_000, 1_000), 9);
    expect(quiet(10)).toBeCloseTo(of(10, 10), 9);
    expect(quiet(0)).toBe(0);
  });

  test('pay for the answers that leave AWS', () => {
    // 10,000 answers of 350 bytes.
    expect(costs(MILLION, 1024, pack(100))['data out, answers to senders']).toBeCloseTo(
      (3_500_000 / 2 ** 30) * 0.09,
      8,
    );
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
