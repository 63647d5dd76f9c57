import { describe, expect, test } from 'vitest';
import { decode, Harness } from '../../support.ts';
import {
  type AnyValueInit,
  int,
  list,
  logsBody,
  object,
  PROTOBUF,
  pair,
  stored,
  string,
  tracesBody,
} from './support.ts';

const MIB = 1024 * 1024;

/** A length-delimited field with what is in it. */
function field(number: number, content: Uint8Array): Buffer {
  const head: number[] = [(number << 3) | 2];
  let length = content.length;
  for (; length > 127; length >>>= 7) head.push((length & 127) | 128);
  return Buffer.concat([Buffer.from([...head, length]), content]);
}

/** Content in a field in a field ..., the outermost first. */
function within(path: readonly number[], content: Uint8Array): Buffer {
  return path.reduceRight<Buffer>((inner, number) => field(number, inner), Buffer.from(content));
}

function decodeProtobuf(body: Uint8Array, path = '/v1/logs') {
  return decode(body, { path, contentType: PROTOBUF, maxInflatedBytes: 20 * MIB });
}

function decodeJson(text: string, path = '/v1/logs') {
  return decode(text, { path, maxInflatedBytes: 20 * MIB });
}

/** A value in so many lists. */
function nested(levels: number): AnyValueInit {
  let value = int(1n);
  for (let level = 0; level < levels; level++) value = list(value);
  return value;
}

test('bytes written by hand are read as the specification has them', async () => {
  // resource_logs { scope_logs { log_records { time_unix_nano: 1, body { string_value: "hi" },
  // flags: 1, field 99: 5 } } }
  const record = '0900008a5d78456301' + '2a040a026869' + '4501000000' + '980605';
  const body = within([1, 2, 2], Buffer.from(record, 'hex'));
  expect(await stored('/v1/logs', new Uint8Array(body))).toMatchObject([
    { timestamp: 100_000_000_000_000, event_message: 'hi', flags: 1 },
  ]);
});

