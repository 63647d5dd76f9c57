/** Data points of metrics as events (Logflare 1.50). */
import type { Fields } from '../../../platform/json/fields.ts';
import type { DecodedEvents } from '../../decode/format.ts';
import {
  exponentialHistogramFields,
  histogramFields,
  numberFields,
  summaryFields,
} from './data-points.ts';
import { EventCollector } from './event-collector.ts';
import {
  type ExportMetricsServiceRequest,
  ExportMetricsServiceRequestSchema,
} from './gen/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import type {
  AggregationTemporality,
  Metric,
} from './gen/opentelemetry/proto/metrics/v1/metrics_pb.ts';
import { requestReader } from './request.ts';
import { attributes } from './values/attributes.ts';
import type { IdText } from './values/ids.ts';
import { resourceFields, scopeFields } from './values/resource-scope.ts';

const TEMPORALITIES = ['unspecified', 'delta', 'cumulative'];

export const metrics = requestReader(ExportMetricsServiceRequestSchema, eventsOf);

function eventsOf(request: ExportMetricsServiceRequest, idText: IdText): DecodedEvents {
  const records = new EventCollector();
  for (const ofResource of request.resourceMetrics) {
    const shared = resourceFields(ofResource);
    for (const ofScope of ofResource.scopeMetrics) {
      const origin = scopeFields(shared, ofScope);
      for (const metric of ofScope.metrics) {
        const ofMetric = { ...metricFields(metric), ...origin };
        for (const point of pointsOf(metric, idText)) records.add({ ...point, ...ofMetric });
      }
    }
  }
  return records.decoded;
}

function metricFields(metric: Metric): Fields {
  return {
    event_message: metric.name,
    description: metric.description,
    unit: metric.unit,
    metadata: { type: 'metric' },
    metric_metadata: attributes(metric.metadata),
  };
}

/** A metric without data has no points. */
function pointsOf({ data }: Metric, idText: IdText): Iterable<Fields> {
  switch (data.case) {
    case 'gauge':
      return eachOf(data.value.dataPoints, (point) => ({
        metric_type: 'gauge',
        ...numberFields(point, idText),
      }));
    case 'sum':
      return eachOf(data.value.dataPoints, (point) => ({
        metric_type: 'sum',
        ...numberFields(point, idText),
        aggregation_temporality: temporality(data.value.aggregationTemporality),
        is_monotonic: data.value.isMonotonic,
      }));
    case 'histogram':
      return eachOf(data.value.dataPoints, (point) => ({
        metric_type: 'histogram',
        ...histogramFields(point, idText),
        aggregation_temporality: temporality(data.value.aggregationTemporality),
      }));
    case 'exponentialHistogram':
      return eachOf(data.value.dataPoints, (point) => ({
        metric_type: 'exponential_histogram',
        ...exponentialHistogramFields(point, idText),
        aggregation_temporality: temporality(data.value.aggregationTemporality),
      }));
    case 'summary':
      return eachOf(data.value.dataPoints, (point) => ({
        metric_type: 'summary',
        ...summaryFields(point),
      }));
    default:
      return [];
  }
}

/** One by one, so that points beyond the limit are never made into events. */
function* eachOf<Point>(
  points: readonly Point[],
  fieldsOf: (point: Point) => Fields,
): Generator<Fields, void, undefined> {
  for (const point of points) yield fieldsOf(point);
}

function temporality(value: AggregationTemporality): string {
  return TEMPORALITIES[value] ?? String(value);
}
