import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { ExportLogsServiceRequestSchema } from '../../../../src/ingest/formats/otlp/gen/opentelemetry/proto/collector/logs/v1/logs_service_pb.ts';
import { Harness, NOW_US } from '../../support.ts';
import {
  type AnyValueInit,
  bytes,
  int,
  type LogRecordInit,
  list,
  logsBody,
  logsJson,
  MICROS,
  NANOS,
  ORIGIN,
  object,
  pair,
  SPAN_ID,
  stored,
  string,
  TRACE_ID,
} from './support.ts';

/** The event of one log record. */
async function storedLog(record: LogRecordInit): Promise<Record<string, unknown> | undefined> {
  const [event] = await stored('/v1/logs', logsBody(record));
  return event;
}

async function storedJson(record: object): Promise<Record<string, unknown> | undefined> {
  const [event] = await stored('/v1/logs', logsJson(record));
  return event;
}

/** What an attribute of a value becomes. */
async function attribute(value: AnyValueInit): Promise<unknown> {
  const event = await storedLog({ attributes: [pair('a', value)] });
  return (event?.attributes as { a?: unknown } | undefined)?.a;
}

describe('a log record', () => {
  test('fact 133: has its text as message and body, ids in lower-case hex and all it says', async () => {
    const event = await storedLog({
      timeUnixNano: NANOS,
      observedTimeUnixNano: NANOS + 1_000_000n,
      severityNumber: 9,
      severityText: 'INFO',
      body: string('GET /cart'),
      attributes: [pair('http.request.method', string('GET')), pair('ms', int(3n))],
      droppedAttributesCount: 2,
      flags: 1,
      traceId: bytes(TRACE_ID),
      spanId: bytes(SPAN_ID),
      eventName: 'request',
    });

    expect(event).toEqual({
      id: expect.any(String),
      timestamp: MICROS,
      event_message: 'GET /cart',
      body: 'GET /cart',
      event_name: 'request',
      severity_number: 9,
      severity_text: 'INFO',
      attributes: { _http_request_method: 'GET', ms: 3 },
      dropped_attributes_count: 2,
      flags: 1,
      observed_time: expect.anything(),
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      metadata: { type: 'otel_log' },
      ...ORIGIN,
    });
  });

  test('has no fields for what it does not say', async () => {
    expect(await storedLog({ timeUnixNano: NANOS })).toEqual({
      id: expect.any(String),
      timestamp: MICROS,
      severity_number: 0,
      metadata: { type: 'otel_log' },
      ...ORIGIN,
    });
  });

  test('fact 134: whose body is no text has the event name as message', async () => {
    const body = object(pair('user', object(pair('id', string('7f')))), pair('n', int(3n)));
    expect(await storedLog({ body, eventName: 'login' })).toMatchObject({
      event_message: 'login',
      body: { user: { id: '7f' }, n: 3 },
    });
  });

  test.each([
    ['an object', object(pair('n', int(3n))), '{"n":3}', { n: 3 }],
    ['a list', list(int(1n), string('x')), '[1,"x"]', [1, 'x']],
    ['false', { value: { case: 'boolValue', value: false } } as const, 'false', false],
    ['a long integer', int(2n ** 60n), '1152921504606846976', expect.anything()],
  ])(
    'whose body is %s and has no event name shows the JSON of it',
    async (_what, body, message, value) => {
      expect(await storedLog({ body })).toMatchObject({ event_message: message, body: value });
    },
  );

  test('without a body has its event name as message, or none', async () => {
    expect(await storedLog({ eventName: 'login' })).toMatchObject({ event_message: 'login' });
    expect(await storedLog({ body: {} })).not.toHaveProperty('event_message');
  });
});

describe('the time of a log record', () => {
  test('is the observed time where it has none of its own', async () => {
    expect(await storedLog({ observedTimeUnixNano: NANOS })).toMatchObject({ timestamp: MICROS });
  });

  test('is that of arrival where it has neither, and never 1970', async () => {
    expect(await storedLog({})).toMatchObject({ timestamp: NOW_US });
  });

  test.each([
    ['1970-01-01T00:16:40.000001Z', 1_000_000_001_000n, 1_000_000_001],
    ['2001-09-09T01:46:39.999999Z', 999_999_999_999_999_999n, 999_999_999_999_999],
    ['2001-09-09T01:46:40.000000Z', 1_000_000_000_000_000_000n, 1_000_000_000_000_000],
  ])('%s is read by its value and not by its count of digits', async (_time, nanos, micros) => {
    expect(await storedLog({ timeUnixNano: nanos })).toMatchObject({ timestamp: micros });
  });

  test('that was observed is kept to the nanosecond', async () => {
    const harness = new Harness();
    await harness.post(logsBody({ observedTimeUnixNano: NANOS }), '/v1/logs', {
      contentType: 'application/x-protobuf',
    });
    expect(JSON.parse(harness.rows[0] ?? '').body).toContain(`"observed_time":${NANOS}`);
  });
});