describe('nesting', () => {
  test('of values as deep as an event may be is stored', async () => {
    const [event] = await stored('/v1/logs', logsBody({ body: nested(62) }));
    expect(event?.body).toBeDefined();
  });

  test('of objects as deep as an event may be is stored', async () => {
    let value: AnyValueInit = int(1n);
    for (let level = 0; level < 62; level++) value = object(pair('a', value));
    const [event] = await stored('/v1/logs', logsBody({ body: value }));
    expect(event?.body).toBeDefined();
  });

  test('of values one deeper costs that record only', async () => {
    const harness = new Harness();
    const body = logsBody({ body: nested(64) }, { body: string('fine') });
    const outcome = await harness.post(body, '/v1/logs', { contentType: PROTOBUF });
    expect(outcome).toEqual({
      stored: 1,
      rejected: [{ index: 0, reason: 'nested deeper than 64 levels' }],
    });
  });

  test.each([200, 10_000])(
    'of %i messages more is refused, short bodies and long ones',
    async (levels) => {
      let value: Uint8Array = Buffer.alloc(0);
      for (let level = 0; level < levels; level++) value = field(5, field(1, value));
      const bomb = within([1, 2, 2, 5], value);
      const padding = within([1, 2, 2, 5, 1], Buffer.alloc(5 * MIB, 'a'));
      for (const body of [bomb, Buffer.concat([bomb, padding])]) {
        await expect(decodeProtobuf(body)).rejects.toMatchObject({
          status: 400,
          code: 'invalid_otlp',
        });
      }
    },
  );

  test.each([
    ['of JSON', '{"arrayValue":{"values":[', ']}}'],
    [
      'of JSON with a long integer',
      '{"unknown":12345678901234567890,"arrayValue":{"values":[',
      ']}}',
    ],
    ['of lists only', '[', ']'],
  ])('%s is refused', async (_what, open, close) => {
    for (const levels of [200, 20_000]) {
      const value = `${open.repeat(levels)}${close.repeat(levels)}`;
      const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${value}}]}]}]}`;
      await expect(decodeJson(body)).rejects.toMatchObject({ status: 400 });
    }
  });

  test('of unknown groups is refused', async () => {
    const body = Buffer.alloc(100_000, Buffer.from([((99 << 3) & 127) | 128 | 3, 6]));
    await expect(decodeProtobuf(body)).rejects.toMatchObject({ status: 400, code: 'invalid_otlp' });
  });
});

describe('too many events', () => {
  test.each([
    ['log records', '/v1/logs', within([1, 2], Buffer.alloc(200_002, Buffer.from([0x12, 0])))],
    ['spans', '/v1/traces', within([1, 2], Buffer.alloc(200_002, Buffer.from([0x12, 0])))],
    [
      'events in a span',
      '/v1/traces',
      within([1, 2, 2], Buffer.alloc(200_000, Buffer.from([0x5a, 0]))),
    ],
    [
      'data points',
      '/v1/metrics',
      within([1, 2, 2, 5], Buffer.alloc(200_002, Buffer.from([0x0a, 0]))),
    ],
  ])('%s are refused', async (_what, path, body) => {
    await expect(decodeProtobuf(body, path)).rejects.toMatchObject({
      status: 413,
      code: 'too_many_events',
    });
  });

  test('as many as there may be are taken', async () => {
    const body = within([1, 2], Buffer.alloc(200_000, Buffer.from([0x12, 0])));
    expect((await decodeProtobuf(body)).events).toHaveLength(100_000);
  });
});

describe('a body that would take too much memory', () => {
  const count = 20 * MIB - 100;

  test.each([
    ['resources', '/v1/logs', [], [0x0a, 0]],
    ['log records', '/v1/logs', [1, 2], [0x12, 0]],
    ['attributes', '/v1/logs', [1, 2, 2], [0x32, 0]],
    ['values of a list', '/v1/logs', [1, 2, 2, 5, 5], [0x0a, 0]],
    ['links', '/v1/traces', [1, 2, 2], [0x6a, 0]],
    ['counts of buckets', '/v1/metrics', [1, 2, 2, 10, 1, 8, 2], [0, 0]],
  ])('in protobuf, of %s, is refused', async (_what, path, fields, bytes) => {
    const body = within(fields, Buffer.alloc(count & ~1, Buffer.from(bytes)));
    await expect(decodeProtobuf(body, path)).rejects.toMatchObject({
      status: 413,
      code: 'too_many_values',
    });
  });

  test.each([
    ['objects', '{"resourceLogs":[', '{}', ']}'],
    ['numbers', '{"unknown":[', '0', ']}'],
  ])('in JSON, of %s, is refused', async (_what, open, element, close) => {
    const body = `${open}${`${element},`.repeat(2_000_001)}${element}${close}`;
    await expect(decodeJson(body)).rejects.toMatchObject({ status: 413, code: 'too_many_values' });
  });

  test('is not hidden by a wrong wire type', async () => {
    // To the library the text of severity_text has a length, whatever its wire type says.
    const hidden = Buffer.concat([Buffer.from([0x18, 0x00]), Buffer.alloc(5 * MIB)]);
    await expect(decodeProtobuf(within([1, 2, 2], hidden))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_otlp',
    });
  });

  test('is told from one that is just long', async () => {
    const attributes = Array.from({ length: 10 }, (_, index) => pair(`key.${index}`, int(1n)));
    const records = Array(40_000).fill({ body: string('a'.repeat(50)), attributes });
    const body = logsBody(...records);
    expect(body.length).toBeGreaterThan(5 * MIB);
    expect((await decodeProtobuf(body)).events).toHaveLength(40_000);
  });

  test('is told from a long span', async () => {
    const spans = [{ name: 'a'.repeat(5 * MIB), links: [{ traceState: 'b' }], events: [{}] }];
    expect((await decodeProtobuf(tracesBody(...spans), '/v1/traces')).events).toHaveLength(2);
  });
});
