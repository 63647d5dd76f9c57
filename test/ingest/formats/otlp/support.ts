import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { ExportLogsServiceRequestSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { ExportMetricsServiceRequestSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { ExportTraceServiceRequestSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/trace/v1/trace_service_pb.ts';
import type {
  AnyValueSchema,
  KeyValueSchema,
} from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/common/v1/common_pb.ts';
import type { LogRecordSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/logs/v1/logs_pb.ts';
import type { MetricSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/metrics/v1/metrics_pb.ts';
import type { SpanSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/trace/v1/trace_pb.ts';
import { Harness } from '../../support.ts';

export const PROTOBUF = 'application/x-protobuf';

export const TRACE_ID = '5b8efff798038103d269b633813fc60c';
export const SPAN_ID = 'eee19b7ec3c1b174';
export const PARENT_SPAN_ID = 'eee19b7ec3c1b173';

/** 2025-06-01T11:59:00.123456789Z, a minute before the tests' clock. */
export const NANOS = 1_748_779_140_123_456_789n;
export const MICROS = 1_748_779_140_123_456;

export type KeyValueInit = MessageInitShape<typeof KeyValueSchema>;
export type AnyValueInit = MessageInitShape<typeof AnyValueSchema>;
export type LogRecordInit = MessageInitShape<typeof LogRecordSchema>;
export type SpanInit = MessageInitShape<typeof SpanSchema>;
export type MetricInit = MessageInitShape<typeof MetricSchema>;

export function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function string(value: string): AnyValueInit {
  return { value: { case: 'stringValue', value } };
}

export function int(value: bigint): AnyValueInit {
  return { value: { case: 'intValue', value } };
}

export function list(...values: AnyValueInit[]): AnyValueInit {
  return { value: { case: 'arrayValue', value: { values } } };
}

export function object(...values: KeyValueInit[]): AnyValueInit {
  return { value: { case: 'kvlistValue', value: { values } } };
}

export function pair(key: string, value?: AnyValueInit): KeyValueInit {
  return value === undefined ? { key } : { key, value };
}

const resource = { attributes: [pair('service.name', string('checkout'))] };
const scope = { name: 'http', version: '1.2.0' };

/** What all events of the requests below have beside their own fields. */
export const ORIGIN = {
  project: 'checkout',
  resource: { _service_name: 'checkout' },
  scope,
};

export function logsBody(...logRecords: LogRecordInit[]): Uint8Array {
  const resourceLogs = [{ resource, scopeLogs: [{ scope, logRecords }] }];
  return toBinary(
    ExportLogsServiceRequestSchema,
    create(ExportLogsServiceRequestSchema, { resourceLogs }),
  );
}

export function tracesBody(...spans: SpanInit[]): Uint8Array {
  const resourceSpans = [{ resource, scopeSpans: [{ scope, spans }] }];
  return toBinary(
    ExportTraceServiceRequestSchema,
    create(ExportTraceServiceRequestSchema, { resourceSpans }),
  );
}

export function metricsBody(...metrics: MetricInit[]): Uint8Array {
  const resourceMetrics = [{ resource, scopeMetrics: [{ scope, metrics }] }];
  return toBinary(
    ExportMetricsServiceRequestSchema,
    create(ExportMetricsServiceRequestSchema, { resourceMetrics }),
  );
}

/** The events that a body becomes; an object is sent as JSON. None may be refused. */
export async function stored(
  path: '/v1/logs' | '/v1/traces' | '/v1/metrics',
  body: Uint8Array | object,
): Promise<Record<string, unknown>[]> {
  const harness = new Harness();
  const contentType = body instanceof Uint8Array ? PROTOBUF : 'application/json';
  const { rejected } = await harness.post(body, path, { contentType });
  if (rejected.length > 0) throw new Error(`Refused: ${rejected[0]?.reason}`);
  return harness.events;
}

/** JSON of a request for logs from one scope. */
export function logsJson(...logRecords: object[]): object {
  return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}
