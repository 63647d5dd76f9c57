import { gzipSync } from 'node:zlib';
import { type DescMessage, fromJsonString, toBinary } from '@bufbuild/protobuf';
import { ExportLogsServiceRequestSchema } from '../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { ExportMetricsServiceRequestSchema } from '../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { ExportTraceServiceRequestSchema } from '../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/trace/v1/trace_service_pb.ts';
import { pushRequest } from '../ingest/formats/push-request.ts';

/** One honest request for each ingest format: what the fuzzer begins with. */

export interface Sample {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (value: unknown, contentType = 'application/json'): Sample => ({
  contentType,
  body: JSON.stringify(value),
});

const EVENT = {
  id: 'e1',
  timestamp: '2025-06-01T10:00:00.123456Z',
  message: 'GET /orders "ok"',
  project: 'shop',
  level: 'info',
  metadata: {
    request: { path: '/orders', 'user-agent': 'curl', list: [1, { a: null }] },
    n: 1e300,
  },
};

const LOG_GROUP = {
  messageType: 'DATA_MESSAGE',
  owner: '111122223333',
  logGroup: '/aws/lambda/shop',
  logStream: '2025/06/01/[$LATEST]0',
  subscriptionFilters: ['all'],
  logEvents: [
    { id: '1', timestamp: 1717236000123, message: '{"level":"INFO","n":1}' },
    { id: '2', timestamp: 1717236000124, message: 'START RequestId: r1 Version: $LATEST\n' },
  ],
};

const SYSLOG =
  '<165>1 2025-06-01T10:00:00.000003-07:00 host router 87 ID47 [call@32473 ms="3\\"" x="é"] ' +
  'at=info path="/" {"status": 200, "tags": ["a"]} \u001b[31mred\u001b[0m';

const OTLP_SCHEMAS = {
  Logs: ExportLogsServiceRequestSchema,
  Trace: ExportTraceServiceRequestSchema,
  Metrics: ExportMetricsServiceRequestSchema,
};

/** By path; several where a format has several shapes. */
export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  '': [
    json(EVENT),
    json([EVENT, { ...EVENT, timestamp: 1717236000 }]),
    json({ batch: [EVENT, { log_entry: 'x', timestamp: 1717236000123456 }] }),
    { contentType: 'application/x-ndjson', body: `${JSON.stringify(EVENT)}\n{"a":1}\n` },
    { contentType: 'application/x-www-form-urlencoded', body: 'message=hi+there&level=%C3%A9' },
    { contentType: 'application/x-www-form-urlencoded', body: 'hello [world] {"a":1}' },
    {
      contentType: 'text/plain',
      body: `up\n${JSON.stringify(EVENT)}\n[info] {"a":NaN}\n[{"b":-Infinity}]`,
    },
    { contentType: '', body: '{"time":1717236000.123456,"msg":"up","n":NaN}' },
  ],
  '/elixir/logger': [json({ batch: [EVENT, EVENT] })],
  '/telegraf': [
    json({
      metrics: [{ fields: { n: 1.5 }, name: 'cpu', tags: { host: 'h' }, timestamp: 1717236000 }],
    }),
  ],
  '/json': [json(EVENT), json([{ deep: { er: [[{ est: EVENT }]] } }])],
  '/typecasts': [
    json({
      batch: [
        {
          body: { metadata: { ms: '12.5', list: [{ n: '1e3' }] } },
          typecasts: [
            { path: ['metadata', 'ms'], from: 'string', to: 'float' },
            { path: ['metadata', 'list', 'n'], from: 'string', to: 'float' },
          ],
        },
      ],
    }),
  ],
  '/cloudflare': [
    json(EVENT),
    {
      contentType: 'text/plain',
      body: '{"EdgeStartTimestamp":1717236000123456789,"ClientIP":"203.0.113.7"}\n{"a":{}}\n',
    },
  ],
  '/vector': [json([{ timestamp: '2025-06-01T10:00:00Z', message: 'm', project: 'p', host: 'h' }])],
  '/vercel': [vercel()],
  '/zeit': [vercel()],
  '/netlify': [
    json([
      {
        log_type: 'traffic',
        timestamp: '2025-06-01T10:00:00Z',
        method: 'GET',
        status_code: 200,
        request_id: 'r',
        client_ip: '203.0.113.7',
        url: 'https://shop.example/',
        user_agent: 'curl',
      },
      { message: 'deploy validation' },
    ]),
  ],
  '/browser/reports': [
    json([{ type: 'csp-violation', age: 10, url: 'https://x/', body: { disposition: 'enforce' } }]),
    json({ 'csp-report': { 'document-uri': 'https://x/' } }, 'application/csp-report'),
  ],
  '/cloud-event': [
    {
      ...json({ n: 1 }),
      headers: { 'ce-id': '1', 'ce-time': '2025-06-01T10:00:00Z', 'ce-a-b': '%20' },
    },
    json(
      {
        specversion: '1.0',
        id: '1',
        source: '/s',
        type: 't',
        time: '2025-06-01T10:00:00Z',
        data: EVENT,
      },
      'application/cloudevents+json',
    ),
  ],
  '/github': [
    json({
      action: 'opened',
      repository: { full_name: 'o/r', html_url: 'https://x' },
      sender: { login: 'u' },
      labels: [{ name: 'bug', url: 'https://x' }],
    }),
  ],
  '/v1/logs': otlpLogs(),
  '/v1/traces': otlpTraces(),
  '/v1/metrics': otlpMetrics(),
  '/firehose': [firehose()],
  '/cloudwatch-logs': [
    json(LOG_GROUP),
    json({ awslogs: { data: gzipSync(JSON.stringify(LOG_GROUP)).toString('base64') } }),
    { contentType: 'application/octet-stream', body: gzipSync(JSON.stringify(LOG_GROUP)) },
  ],
  '/loki/api/v1/push': [
    json({
      streams: [
        {
          stream: { job: 'web', project: 'p' },
          values: [
            ['1717236000123456789', 'GET /', { trace_id: 't' }],
            ['1717236000123', '{"a":1}'],
          ],
        },
      ],
    }),
    {
      contentType: 'application/x-protobuf',
      body: pushRequest([
        {
          labels: '{job="web", path="C:\\\\"}',
          entries: [
            { seconds: 1717236000, nanos: 1, line: 'GET /', structured: { trace_id: 't' } },
            { seconds: 5, nanos: 0, line: 'old' },
          ],
        },
      ]),
    },
  ],
  '/_bulk': [bulk()],
  '/:index/_bulk': [bulk()],
  '/:index/_doc': [json(EVENT)],
  '/services/collector': [hec()],
  '/services/collector/event': [hec()],
  '/services/collector/event/1.0': [hec()],
  '/services/collector/raw': [lines()],
  '/services/collector/raw/1.0': [lines()],
  '/api/v2/logs': [datadog()],
  '/v1/input': [datadog(), lines()],
  '/gelf': [
    json({
      version: '1.1',
      host: 'h',
      short_message: 'hi',
      full_message: 'hi\nthere',
      timestamp: 1717236000.5,
      level: 6,
      _a: 1,
      _host: 'x',
    }),
  ],
  '/logplex': [syslog(`${Buffer.byteLength(SYSLOG)} ${SYSLOG}`)],
  '/syslogs': [syslog(`${SYSLOG}\n<34>1 - - - - - plain\n`)],
  '/syslog': [syslog(SYSLOG)],
};

