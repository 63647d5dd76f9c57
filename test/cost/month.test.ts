import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { GB } from '../../src/cost/ingest.ts';
import {
  ALARM_METRICS,
  FILTERED_METRICS,
  FIXED,
  landingFilesPerDay,
  monthlyCost,
  S3_LOG_DAYS,
  TYPICAL,
  type Workload,
} from '../../src/cost/month.ts';
import { PRICES } from '../../src/cost/prices.ts';
import { alarmMetrics } from '../lib/alarm-metrics.ts';
import { resources, synthesise } from '../lib/stacks.ts';

const pack = { eventsPerRequest: 100, sent: 1, rows: 2, put: 0.2, billed: 0.2 };

const workload = (gbPerDay: number, changes: Partial<Workload> = {}): Workload => ({
  ...TYPICAL,
  bytesPerDay: gbPerDay * GB,
  pack,
  ...changes,
});

const costs = (of: Workload) =>
  Object.fromEntries(monthlyCost(of).map(({ item, usd }) => [item, usd]));

describe('a month', () => {
  test('of 100 GB a day costs what a calculator says', () => {
    const lines = costs(workload(100));
    // 3,000 GB, of which Firehose bills a fifth.
    expect(lines.Firehose).toBeCloseTo(600 * 0.029, 2);
    expect(lines['conversion to Parquet']).toBeCloseTo(600 * 0.018, 2);
    // 25 GB of Parquet a day, for 21 and for 42 days.
    expect(lines['S3, landing files']).toBeCloseTo(25 * 21 * 0.023, 2);
    expect(lines['S3, compacted files']).toBeCloseTo(25 * 42 * 0.023, 2);
    // A third of an hour's 1,118 MB is 370 MB, rounded up: for each of 10,000 and 17,280 runs.
    expect(lines['Athena, calls that miss the cache']).toBeCloseTo(10_000 * 0.001_85, 2);
    expect(lines['Athena, warming']).toBeCloseTo(17_280 * 0.001_85, 2);
    // A day has 1,600 files. Those of an hour are opened by each of 27,280 runs, all of them by compaction four
    // times: three GETs each time. Compaction counts each 48 times, with two GETs. Each makes 600 bytes of a log
    // that is kept three months, and so does each LIST and PUT.
    const gets = ((27_280 * 1_600) / 24 + 30 * 1_600 * 4) * 3 + 30 * 1_600 * 48 * 2;
    // Each run lists three hours; each of 268 statements of compaction a day two, and 24 looks 48. Each run and
    // statement writes two objects.
    const lists = 27_280 * 3 + 30 * (268 * 2 + 24 * 48);
    const results = 2 * (27_280 + 30 * 268);
    expect(lines["S3, LIST and Athena's results"]).toBeCloseTo((lists + results) * 0.000_005, 6);
    expect(lines['S3, its access logs']).toBeCloseTo(
      (((gets + lists + results) * 600) / GB) * 3 * 0.023,
      6,
    );
    // 100,000 answers of 20 KB.
    expect(lines['data out, answers of calls']).toBeCloseTo((2_048_000_000 / GB) * 0.09, 6);
    // 25 GB a day, two and a half times over.
    expect(lines['Athena, compaction']).toBeCloseTo(((25 * GB * 2.5) / 1e12) * 5 * 30, 2);
  });

  test('lists an hour with more than a thousand files page by page', () => {
    const listed = (gbPerDay: number) =>
      costs(workload(gbPerDay, { calls: 0, warmed: 0 }))["S3, LIST and Athena's results"];
    const lists = 30 * (268 * 2 + 24 * 48) * 0.000_005;
    // 1,600 GB a day are 1,067 files of 128 MiB an hour.
    expect(listed(1_600)).toBeCloseTo((listed(100) ?? 0) + lists, 6);
  });

  test('pays for 10 MB a query at least', () => {
    const lines = costs(workload(0.001));
    expect(lines['Athena, calls that miss the cache']).toBeCloseTo(10_000 * 0.000_05, 6);
    expect(lines['Athena, compaction']).toBeCloseTo(268 * 30 * 0.000_05, 6);
  });

  test('of alerts that nobody defined costs less than 30 cents', () => {
    // 43,200 passes: 0.86 cents of calls, 0.54 of reads and 2.88 of 50 ms each; and an alarm of 10 cents.
    const passes = costs(workload(0))['Lambda and DynamoDB, passes over alerts'] ?? 0;
    expect(passes).toBeCloseTo(0.0429, 3);
    expect(passes + PRICES.alarmMetricMonth.usd).toBeLessThan(0.3);
  });

  test('of nothing costs a few dollars', () => {
    const idle = monthlyCost(workload(0, { calls: 0, warmed: 0 }));
    const sum = idle.reduce((all, { usd }) => all + usd, 0);
    expect(sum).toBeGreaterThan(FIXED.reduce((all, { usd }) => all + usd, 0));
    expect(sum).toBeLessThan(20);
  });
});

describe('the files that Firehose writes', () => {
  test('are one for each interval while there is little', () => {
    expect(landingFilesPerDay(workload(1))).toBe(1_440);
    expect(landingFilesPerDay(workload(1, { bufferSeconds: 300 }))).toBe(288);
  });

  test('are none when nothing comes', () => {
    expect(landingFilesPerDay(workload(0))).toBe(0);
  });

  test('are one for each 128 MiB of rows when there is much', () => {
    // 1,000 GB of events are 2,000 GB of rows.
    expect(landingFilesPerDay(workload(1_000))).toBe((2_000 * 1_024) / 128);
  });
});

describe('what the model counts', () => {
  let observability: Template;
  let templates: Template[];
  beforeAll(() => {
    const stacks = synthesise();
    ({ observability } = stacks);
    templates = Object.values({ ...stacks });
  });

  test('are all metrics under alarms, each term of a sum for itself', () => {
    expect(ALARM_METRICS).toBe(alarmMetrics(observability));
  });

  test("are the days that S3's access logs are kept", () => {
    const days = templates.flatMap((template) => {
      const { AccessLogsBucket } = resources(template, 'AWS::S3::Bucket');
      const rules: { ExpirationInDays?: number }[] =
        AccessLogsBucket?.Properties.LifecycleConfiguration.Rules ?? [];
      return rules.flatMap(({ ExpirationInDays }) => ExpirationInDays ?? []);
    });

    expect(days).toEqual([S3_LOG_DAYS]);
  });

  test('are all metrics that are counted in logs', () => {
    const names = templates.flatMap((template) =>
      Object.values(resources(template, 'AWS::Logs::MetricFilter')).flatMap(({ Properties }) =>
        Properties.MetricTransformations.map(
          ({ MetricName }: { MetricName: string }) => MetricName,
        ),
      ),
    );

    expect(FILTERED_METRICS).toBe(new Set(names).size);
  });
});
