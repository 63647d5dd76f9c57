import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { fromBinary } from '@bufbuild/protobuf';
import { snappyCompress } from 'hysnappy';
import { describe, expect, test } from 'vitest';
import { StatusSchema } from '../../../../src/ingest/formats/otlp/gen/google/rpc/status_pb.ts';
import { ExportLogsServiceResponseSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { ExportMetricsServiceResponseSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { ExportTraceServiceResponseSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/trace/v1/trace_service_pb.ts';
import { ServiceError } from '../../../../src/platform/errors.ts';
import {
  logsBody,
  logsJson,
  metricsBody,
  NANOS,
  PROTOBUF,
  string,
  tracesBody,
} from '../../../ingest/formats/otlp/support.ts';
import { Harness } from '../../../ingest/support.ts';
import { ingestApp, KEY, WEB } from './support.ts';

/** An hour and a minute ahead of the clock: such events are refused. */
const FUTURE = NANOS + 62n * 60_000_000_000n;

const LOGS = logsBody({ body: string('a') }, { body: string('b') });

/** The app in front of a pipeline that normalises and keeps the rows. */
function storingApp() {
  const harness = new Harness();
  const { app, lines } = ingestApp({ pipeline: harness.pipeline });
  /** Posts to the web source with a good key, in protobuf unless the headers say otherwise. */
  const post = (path: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      headers: {
        'Content-Type': PROTOBUF,
        'X-API-KEY': KEY,
        'X-Source': WEB.token,
        ...headers,
      },
      body,
    });
  return { app, harness, post, lines };
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

describe('a request that is stored whole', () => {
  test.each([
    ['/v1/logs', LOGS, 2],
    ['/v1/traces', tracesBody({ name: 'a', events: [{ name: 'b' }] }), 2],
    [
      '/v1/metrics',
      metricsBody({ name: 'a', data: { case: 'gauge', value: { dataPoints: [{}] } } }),
      1,
    ],
  ])('fact 132: %s in protobuf is answered by an empty message', async (path, body, events) => {
    const { harness, post } = storingApp();

    const answer = await post(path, body);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe(PROTOBUF);
    expect(await bytesOf(answer)).toEqual(new Uint8Array());
    expect(harness.events).toHaveLength(events);
  });

  test('in JSON is answered in JSON', async () => {
    const { harness, post } = storingApp();
    const body = JSON.stringify(logsJson({ body: { stringValue: 'a' } }));

    const answer = await post('/v1/logs', body, {
      'Content-Type': 'application/json; charset=utf-8',
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({});
    expect(harness.events).toMatchObject([{ event_message: 'a' }]);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
    ['snappy', snappyCompress],
  ])('may be compressed with %s', async (encoding, compress) => {
    const { harness, post } = storingApp();
    const answer = await post('/v1/logs', compress(LOGS), { 'Content-Encoding': encoding });
    expect(answer.status).toBe(200);
    expect(harness.events).toHaveLength(2);
  });

  test('may hold nothing', async () => {
    const { harness, post } = storingApp();
    expect((await post('/v1/traces', new Uint8Array())).status).toBe(200);
    expect((await post('/v1/traces', '{}', JSON_HEADERS)).status).toBe(200);
    expect(harness.rows).toEqual([]);
  });

  test('may name key and source as on every route', async () => {
    const { app, harness } = storingApp();
    const headers = { 'Content-Type': PROTOBUF };
    const send = (path: string, more: Record<string, string>) =>
      app.request(path, { method: 'POST', headers: { ...headers, ...more }, body: LOGS });

    const answers = [
      await send('/v1/logs', { Authorization: `Bearer ${KEY}`, 'X-Collection': WEB.token }),
      await send(`/v1/logs?api_key=${KEY}&source=${WEB.token}`, {}),
      await send(`/v1/logs/?source_name=${WEB.name}`, { 'X-API-KEY': KEY }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(harness.rows).toHaveLength(6);
  });

  test('fact 143: is answered whatever it accepts', async () => {
    const { post } = storingApp();
    expect((await post('/v1/logs', LOGS, { Accept: 'text/html' })).status).toBe(200);
  });
});

describe('fact 140: a request of which a part is refused', () => {
  const logs = logsBody({ body: string('a') }, { timeUnixNano: FUTURE }, { body: string('c') });

  test('is 200 and says how many log records were rejected, and why', async () => {
    const { harness, post } = storingApp();

    const answer = await post('/v1/logs', logs);

    expect(answer.status).toBe(200);
    expect(harness.events).toMatchObject([{ event_message: 'a' }, { event_message: 'c' }]);
    const { partialSuccess } = fromBinary(ExportLogsServiceResponseSchema, await bytesOf(answer));
    expect(partialSuccess).toMatchObject({
      rejectedLogRecords: 1n,
      errorMessage:
        'Of 3 log records 1 were rejected (counted from 0): log record 1: timestamp is more than one ' +
        'hour in the future',
    });
  });

  test('says the same in JSON', async () => {
    const { post } = storingApp();
    const body = JSON.stringify(logsJson({ timeUnixNano: `${FUTURE}` }, {}));

    const answer = await post('/v1/logs', body, JSON_HEADERS);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: {
        rejectedLogRecords: '1',
        errorMessage: expect.stringContaining('log record 0: timestamp is more than one hour'),
      },
    });
  });

  test('counts a span once, however many of its events were refused', async () => {
    const { harness, post } = storingApp();
    const late = { name: 'late', timeUnixNano: FUTURE };
    const body = tracesBody(
      { name: 'a', events: [{ name: 'fine' }] },
      { name: 'b', startTimeUnixNano: NANOS, events: [late, { name: 'fine' }, late] },
      { name: 'c', startTimeUnixNano: FUTURE },
    );

    const answer = await post('/v1/traces', body);

    const { partialSuccess } = fromBinary(ExportTraceServiceResponseSchema, await bytesOf(answer));
    expect(partialSuccess?.rejectedSpans).toBe(2n);
    expect(partialSuccess?.errorMessage).toMatch(
      /^Of 3 spans 2 were rejected .*: span 1: .*; span 1: .*; span 2: /,
    );
    expect(harness.events.map((event) => event.event_message)).toEqual(['a', 'fine', 'b', 'fine']);
  });

  test('counts data points', async () => {
    const { post } = storingApp();
    const dataPoints = [{ timeUnixNano: FUTURE }, {}];
    const data = { case: 'gauge', value: { dataPoints } } as const;

    const answer = await post('/v1/metrics', metricsBody({ name: 'a', data }));

    const { partialSuccess } = fromBinary(
      ExportMetricsServiceResponseSchema,
      await bytesOf(answer),
    );
    expect(partialSuccess?.rejectedDataPoints).toBe(1n);
  });

  test('lists no more than twenty', async () => {
    const { post } = storingApp();
    const answer = await post('/v1/logs', logsBody(...Array(25).fill({ timeUnixNano: FUTURE })));
    const { partialSuccess } = fromBinary(ExportLogsServiceResponseSchema, await bytesOf(answer));
    expect(partialSuccess?.rejectedLogRecords).toBe(25n);
    expect(partialSuccess?.errorMessage).toMatch(/log record 19: [^;]+; and 5 more$/);
  });
});

describe('an error', () => {
  test.each([
    ['a wrong key', 401, 16, { 'X-API-KEY': 'wrong' }, LOGS],
    ['an unknown source', 401, 16, { 'X-Source': '00000000-0000-4000-8000-000000000000' }, LOGS],
    ['garbage', 400, 3, {}, 'no protobuf'],
    ['a message cut short', 400, 3, {}, LOGS.subarray(0, -1)],
    ['broken gzip', 400, 3, { 'Content-Encoding': 'gzip' }, LOGS],
    ['broken zstd', 400, 3, { 'Content-Encoding': 'zstd' }, LOGS],
    ['a coding that is not read', 415, 3, { 'Content-Encoding': 'lz4' }, LOGS],
  ])(
    '%s is %i and a google.rpc.Status with code %i',
    async (_what, status, code, headers, body) => {
      const { harness, post } = storingApp();

      const answer = await post('/v1/logs', body, headers);

      expect(answer.status).toBe(status);
      expect(answer.headers.get('Content-Type')).toBe(PROTOBUF);
      expect(fromBinary(StatusSchema, await bytesOf(answer))).toMatchObject({
        code,
        message: expect.stringMatching(/\w/),
      });
      expect(harness.rows).toEqual([]);
    },
  );

  test.each([
    ['a wrong key', 401, 16, { 'X-API-KEY': 'wrong' }, '{}'],
    ['no JSON', 400, 3, {}, '{'],
    [
      'another shape',
      400,
      3,
      {},
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":"a"}]}]}]}',
    ],
    ['a list', 400, 3, {}, '[]'],
    ['no object', 400, 3, {}, '9007199254740993'],
  ])('to JSON: %s is %i in JSON', async (_what, status, code, headers, body) => {
    const { post } = storingApp();
    const answer = await post('/v1/logs', body, { ...JSON_HEADERS, ...headers });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ code, message: expect.stringMatching(/\w/) });
  });

  test('names the field at fault, and no value of it', async () => {
    const { post } = storingApp();
    const body =
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"severityText":{"s":"secret"}}]}]}]}';
    const { message } = (await (await post('/v1/logs', body, JSON_HEADERS)).json()) as {
      message: string;
    };
    expect(message).toContain('opentelemetry.proto.logs.v1.LogRecord.severity_text');
    expect(message).not.toContain('secret');
  });

  test.each([
    'text/plain',
    'application/protobuf',
    'application/x-ndjson',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    '',
  ])('fact 143: the content type "%s" is 415, in JSON', async (contentType) => {
    const { post } = storingApp();
    const answer = await post('/v1/metrics', LOGS, { 'Content-Type': contentType });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toEqual({
      code: 3,
      message: expect.stringContaining('application/x-protobuf'),
    });
  });

  test('of a service that cannot store says when to come again', async () => {
    const { harness, post } = storingApp();
    harness.sinkFailure = new ServiceError('sink_unavailable', 503, 'Cannot store now.', {
      retryAfterSeconds: 7,
    });

    const answer = await post('/v1/logs', LOGS);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(fromBinary(StatusSchema, await bytesOf(answer))).toMatchObject({
      code: 14,
      message: 'Cannot store now.',
    });
  });

  test('of too many requests is told apart from a wrong one', async () => {
    const { harness, post } = storingApp();
    harness.sinkFailure = new ServiceError('busy', 429, 'Later.', { retryAfterSeconds: 1 });
    const answer = await post('/v1/logs', LOGS);
    expect(answer.status).toBe(429);
    expect(fromBinary(StatusSchema, await bytesOf(answer)).code).toBe(8);
  });

  test('that was not expected does not show', async () => {
    const { harness, post } = storingApp();
    harness.sinkFailure = new Error('secret');
    const answer = await post('/v1/logs', LOGS);
    const status = fromBinary(StatusSchema, await bytesOf(answer));
    expect([answer.status, status.code]).toEqual([500, 13]);
    expect(status.message).not.toContain('secret');
  });

  test('of a body beyond the limit is 413', async () => {
    const harness = new Harness();
    const limits = { maxBodyBytes: 10, maxInflatedBytes: 10 };
    const { app } = ingestApp({ pipeline: harness.pipeline, limits });
    const headers = { 'Content-Type': PROTOBUF, 'X-API-KEY': KEY, 'X-Source': WEB.token };
    const answer = await app.request('/v1/logs', { method: 'POST', headers, body: LOGS });
    expect(answer.status).toBe(413);
    expect(fromBinary(StatusSchema, await bytesOf(answer)).code).toBe(3);
  });
});

test('a stranger is refused before the body is read', async () => {
  const { post } = storingApp();
  expect((await post('/v1/logs', 'no protobuf', { 'X-API-KEY': 'wrong' })).status).toBe(401);
});

test.each(['/logs/v1/logs', '/api/logs/v1/logs', '/v1'])('%s is no route', async (path) => {
  const { post } = storingApp();
  expect((await post(path, LOGS)).status).toBe(404);
});
