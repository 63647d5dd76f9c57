/** Fields of data points, by the kind of metric. */
import type { Fields } from '../../../platform/json/fields.ts';
import type { KeyValue } from './gen/opentelemetry/proto/common/v1/common_pb.ts';
import type {
  Exemplar,
  ExponentialHistogramDataPoint,
  ExponentialHistogramDataPoint_Buckets,
  HistogramDataPoint,
  NumberDataPoint,
  SummaryDataPoint,
} from './gen/opentelemetry/proto/metrics/v1/metrics_pb.ts';
import { attributes } from './values/attributes.ts';
import type { IdText } from './values/ids.ts';
import { timestamp } from './values/nanoseconds.ts';
import { double, integer, integerUnlessZero } from './values/numbers.ts';

/** A point of a gauge or a sum; `value` is absent where the flags say that nothing was recorded. */
export function numberFields(point: NumberDataPoint, idText: IdText): Fields {
  return {
    ...commonFields(point),
    value: numberOf(point.value),
    exemplars: exemplarsOf(point.exemplars, idText),
  };
}

export function histogramFields(point: HistogramDataPoint, idText: IdText): Fields {
  return {
    ...commonFields(point),
    ...distributionFields(point),
    bucket_counts: point.bucketCounts.map(integer),
    explicit_bounds: point.explicitBounds.map(double),
    exemplars: exemplarsOf(point.exemplars, idText),
  };
}

export function exponentialHistogramFields(
  point: ExponentialHistogramDataPoint,
  idText: IdText,
): Fields {
  return {
    ...commonFields(point),
    ...distributionFields(point),
    scale: point.scale,
    zero_count: integer(point.zeroCount),
    zero_threshold: double(point.zeroThreshold),
    positive: bucketsOf(point.positive),
    negative: bucketsOf(point.negative),
    exemplars: exemplarsOf(point.exemplars, idText),
  };
}

export function summaryFields(point: SummaryDataPoint): Fields {
  return {
    ...commonFields(point),
    count: integer(point.count),
    sum: double(point.sum),
    quantile_values: point.quantileValues.map(({ quantile, value }) => ({
      quantile: double(quantile),
      value: double(value),
    })),
  };
}

function commonFields(point: {
  readonly attributes: readonly KeyValue[];
  readonly startTimeUnixNano: bigint;
  readonly timeUnixNano: bigint;
  readonly flags: number;
}): Fields {
  return {
    timestamp: timestamp(point.timeUnixNano),
    start_time: integerUnlessZero(point.startTimeUnixNano),
    attributes: attributes(point.attributes),
    flags: point.flags || undefined,
  };
}

function distributionFields(point: {
  readonly count: bigint;
  readonly sum?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}): Fields {
  return {
    count: integer(point.count),
    sum: double(point.sum),
    min: double(point.min),
    max: double(point.max),
  };
}

function bucketsOf(buckets: ExponentialHistogramDataPoint_Buckets | undefined): Fields | undefined {
  return buckets && { offset: buckets.offset, bucket_counts: buckets.bucketCounts.map(integer) };
}

function exemplarsOf(exemplars: readonly Exemplar[], idText: IdText): readonly Fields[] {
  return exemplars.map((exemplar) => ({
    time: integerUnlessZero(exemplar.timeUnixNano),
    value: numberOf(exemplar.value),
    attributes: attributes(exemplar.filteredAttributes),
    trace_id: idText(exemplar.traceId),
    span_id: idText(exemplar.spanId),
  }));
}

function numberOf(value: NumberDataPoint['value']): unknown {
  return value.case === 'asInt' ? integer(value.value) : double(value.value);
}
