import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EmbeddedMetrics } from '../../../lambdas/shared/metrics.ts';
import { SummedMetrics } from '../../../lambdas/shared/summed-metrics.ts';
import {
  METRIC_DIMENSIONS,
  METRICS,
  type MetricName,
  metricsNamespace,
} from '../../../src/platform/metrics.ts';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
});
afterEach(() => vi.restoreAllMocks());

describe('a function that measures', () => {
  test('prints one line for a call, as CloudWatch reads it', async () => {
    const metrics = new EmbeddedMetrics(metricsNamespace('test'));
    const handler = metrics.publishing(async () => {
      metrics.record('QueryCalls', 1);
      metrics.record('QueryCostUsd', 0.00005);
      return 'answer';
    });

    expect(await handler()).toBe('answer');

    expect(printed).toHaveLength(1);
    expect(JSON.parse(printed[0] ?? '')).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'Sluice/test',
            Dimensions: [Object.keys(METRIC_DIMENSIONS)],
            Metrics: [
              { Name: 'QueryCalls', Unit: 'Count' },
              { Name: 'QueryCostUsd', Unit: 'None' },
            ],
          },
        ],
      },
      ...METRIC_DIMENSIONS,
      QueryCalls: 1,
      QueryCostUsd: 0.00005,
    });
  });

  test('prints what it has measured when it fails', async () => {
    const metrics = new EmbeddedMetrics('Sluice/test');
    const handler = metrics.publishing(async () => {
      metrics.record('QueryErrors', 1);
      throw new Error('broken');
    });

    await expect(handler()).rejects.toThrow('broken');

    expect(printed).toHaveLength(1);
  });

  test('prints nothing for a call without measurements', async () => {
    await new EmbeddedMetrics('Sluice/test').publishing(async () => {})();

    expect(printed).toEqual([]);
  });

  test('knows every metric with its unit', () => {
    const metrics = new EmbeddedMetrics('Sluice/test');
    for (const name of Object.keys(METRICS) as MetricName[]) metrics.record(name, 1);

    metrics.publish();

    const { Metrics } = JSON.parse(printed[0] ?? '')._aws.CloudWatchMetrics[0];
    expect(Metrics).toEqual(Object.entries(METRICS).map(([Name, Unit]) => ({ Name, Unit })));
  });
});

describe('a function that is called too often for a line each', () => {
  function summing() {
    let now = 0;
    const metrics = new SummedMetrics(new EmbeddedMetrics('Sluice/test'), { now: () => now });
    const store = metrics.publishing(async (events: number) => {
      metrics.record('EventsStored', events);
    });
    const sums = () => printed.map((line) => JSON.parse(line).EventsStored);
    return { store, sums, wait: (seconds: number) => (now += seconds * 1_000) };
  }

  test('prints the first call at once, and the sum of those of the next ten seconds', async () => {
    const { store, sums, wait } = summing();
    await store(1);
    for (let call = 0; call < 9; call++) {
      wait(1);
      await store(10);
    }
    expect(sums()).toEqual([1]);

    wait(1);
    await store(10);

    expect(sums()).toEqual([1, 100]);
  });

  test('prints every call that comes alone', async () => {
    const { store, sums, wait } = summing();
    await store(1);
    wait(60);
    await store(2);

    expect(sums()).toEqual([1, 2]);
  });
});
