import { field, message, text } from './protobuf.ts';
import type { Mark, Sample } from './sample.ts';

export function openTelemetry(mark: Mark, ms: number): Sample[] {
  const ns = BigInt(ms) * 1_000_000n + 123_456n;
  const timestamp = ms * 1_000 + 123;
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'verify' } }] };
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  return [
    {
      format: '/v1/logs',
      shape: 'protobuf',
      headers: { 'Content-Type': 'application/x-protobuf' },
      // ExportLogsServiceRequest > ResourceLogs > ScopeLogs > LogRecord, whose body is an AnyValue.
      body: message(
        1,
        message(2, message(2, field(1, ns), message(5, text(1, mark('otlp-protobuf'))))),
      ),
      events: [
        [
          mark('otlp-protobuf'),
          { timestamp, event_message: mark('otlp-protobuf'), metadata: { type: 'otel_log' } },
        ],
      ],
    },
    {
      format: '/v1/logs',
      shape: 'JSON',
      body: {
        resourceLogs: [
          {
            resource,
            scopeLogs: [
              {
                logRecords: [
                  {
                    timeUnixNano: String(ns),
                    severityNumber: 17,
                    severityText: 'ERROR',
                    body: { stringValue: mark('otlp-log') },
                    traceId,
                  },
                ],
              },
            ],
          },
        ],
      },
      events: [
        [
          mark('otlp-log'),
          {
            timestamp,
            event_message: mark('otlp-log'),
            project: 'verify',
            severity_number: 17,
            trace_id: traceId,
            resource: { _service_name: 'verify' },
          },
        ],
      ],
    },
    {
      format: '/v1/traces',
      shape: 'JSON',
      body: {
        resourceSpans: [
          {
            resource,
            scopeSpans: [
              {
                spans: [
                  {
                    name: mark('otlp-span'),
                    kind: 2,
                    traceId,
                    spanId: 'b7ad6b7169203331',
                    startTimeUnixNano: String(ns),
                    endTimeUnixNano: String(ns + 100_000_000n),
                    status: { code: 2, message: 'no' },
                  },
                ],
              },
            ],
          },
        ],
      },
      events: [
        [
          mark('otlp-span'),
          {
            timestamp,
            event_message: mark('otlp-span'),
            metadata: { type: 'span' },
            kind: 'Server',
            start_time: ns,
            end_time: ns + 100_000_000n,
            status: { code: 'Error', message: 'no' },
          },
        ],
      ],
    },
    {
      format: '/v1/metrics',
      shape: 'JSON',
      body: {
        resourceMetrics: [
          {
            resource,
            scopeMetrics: [
              {
                metrics: [
                  {
                    name: mark('otlp-gauge'),
                    unit: 's',
                    gauge: { dataPoints: [{ timeUnixNano: String(ns), asDouble: 1.5 }] },
                  },
                ],
              },
            ],
          },
        ],
      },
      events: [
        [
          mark('otlp-gauge'),
          {
            timestamp,
            event_message: mark('otlp-gauge'),
            metadata: { type: 'metric' },
            metric_type: 'gauge',
            value: 1.5,
            unit: 's',
          },
        ],
      ],
    },
  ];
}
