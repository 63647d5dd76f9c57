import { describe, expect, test } from 'vitest';
import { Harness, NOW_US } from '../../support.ts';
import {
  bytes,
  int,
  type MetricInit,
  MICROS,
  metricsBody,
  NANOS,
  ORIGIN,
  PROTOBUF,
  pair,
  SPAN_ID,
  stored,
  string,
  TRACE_ID,
} from './support.ts';

const START = NANOS - 60_000_000_000n;
const POINT = {
  startTimeUnixNano: START,
  timeUnixNano: NANOS,
  attributes: [pair('http.route', string('/cart'))],
};

/** Events of one metric's points. */
function storedPoints(data: NonNullable<MetricInit['data']>, about: object = {}) {
  return stored('/v1/metrics', metricsBody({ name: 'm', ...about, data }));
}

/** What every point above becomes. */
const COMMON = {
  id: expect.any(String),
  timestamp: MICROS,
  event_message: 'm',
  metadata: { type: 'metric' },
  start_time: expect.any(Number),
  attributes: { _http_route: '/cart' },
  ...ORIGIN,
};

describe('fact 139: a data point', () => {
  test('of a gauge', async () => {
    const point = { ...POINT, value: { case: 'asDouble', value: 0.25 } } as const;
    expect(
      await storedPoints(
        { case: 'gauge', value: { dataPoints: [point] } },
        { unit: 'By', description: 'memory in use', metadata: [pair('a', int(1n))] },
      ),
    ).toEqual([
      {
        ...COMMON,
        metric_type: 'gauge',
        value: 0.25,
        unit: 'By',
        description: 'memory in use',
        metric_metadata: { a: 1 },
      },
    ]);
  });

  test('of a sum', async () => {
    const value = { case: 'asInt', value: 42n } as const;
    expect(
      await storedPoints({
        case: 'sum',
        value: {
          dataPoints: [
            { ...POINT, value },
            { ...POINT, value },
          ],
          aggregationTemporality: 2,
          isMonotonic: true,
        },
      }),
    ).toEqual(
      Array(2).fill({
        ...COMMON,
        metric_type: 'sum',
        value: 42,
        aggregation_temporality: 'cumulative',
        is_monotonic: true,
      }),
    );
  });

  test('of a histogram', async () => {
    const point = {
      ...POINT,
      count: 3n,
      sum: 7.5,
      min: 0,
      max: 5,
      bucketCounts: [1n, 0n, 2n],
      explicitBounds: [1, 2.5],
    };
    expect(
      await storedPoints({
        case: 'histogram',
        value: { dataPoints: [point], aggregationTemporality: 1 },
      }),
    ).toEqual([
      {
        ...COMMON,
        metric_type: 'histogram',
        count: 3,
        sum: 7.5,
        min: 0,
        max: 5,
        bucket_counts: [1, 0, 2],
        explicit_bounds: [1, 2.5],
        aggregation_temporality: 'delta',
      },
    ]);
  });

  test('of an exponential histogram, whose zero_count is not its scale', async () => {
    const point = {
      ...POINT,
      count: 6n,
      sum: 10,
      scale: -3,
      zeroCount: 2n,
      zeroThreshold: 0.01,
      positive: { offset: -1, bucketCounts: [1n, 3n] },
      negative: { offset: 2, bucketCounts: [] },
      min: -1,
      max: 4,
    };
    expect(
      await storedPoints({ case: 'exponentialHistogram', value: { dataPoints: [point] } }),
    ).toEqual([
      {
        ...COMMON,
        metric_type: 'exponential_histogram',
        count: 6,
        sum: 10,
        scale: -3,
        zero_count: 2,
        zero_threshold: 0.01,
        positive: { offset: -1, bucket_counts: [1, 3] },
        negative: { offset: 2 },
        min: -1,
        max: 4,
        aggregation_temporality: 'unspecified',
      },
    ]);
  });

  test('of a summary is stored, too', async () => {
    const point = {
      ...POINT,
      count: 100n,
      sum: 12.5,
      quantileValues: [
        { quantile: 0.5, value: 0.1 },
        { quantile: 0.99, value: Number.NaN },
      ],
    };
    expect(await storedPoints({ case: 'summary', value: { dataPoints: [point] } })).toEqual([
      {
        ...COMMON,
        metric_type: 'summary',
        count: 100,
        sum: 12.5,
        quantile_values: [
          { quantile: 0.5, value: 0.1 },
          { quantile: 0.99, value: 'NaN' },
        ],
      },
    ]);
  });
});

describe('a data point', () => {
  test('without a time has that of arrival', async () => {
    const dataPoints = [{ value: { case: 'asInt', value: 1n } as const }];
    expect(await storedPoints({ case: 'gauge', value: { dataPoints } })).toMatchObject([
      { timestamp: NOW_US },
    ]);
  });

  test('that recorded nothing has no value, but the flag that says so', async () => {
    const [event] = await storedPoints({ case: 'gauge', value: { dataPoints: [{ flags: 1 }] } });
    expect(event).toMatchObject({ flags: 1 });
    expect(event).not.toHaveProperty('value');
  });

  test('keeps its exemplars', async () => {
    const exemplar = {
      timeUnixNano: NANOS,
      value: { case: 'asDouble', value: Infinity } as const,
      traceId: bytes(TRACE_ID),
      spanId: bytes(SPAN_ID),
      filteredAttributes: [pair('user', string('u1'))],
    };
    const dataPoints = [{ ...POINT, exemplars: [exemplar] }];
    const expected = {
      exemplars: [
        {
          time: expect.any(Number),
          value: 'Infinity',
          trace_id: TRACE_ID,
          span_id: SPAN_ID,
          attributes: { user: 'u1' },
        },
      ],
    };
    for (const kind of ['gauge', 'sum', 'histogram', 'exponentialHistogram'] as const) {
      expect(await storedPoints({ case: kind, value: { dataPoints } })).toMatchObject([expected]);
    }
  });

  test('keeps all digits of its integers', async () => {
    const harness = new Harness();
    const dataPoints = [{ ...POINT, count: 2n ** 64n - 1n, bucketCounts: [2n ** 63n] }];
    const body = metricsBody({ name: 'm', data: { case: 'histogram', value: { dataPoints } } });
    await harness.post(body, '/v1/metrics', { contentType: PROTOBUF });
    const row = JSON.parse(harness.rows[0] ?? '');
    expect(row.body).toContain('"count":18446744073709551615');
    expect(row.body).toContain('"bucket_counts":[9223372036854775808]');
    expect(row.body).toContain(`"start_time":${START}`);
  });

  test('may have come as JSON', async () => {
    const dataPoints = [
      { timeUnixNano: `${NANOS}`, asInt: '3', exemplars: [{ traceId: TRACE_ID }] },
    ];
    const sum = { dataPoints, aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA' };
    const metrics = [{ name: 'requests', sum }];
    const body = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
    expect(await stored('/v1/metrics', body)).toMatchObject([
      {
        timestamp: MICROS,
        event_message: 'requests',
        metric_type: 'sum',
        value: 3,
        aggregation_temporality: 'delta',
        is_monotonic: false,
        exemplars: [{ trace_id: TRACE_ID }],
      },
    ]);
  });
});

test('a metric without data gives no event', async () => {
  expect(await stored('/v1/metrics', metricsBody({ name: 'm' }))).toEqual([]);
});