function bulk(): Sample {
  const lines = [
    { create: { _index: 'web-2025.06.01', _id: '1' } },
    { '@timestamp': '2025-06-01T10:00:00Z', message: 'm', host: { name: 'h' } },
    { delete: { _id: '2' } },
    { index: { _index: 'web-2025.06.02' } },
    EVENT,
  ];
  return {
    contentType: 'application/x-ndjson',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  };
}

function hec(): Sample {
  const text = { time: '1717236000.123', host: 'h', sourcetype: 't', index: 'main', event: 'hi' };
  const object = { time: 1717236000, event: EVENT, fields: { a: 'b' }, index: 'main' };
  return {
    contentType: 'application/json',
    body: JSON.stringify(text) + JSON.stringify(object),
  };
}

function lines(): Sample {
  return { contentType: 'text/plain', body: 'up\n\r\n{"a":1}\r\ndown' };
}

function datadog(): Sample {
  const log = { message: 'm', status: 'info', timestamp: 1717236000123, ddtags: 'a:b' };
  return json([{ ...log, hostname: 'h', service: 's' }, { date: 1717236000123 }]);
}

function otlpLogs(): Sample[] {
  return otlp('Logs', {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: '1717236000123456789',
                severityNumber: 9,
                body: { kvlistValue: { values: [{ key: 'a', value: { intValue: '1' } }] } },
              },
            ],
          },
        ],
      },
    ],
  });
}

