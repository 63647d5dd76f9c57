/** OTLP requests with log records like those of an HTTP service, varied by their number. */
import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { ExportLogsServiceRequestSchema } from '../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';

const START_MS = Date.UTC(2025, 5, 1);

/** OTLP/JSON text of a request with so many log records. */
export function otlpJson(first: number, count: number): string {
  return JSON.stringify(request(first, count, (hex) => hex));
}

/** The same request in protobuf. */
export function otlpProtobuf(first: number, count: number): Uint8Array {
  // What reads protobuf's JSON takes ids in base64, which OTLP has in hex.
  const json = request(first, count, (hex) => Buffer.from(hex, 'hex').toString('base64'));
  const schema = ExportLogsServiceRequestSchema;
  return toBinary(schema, fromJson(schema, json));
}

function request(first: number, count: number, id: (hex: string) => string): JsonValue {
  const logRecords = Array.from({ length: count }, (_, index) => logRecord(first + index, id));
  const attributes = [
    text('service.name', 'storage'),
    text('service.version', '1.19.3'),
    text('deployment.environment', 'production'),
    text('host.name', 'ip-10-0-3-17'),
  ];
  return {
    resourceLogs: [
      { resource: { attributes }, scopeLogs: [{ scope: { name: 'http' }, logRecords }] },
    ],
  };
}

function logRecord(number: number, id: (hex: string) => string): JsonValue {
  const path = `/rest/v1/orders/${number % 977}`;
  const status = [200, 201, 304, 404][number % 4] ?? 500;
  const nanos = BigInt(START_MS + number * 37) * 1_000_000n;
  return {
    timeUnixNano: String(nanos),
    observedTimeUnixNano: String(nanos + 1_000_000n),
    severityNumber: 9,
    severityText: 'INFO',
    body: { stringValue: `GET | ${status} | ${path}` },
    attributes: [
      text('http.request.method', 'GET'),
      { key: 'http.response.status_code', value: { intValue: String(status) } },
      text('url.path', path),
      text('client.address', `203.0.113.${number % 256}`),
      text('user_agent.original', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0'),
      { key: 'duration_ms', value: { doubleValue: (number % 500) + 0.5 } },
      { key: 'cached', value: { boolValue: number % 3 === 0 } },
      {
        key: 'roles',
        value: { arrayValue: { values: [{ stringValue: 'anon' }, { stringValue: 'web' }] } },
      },
    ],
    traceId: id(number.toString(16).padStart(32, 'a')),
    spanId: id(number.toString(16).padStart(16, 'b')),
  };
}

function text(key: string, stringValue: string): JsonValue {
  return { key, value: { stringValue } };
}
