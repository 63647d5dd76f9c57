import { deflateSync, gzipSync } from 'node:zlib';
import { otherStores } from './other-stores.ts';
import { field, message, text } from './protobuf.ts';

/** A request to one ingest route, and what is stored of it. */
export interface Sample {
  /** The route without `/logs`, as the format is called in the service. */
  readonly format: string;
  /** Where it is sent. @default the format behind `/logs`, where that stands at the root the format itself */
  readonly path?: string;
  /** What answers that it is stored. @default 200 */
  readonly status?: number;
  /** What is special about this one. */
  readonly shape: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** By a text that only this event has, the fields it is stored with: those of objects may be more. */
  readonly events: readonly (readonly [mark: string, stored: object])[];
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const BIG = 9_007_199_254_740_993n;

/**
 * One event or more for each ingest format, in the shapes that it is sent in.
 *
 * @param run a text without characters that JSON or URLs escape; marks begin with it.
 * @param nowMs milliseconds since the epoch. Events are of the minute before.
 */
export function samples(run: string, nowMs: number): Sample[] {
  const ms = nowMs - 60_000;
  const us = ms * 1_000 + 123;
  const iso = `${new Date(ms).toISOString().slice(0, -1)}123Z`;
  const mark = (name: string) => `${run}-${name}`;
  const plain = (name: string) => ({
    id: mark(name),
    message: `message of ${name}`,
    timestamp: us,
  });
  const stored = (name: string) =>
    [mark(name), { id: mark(name), event_message: `message of ${name}`, timestamp: us }] as const;

  return [
    {
      format: '',
      shape: 'one object with everything in it',
      body: {
        ...plain('object'),
        project: run,
        big: BIG,
        unicode: 'Ünï — 日本語 🦉 "\\\u0001',
        ratio: 0.1,
        yes: true,
        none: null,
        'user-agent': 'curl',
        nested: { list: [1, { deep: [[{ er: -BIG }]] }], empty: {} },
        metadata: {
          level: 'error',
          kind: 'copied',
          ip: '198.51.100.7',
          ips: { v6: 'from 2001:db8::7' },
        },
      },
      events: [
        [
          mark('object'),
          {
            id: mark('object'),
            event_message: 'message of object',
            timestamp: us,
            project: run,
            big: BIG,
            unicode: 'Ünï — 日本語 🦉 "\\\u0001',
            ratio: 0.1,
            yes: true,
            _user_agent: 'curl',
            nested: { list: [1, { deep: [[{ er: -BIG }]] }] },
            metadata: { level: 'error', ip: '198.51.100.7' },
          },
        ],
      ],
    },
    {
      format: '',
      shape: 'a list in gzip, times as texts and milliseconds',
      headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      body: gzipSync(
        JSON.stringify([
          { ...plain('list-iso'), timestamp: iso },
          { ...plain('list-ms'), timestamp: ms },
        ]),
      ),
      events: [
        stored('list-iso'),
        [mark('list-ms'), { ...stored('list-ms')[1], timestamp: ms * 1_000 }],
      ],
    },
    {
      format: '',
      shape: 'a batch in deflate',
      headers: { ...JSON_TYPE, 'Content-Encoding': 'deflate' },
      body: deflateSync(JSON.stringify({ batch: [plain('batch-1'), plain('batch-2')] })),
      events: [stored('batch-1'), stored('batch-2')],
    },
    {
      format: '',
      shape: 'lines of text',
      headers: { 'Content-Type': 'text/plain' },
      body: `${mark('line-1')} up\n${mark('line-2')} dówn\n`,
      events: [
        [mark('line-1'), { event_message: `${mark('line-1')} up` }],
        [mark('line-2'), { event_message: `${mark('line-2')} dówn` }],
      ],
    },
    {
      format: '',
      shape: 'a form',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `message=hi+there&form=${mark('form')}&accent=%C3%A9`,
      events: [[mark('form'), { event_message: 'hi there', form: mark('form'), accent: 'é' }]],
    },
    {
      format: '/elixir/logger',
      shape: 'a batch',
      body: { batch: [plain('elixir')] },
      events: [stored('elixir')],
    },
    {
      format: '/json',
      shape: 'a list',
      body: [{ id: mark('json'), timestamp: us, level: 'warn', took: { ms: 12 } }],
      events: [
        [
          mark('json'),
          { id: mark('json'), timestamp: us, metadata: { level: 'warn', took: { ms: 12 } } },
        ],
      ],
    },
    {
      format: '/json',
      shape: 'lines of JSON',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `{"n":1,"line":"${mark('ndjson-1')}"}\n{"n":2,"line":"${mark('ndjson-2')}"}\n`,
      events: [
        [mark('ndjson-1'), { metadata: { n: 1, line: mark('ndjson-1') } }],
        [mark('ndjson-2'), { metadata: { n: 2, line: mark('ndjson-2') } }],
      ],
    },
    ...['/vercel', '/zeit'].map((format) => {
      const id = mark(format.slice(1));
      const proxy = {
        statusCode: 200,
        host: 'h',
        path: '/',
        clientIp: '203.0.113.7',
        userAgent: ['curl'],
      };
      return {
        format,
        shape: 'a list of entries',
        body: [{ id, timestamp: ms, source: 'edge', message: 'x', proxy }],
        events: [
          [
            id,
            {
              id,
              timestamp: ms * 1_000,
              event_message: 'edge | 200 | h | / | 203.0.113.7 | curl',
              metadata: { proxy: { userAgent: 'curl' } },
            },
          ],
        ] as const,
      };
    }),
    {
      format: '/netlify',
      shape: 'an entry',
      body: {
        log_type: 'traffic',
        timestamp: iso,
        method: 'GET',
        status_code: 200,
        request_id: mark('netlify'),
        path: '/p',
      },
      events: [
        [
          mark('netlify'),
          { timestamp: us, event_message: `traffic | GET | 200 | ${mark('netlify')} | /p` },
        ],
      ],
    },
    {
      format: '/browser/reports',
      shape: 'a list of reports',
      headers: { 'Content-Type': 'application/reports+json' },
      body: JSON.stringify([
        { type: 'csp-violation', age: 10, url: mark('report'), body: { line: 7 } },
      ]),
      events: [
        [mark('report'), { metadata: { type: 'csp-violation', age: 10, body: { line: 7 } } }],
      ],
    },
    {
      format: '/cloud-event',
      shape: 'binary mode',
      headers: {
        ...JSON_TYPE,
        'ce-id': mark('cloud-event'),
        'ce-source': '/s',
        'ce-type': 't',
        'ce-specversion': '1.0',
        'ce-time': iso,
      },
      body: { message: 'from a cloud event', n: 1 },
      events: [
        [
          mark('cloud-event'),
          {
            id: mark('cloud-event'),
            timestamp: us,
            event_message: 'from a cloud event',
            n: 1,
            cloud_event: { source: '/s', type: 't' },
          },
        ],
      ],
    },
    {
      format: '/github',
      shape: 'a webhook',
      body: {
        action: 'opened',
        repository: { full_name: 'o/r', html_url: 'https://x' },
        sender: { login: 'u' },
        labels: [{ name: mark('github'), url: 'https://x' }],
      },
      events: [
        [
          mark('github'),
          {
            event_message: 'o/r | u | opened',
            metadata: { labels: [{ name: mark('github'), url: 'https://x' }] },
          },
        ],
      ],
    },
    ...['/logplex', '/syslogs', '/syslog'].map((format) => {
      const id = mark(format.slice(1));
      const line = `<165>1 ${iso} host app 8710 ${id} [call@32473 ms="3"] GET {"status": 200}`;
      return {
        format,
        shape: 'a message of RFC 5424',
        headers: { 'Content-Type': 'application/logplex-1' },
        body: format === '/logplex' ? `${Buffer.byteLength(line)} ${line}` : `${line}\n`,
        events: [
          [
            id,
            {
              timestamp: us,
              event_message: 'GET {"status": 200}',
              metadata: {
                facility: 'local4',
                level: 'notice',
                message_id: id,
                sd: [
                  { id: 'json', status: 200 },
                  { id: 'call@32473', ms: '3' },
                ],
              },
            },
          ],
        ] as const,
      };
    }),
    {
      format: '/cloudflare',
      shape: 'a line of Logpush',
      headers: { 'Content-Type': 'text/plain' },
      body: `{"EdgeStartTimestamp":${ms}000000,"RayID":"${mark('logpush')}","ClientIP":"203.0.113.7"}\n`,
      events: [[mark('logpush'), { timestamp: ms * 1_000, metadata: { RayID: mark('logpush') } }]],
    },
    {
      format: '/typecasts',
      shape: 'a batch',
      body: {
        batch: [
          {
            body: { ...plain('typecasts'), metadata: { price: '9.50' } },
            typecasts: [{ path: ['metadata', 'price'], from: 'string', to: 'float' }],
          },
        ],
      },
      events: [[mark('typecasts'), { ...stored('typecasts')[1], metadata: { price: 9.5 } }]],
    },
    {
      format: '/vector',
      shape: 'a list',
      body: [{ timestamp: iso, message: 'from vector', host: mark('vector') }],
      events: [
        [
          mark('vector'),
          { timestamp: us, event_message: 'from vector', metadata: { host: mark('vector') } },
        ],
      ],
    },
    {
      format: '/telegraf',
      shape: 'a batch of metrics',
      body: {
        metrics: [
          {
            fields: { n: 1.5 },
            name: 'cpu',
            tags: { host: mark('telegraf') },
            timestamp: Math.floor(ms / 1_000),
          },
        ],
      },
      events: [
        [
          mark('telegraf'),
          {
            event_message: 'cpu',
            timestamp: Math.floor(ms / 1_000) * 1_000_000,
            metadata: { type: 'metric', fields: { n: 1.5 } },
          },
        ],
      ],
    },
    firehose(mark, ms),
    cloudWatchLogs(mark, ms),
    ...openTelemetry(mark, ms),
    ...otherStores(run, nowMs),
  ];
}

type Mark = (name: string) => string;

function firehose(mark: Mark, ms: number): Sample {
  const id = mark('firehose');
  const records = [
    gzipSync(JSON.stringify({ action: 'ALLOW', ray: `${id}-gzip` })),
    Buffer.from(`{"action":"BLOCK","ray":"${id}-json"}\n`),
    Buffer.from(`2 ${id}-text ACCEPT OK\n`),
  ];
  const own = (index: number) => ({
    id: `${id}-${index}`,
    firehose: { common_attributes: { team: 'shop' } },
  });
  return {
    format: '/firehose',
    shape: 'records in gzip, JSON and text',
    headers: {
      ...JSON_TYPE,
      'X-Amz-Firehose-Request-Id': id,
      'X-Amz-Firehose-Common-Attributes': '{"commonAttributes":{"team":"shop"}}',
    },
    body: {
      requestId: id,
      timestamp: ms,
      records: records.map((record) => ({ data: record.toString('base64') })),
    },
    events: [
      [`${id}-gzip`, { metadata: { action: 'ALLOW' }, firehose: own(0).firehose }],
      [`${id}-json`, { metadata: { action: 'BLOCK' }, firehose: own(1).firehose }],
      [`${id}-text`, { event_message: `2 ${id}-text ACCEPT OK`, firehose: own(2).firehose }],
    ],
  };
}

function cloudWatchLogs(mark: Mark, ms: number): Sample {
  const id = mark('cloudwatch');
  const delivery = {
    messageType: 'DATA_MESSAGE',
    owner: '111122223333',
    logGroup: '/aws/lambda/shop',
    logStream: 's',
    subscriptionFilters: ['all'],
    logEvents: [{ id, timestamp: ms, message: '{"level":"INFO","n":1}' }],
  };
  return {
    format: '/cloudwatch-logs',
    shape: 'a delivery in gzip',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: gzipSync(JSON.stringify(delivery)),
    events: [
      [
        id,
        {
          id,
          timestamp: ms * 1_000,
          event_message: '{"level":"INFO","n":1}',
          metadata: { log_group: '/aws/lambda/shop', level: 'info', json: { n: 1 } },
        },
      ],
    ],
  };
}

function openTelemetry(mark: Mark, ms: number): Sample[] {
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