describe('a value', () => {
  test.each<[string, AnyValueInit, unknown]>([
    ['text', string('☕'), '☕'],
    ['true', { value: { case: 'boolValue', value: true } }, true],
    ['an integer', int(-7n), -7],
    ['a double', { value: { case: 'doubleValue', value: 0.1 } }, 0.1],
    ['NaN', { value: { case: 'doubleValue', value: Number.NaN } }, 'NaN'],
    ['infinity', { value: { case: 'doubleValue', value: Infinity } }, 'Infinity'],
    ['minus infinity', { value: { case: 'doubleValue', value: -Infinity } }, '-Infinity'],
    ['bytes', { value: { case: 'bytesValue', value: bytes('00ff10') } }, 'AP8Q'],
    ['a list', list(int(1n), list(string('x')), {}), [1, ['x']]],
    ['an object', object(pair('a.b', int(1n))), { _a_b: 1 }],
    ['a list of objects', list(object(pair('k', int(2n)))), [{ k: 2 }]],
    ['an index of a profile', { value: { case: 'stringValueStrindex', value: 4 } }, undefined],
  ])('that is %s', async (_what, value, json) => {
    expect(await attribute(value)).toEqual(json);
  });

  test.each([2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'that is %s keeps its digits',
    async (value) => {
      const harness = new Harness();
      const body = logsBody({ attributes: [pair('a', int(value))] });
      await harness.post(body, '/v1/logs', { contentType: 'application/x-protobuf' });
      expect(JSON.parse(harness.rows[0] ?? '').body).toContain(`{"a":${value}}`);
    },
  );

  test('fact 141: that is unset leaves no attribute', async () => {
    const event = await storedLog({ attributes: [pair('a'), pair('b', {}), pair('c', int(1n))] });
    expect(event?.attributes).toEqual({ c: 1 });
  });

  test('replaces the one before of the same key', async () => {
    const event = await storedLog({ attributes: [pair('a', int(1n)), pair('a', int(2n))] });
    expect(event?.attributes).toEqual({ a: 2 });
  });

  test('may have any key, __proto__ and none too', async () => {
    const attributes = [pair('__proto__', object(pair('x', int(1n)))), pair('', int(2n))];
    const event = await storedLog({ attributes });
    expect(Object.entries(event?.attributes as object)).toEqual([
      ['__proto__', { x: 1 }],
      ['', 2],
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('may be text that is not UTF-8, which costs nothing but its broken bytes', async () => {
    const body = Buffer.from(logsBody({ body: string('caf~ ok') }));
    body[body.indexOf('~')] = 0xe9;
    const [event] = await stored('/v1/logs', new Uint8Array(body));
    expect(event).toMatchObject({ event_message: 'caf\ufffd ok' });
  });
});

describe('resources and scopes', () => {
  test('fact 135: two by two with two records each give eight events', async () => {
    const logRecords = [{ body: string('a') }, { body: string('b') }];
    const request = create(ExportLogsServiceRequestSchema, {
      resourceLogs: ['one', 'two'].map((service) => ({
        resource: { attributes: [pair('service.name', string(service))] },
        scopeLogs: ['x', 'y'].map((name) => ({ scope: { name }, logRecords })),
      })),
    });

    const events = await stored('/v1/logs', toBinary(ExportLogsServiceRequestSchema, request));

    expect(events.map(({ project, scope, body }) => [project, scope, body])).toEqual(
      ['one', 'two'].flatMap((project) =>
        ['x', 'y'].flatMap((name) => ['a', 'b'].map((body) => [project, { name }, body])),
      ),
    );
  });

  test('fact 142: the service is stored as _service_name of the resource', async () => {
    expect(await storedLog({})).toMatchObject({ resource: { _service_name: 'checkout' } });
  });

  test('may be missing', async () => {
    const resourceLogs = [{ scopeLogs: [{ logRecords: [{ body: string('a') }] }] }];
    const request = create(ExportLogsServiceRequestSchema, { resourceLogs });
    expect(await stored('/v1/logs', toBinary(ExportLogsServiceRequestSchema, request))).toEqual([
      {
        id: expect.any(String),
        timestamp: NOW_US,
        event_message: 'a',
        body: 'a',
        severity_number: 0,
        metadata: { type: 'otel_log' },
      },
    ]);
  });

  test('are stored with schemas, attributes and what was dropped', async () => {
    const request = create(ExportLogsServiceRequestSchema, {
      resourceLogs: [
        {
          resource: { attributes: [pair('service.name', int(4n))], droppedAttributesCount: 1 },
          schemaUrl: 'https://example.com/1.0',
          scopeLogs: [
            {
              scope: { attributes: [pair('a', int(1n))], droppedAttributesCount: 2 },
              schemaUrl: 'https://example.com/2.0',
              logRecords: [{}],
            },
          ],
        },
      ],
    });
    const [event] = await stored('/v1/logs', toBinary(ExportLogsServiceRequestSchema, request));
    expect(event).toMatchObject({
      resource: { _service_name: 4, dropped_attributes_count: 1 },
      resource_schema_url: 'https://example.com/1.0',
      scope: {
        attributes: { a: 1 },
        dropped_attributes_count: 2,
        schema_url: 'https://example.com/2.0',
      },
    });
    expect(event).not.toHaveProperty('project');
  });

  test('may hold nothing at all', async () => {
    expect(await stored('/v1/logs', new Uint8Array())).toEqual([]);
    expect(await stored('/v1/logs', {})).toEqual([]);
    expect(await stored('/v1/logs', { resourceLogs: [{}, { scopeLogs: [{}] }] })).toEqual([]);
  });
});

describe('OTLP/JSON', () => {
  test('has ids in hex, integers as text or number, enums by number or name', async () => {
    expect(
      await storedJson({
        timeUnixNano: String(NANOS),
        severityNumber: 'SEVERITY_NUMBER_WARN',
        body: { stringValue: 'hi' },
        traceId: TRACE_ID.toUpperCase(),
        spanId: SPAN_ID,
        attributes: [
          { key: 'text', value: { intValue: '7' } },
          { key: 'number', value: { intValue: 7 } },
          { key: 'double', value: { doubleValue: '0.5' } },
          { key: 'nan', value: { doubleValue: 'NaN' } },
          { key: 'bytes', value: { bytesValue: 'AP8Q' } },
        ],
      }),
    ).toMatchObject({
      timestamp: MICROS,
      event_message: 'hi',
      severity_number: 13,
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      attributes: { text: 7, number: 7, double: 0.5, nan: 'NaN', bytes: 'AP8Q' },
    });
    expect(await storedJson({ severityNumber: 17 })).toMatchObject({ severity_number: 17 });
  });

  test('may name its fields as protobuf does', async () => {
    const body = {
      resource_logs: [
        {
          scope_logs: [
            {
              log_records: [{ time_unix_nano: `${NANOS}`, trace_id: TRACE_ID, severity_text: 'A' }],
            },
          ],
        },
      ],
    };
    expect(await stored('/v1/logs', body)).toMatchObject([
      { timestamp: MICROS, trace_id: TRACE_ID, severity_text: 'A' },
    ]);
  });

  test('may write nanoseconds and other long integers as numbers', async () => {
    const harness = new Harness();
    await harness.post(
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":1748779140123456789,' +
        '"attributes":[{"key":"a","value":{"intValue":9223372036854775807}}]}]}]}]}',
      '/v1/logs',
    );
    expect(harness.events).toMatchObject([{ timestamp: MICROS }]);
    expect(JSON.parse(harness.rows[0] ?? '').body).toContain('{"a":9223372036854775807}');
  });

  test('may have unknown fields, and null for what is missing', async () => {
    const record = { body: { stringValue: 'a' }, traceId: null, attributes: null, new: [{}] };
    expect(await storedJson(record)).toMatchObject({ event_message: 'a' });
  });

  test.each(['W47/95gDgQPSabYzgT/GDA==', '5b8efff798038103d269b633813fc60', 'zzzz'])(
    'with the id %s is refused',
    async (traceId) => {
      await expect(storedJson({ traceId })).rejects.toMatchObject({
        status: 400,
        code: 'invalid_otlp',
      });
    },
  );
});
