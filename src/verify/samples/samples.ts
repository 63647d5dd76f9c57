import { deflateSync, gzipSync } from 'node:zlib';
import { cloudWatchLogs, firehose } from './aws.ts';
import { openTelemetry } from './open-telemetry.ts';
import { otherStores } from './other-stores.ts';
import type { Sample } from './sample.ts';

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
