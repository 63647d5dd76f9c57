import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { snappyCompress } from 'hysnappy';
import { describe, expect, test } from 'vitest';
import { parseLabels } from '../../../src/ingest/formats/loki/labels.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { expectWellFormedRows } from '../encode/well-formed-rows.ts';
import { decode, Harness, withoutIdAndTime } from '../support.ts';
import { plainPushRequest, pushRequest } from './push-request.ts';

const path = '/loki/api/v1/push';
const PROTOBUF = 'application/x-protobuf';
/** 2025-06-01T10:00:00.123456789Z */
const SECONDS = 1_748_772_000;
const NANOS = `${SECONDS}123456789`;

const push = (stream: object, ...values: unknown[]) => ({ streams: [{ stream, values }] });

describe('JSON', () => {
  test('a line is the message, labels and structured metadata are metadata', async () => {
    const harness = new Harness();

    await harness.post(
      push({ job: 'web', 'k8s.pod': 'a-1' }, [NANOS, 'GET /orders', { trace_id: 't1' }]),
      path,
    );

    expect(harness.events).toEqual([
      {
        id: expect.any(String),
        timestamp: SECONDS * 1_000_000 + 123_456,
        event_message: 'GET /orders',
        metadata: {
          labels: { job: 'web', _k8s_pod: 'a-1' },
          structured_metadata: { trace_id: 't1' },
        },
      },
    ]);
  });

  test('a label `project` is the project of the event', async () => {
    const harness = new Harness();
    await harness.post(push({ project: 'shop' }, [NANOS, 'x']), path);
    expect(harness.events[0]).toMatchObject({ project: 'shop' });
  });

  test('lines of all streams are stored in order', async () => {
    const harness = new Harness();
    const streams = [
      { stream: { a: '1' }, values: [[NANOS, 'one'] as const, [NANOS, 'two'] as const] },
      { stream: { a: '2' }, values: [[NANOS, 'three'] as const] },
    ];

    await harness.post({ streams }, path);

    expect(harness.events.map((event) => event.event_message)).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['milliseconds', '1748772000123'],
    ['0', '0'],
  ])('a time in %s is no reason to lose a line', async (_case, time) => {
    const outcome = await new Harness().post(push({}, [time, 'x']), path);
    expect(outcome).toEqual({ stored: 1, rejected: [] });
  });

  test.each([
    ['a time that is no number', [['yesterday', 'x']]],
    ['a time past all times', [['99999999999999999999', 'x']]],
    ['a line that is no text', [[NANOS, { a: 1 }]]],
    ['an entry that is no list', ['x']],
  ])('%s is refused, and the others are stored', async (_case, broken) => {
    const { stored, rejected } = await new Harness().post(
      push({}, ...broken, [NANOS, 'fine']),
      path,
    );

    expect(stored).toBe(1);
    expect(rejected).toEqual([{ index: 0, reason: expect.stringContaining('nanoseconds') }]);
  });

  test.each([{}, { streams: {} }, [], 5, 'null'])('%j is no push request', async (body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      code: 'streams_missing',
      status: 400,
    });
  });

  test('labels that would be stored with very many lines are refused', async () => {
    const values = Array.from({ length: 50_000 }, () => [NANOS, 'x']);
    await expect(
      decode(push({ label: 'x'.repeat(1_000) }, ...values), { path, maxInflatedBytes: 1e8 }),
    ).rejects.toMatchObject({ code: 'too_many_events', status: 413 });
  });
});