function otlpTraces(): Sample[] {
  const span = {
    name: 'GET /',
    kind: 2,
    startTimeUnixNano: '1717236000123456789',
    endTimeUnixNano: '1717236000223456789',
    events: [{ name: 'retry', timeUnixNano: '1717236000133456789' }],
    status: { code: 2, message: 'no' },
  };
  return otlp('Trace', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}

function otlpMetrics(): Sample[] {
  const point = { timeUnixNano: '1717236000123456789', asDouble: 1.5 };
  const histogram = { ...point, asDouble: undefined, count: '3', bucketCounts: ['1', '2'] };
  const metrics = [
    { name: 'g', gauge: { dataPoints: [point] } },
    { name: 's', sum: { dataPoints: [point], isMonotonic: true } },
    { name: 'h', histogram: { dataPoints: [histogram] } },
  ];
  return otlp('Metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
}

/** A request in both encodings. */
function otlp(signal: keyof typeof OTLP_SCHEMAS, request: object): Sample[] {
  const body = JSON.stringify(request);
  const schema = OTLP_SCHEMAS[signal];
  const bytes = toBinary<DescMessage>(schema, fromJsonString<DescMessage>(schema, body));
  return [
    { contentType: 'application/json', body },
    { contentType: 'application/x-protobuf', body: bytes },
  ];
}

function firehose(): Sample {
  const records = [
    gzipSync(JSON.stringify(LOG_GROUP)),
    Buffer.from('{"a":1}{"b":2}\n'),
    Buffer.from('plain text\n'),
  ];
  return {
    ...json({
      requestId: 'r1',
      timestamp: 1717236000123,
      records: records.map((record) => ({ data: record.toString('base64') })),
    }),
    headers: {
      'X-Amz-Firehose-Request-Id': 'r1',
      'X-Amz-Firehose-Common-Attributes': '{"commonAttributes":{"team":"shop"}}',
    },
  };
}

function vercel(): Sample {
  return json([
    {
      id: '1',
      timestamp: 1717236000123,
      source: 'lambda',
      requestId: 'r1',
      message:
        'START RequestId: r1 Version: $LATEST\n2025-06-01T10:00:00.000Z\tr1\tINFO\thello\n' +
        'END RequestId: r1\nREPORT RequestId: r1\tDuration: 1.50 ms\tBilled Duration: 2 ms\tMemory Size: 1024 MB\tMax Memory Used: 70 MB\n',
      proxy: {
        statusCode: 200,
        host: 'h',
        path: '/',
        clientIp: '203.0.113.7',
        userAgent: ['curl'],
      },
    },
  ]);
}

function syslog(body: string): Sample {
  return { contentType: 'application/logplex-1', body };
}