describe('protobuf', () => {
  const STREAM = {
    labels: '{job="web", path="C:\\\\logs", quote="\\"\\u00e9\\n"}',
    entries: [
      { seconds: SECONDS, nanos: 123_456_789, line: 'GET /', structured: { trace_id: 't1' } },
      { seconds: SECONDS + 1, nanos: 0, line: 'POST /' },
    ],
  };
  const EVENTS = [
    {
      event_message: 'GET /',
      metadata: {
        labels: { job: 'web', path: 'C:\\logs', quote: '"é\n' },
        structured_metadata: { trace_id: 't1' },
      },
    },
    {
      event_message: 'POST /',
      metadata: { labels: { job: 'web', path: 'C:\\logs', quote: '"é\n' } },
    },
  ];

  test.each([
    ['as Promtail sends it', pushRequest([STREAM]), undefined],
    ['with snappy as its Content-Encoding', pushRequest([STREAM]), 'snappy'],
    ['with gzip over snappy', gzipSync(pushRequest([STREAM])), 'gzip'],
  ])('is read %s', async (_case, body, contentEncoding) => {
    const harness = new Harness();

    await harness.post(body, path, {
      contentType: PROTOBUF,
      ...(contentEncoding !== undefined && { contentEncoding }),
    });

    expect(harness.events.map(withoutIdAndTime)).toEqual(EVENTS);
    expect(harness.events.map(({ timestamp }) => timestamp)).toEqual([
      SECONDS * 1_000_000 + 123_456,
      (SECONDS + 1) * 1_000_000,
    ]);
  });

  test('is what a body without a content type is', async () => {
    const outcome = await new Harness().post(pushRequest([STREAM]), path, {
      contentType: undefined,
    });
    expect(outcome.stored).toBe(2);
  });

  test('gives the events that JSON gives', async () => {
    const ofProtobuf = await decode(
      pushRequest([{ labels: '{a="b"}', entries: [{ seconds: SECONDS, nanos: 1, line: 'x' }] }]),
      { path, contentType: PROTOBUF },
    );
    const ofJson = await decode(push({ a: 'b' }, [`${SECONDS}000000001`, 'x']), { path });
    expect(ofProtobuf).toEqual(ofJson);
  });

  test('the lines of a stream whose labels cannot be read are refused', async () => {
    const { stored, rejected } = await new Harness().post(
      pushRequest([{ ...STREAM, labels: '{job=web}' }, STREAM]),
      path,
      { contentType: PROTOBUF },
    );

    expect(stored).toBe(2);
    expect(rejected.map(({ index }) => index)).toEqual([0, 1]);
  });

  test.each([
    ['seconds before 1970', -1],
    ['seconds past 2255', 9_100_000_000],
  ])('a line with %s is refused', async (_case, seconds) => {
    const { rejected } = await new Harness().post(
      pushRequest([{ labels: '{}', entries: [{ seconds, nanos: 0, line: 'x' }] }]),
      path,
      { contentType: PROTOBUF },
    );
    expect(rejected).toHaveLength(1);
  });

  test.each([
    ['no snappy', plainPushRequest([STREAM]).subarray(1), 'malformed_compression'],
    ['snappy of something else', snappyCompress(Buffer.from('hello')), 'invalid_protobuf'],
    [
      'a field longer than its message',
      snappyCompress(Buffer.of(0x0a, 5, 0x0a)),
      'invalid_protobuf',
    ],
  ])('%s is refused', async (_case, body, code) => {
    await expect(
      decode(new Uint8Array(body), { path, contentType: PROTOBUF }),
    ).rejects.toMatchObject({ code, status: 400 });
  });

  test('snappy that would become too much is not inflated', async () => {
    await expect(
      decode(snappyCompress(new Uint8Array(2_000_000)), { path, contentType: PROTOBUF }),
    ).rejects.toMatchObject({ code: 'body_too_large', status: 413 });
  });

  test('more messages than a request may hold are refused', async () => {
    const empty = new Uint8Array(4_200_000).map((_, index) => (index % 2 === 0 ? 0x0a : 0));
    await expect(
      decode(snappyCompress(empty), { path, contentType: PROTOBUF, maxInflatedBytes: 1e7 }),
    ).rejects.toMatchObject({ code: 'too_many_values', status: 413 });
  });

  test('any bytes are rows or a ServiceError', async () => {
    const bytes = pushRequest([STREAM]);
    const inflated = plainPushRequest([STREAM]);
    const damaged = fc.oneof(
      fc.uint8Array(),
      fc
        .tuple(fc.nat(inflated.length - 1), fc.nat(255))
        .map(([at, by]) => snappyCompress(inflated.with(at, by))),
      fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)).map(([at, by]) => bytes.with(at, by)),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (body) => {
        const harness = new Harness();
        await harness
          .post(new Uint8Array(body), path, { contentType: PROTOBUF })
          .catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
        expectWellFormedRows(harness.rows);
      }),
      { numRuns: 500 },
    );
  });
});

describe('labels', () => {
  test.each([
    ['{}', {}],
    [' { a = "b" , c="d", } ', { a: 'b', c: 'd' }],
    ['{a="x, y}", b="="}', { a: 'x, y}', b: '=' }],
    [String.raw`{a="\x41\t\\\"\U0001F600"}`, { a: 'A\t\\"😀' }],
    ['{__proto__="x"}', { ['__proto__']: 'x' }],
  ])('%s is read', (text, labels) => {
    expect({ ...parseLabels(text) }).toEqual(labels);
  });

  test.each(['', 'a="b"', '{a="b"', '{a=b}', '{a="b" c="d"}', '{="b"}'])('%s is not', (text) => {
    expect(parseLabels(text)).toBeUndefined();
  });

  test('what JSON quotes is read as it was', () => {
    const label = fc.tuple(
      fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(label), (labels) => {
        const text = labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ');
        expect({ ...parseLabels(`{${text}}`) }).toEqual(Object.fromEntries(labels));
      }),
    );
  });
});
