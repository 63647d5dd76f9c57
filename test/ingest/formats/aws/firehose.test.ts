import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../../src/ingest/event/max-events.ts';
import { type DecodeOptions, decode, Harness } from '../../support.ts';
import {
  AT_MS,
  CONTROL_MESSAGE,
  delivery,
  FIREHOSE_HEADERS,
  gzipJson,
  ORIGIN,
  REQUEST_ID,
  STREAM_ARN,
  subscription,
} from './support.ts';

const path = '/firehose';
const FIREHOSE = { stream_arn: STREAM_ARN, common_attributes: { stage: 'prod' } };
/** What an event has that says nothing of its own. */
const SHARED = { timestamp: AT_MS * 1000, firehose: FIREHOSE };
const DEEP = `{"a":${'['.repeat(100)}1${']'.repeat(100)}}`;

/** The events that a request becomes; none is refused. */
async function stored(
  body: unknown,
  options: DecodeOptions = {},
): Promise<Record<string, unknown>[]> {
  const harness = new Harness();
  const { rejected } = await harness.post(body, path, {
    headers: FIREHOSE_HEADERS,
    maxInflatedBytes: 10_000_000,
    ...options,
  });
  expect(rejected).toEqual([]);
  return harness.events;
}

const messages = async (...records: readonly (string | Uint8Array)[]) =>
  (await stored(delivery(...records))).map(({ event_message }) => event_message);

describe('a record may be', () => {
  test('an object', async () => {
    expect(await stored(delivery('{"action":"ALLOW","bytes":12345678901234567890}'))).toEqual([
      {
        ...SHARED,
        id: `${REQUEST_ID}-0`,
        event_message: '{"action":"ALLOW","bytes":12345678901234567890}',
        metadata: { action: 'ALLOW', bytes: 12345678901234567000 },
      },
    ]);
  });

  test.each([
    ['a list', '[{"message":"a"},{"message":"b"}]'],
    ['objects back to back', '{"message":"a"}{"message":"b"}'],
    ['objects one a line', '{"message":"a"}\n{"message":"b"}\n'],
    ['lines of text', 'a\nb\n'],
    ['an object and a line', 'a\n{"message":"b"}'],
    ['gzip of any of these', gzipSync('{"message":"a"}\nb')],
    ['gzip with a newline after it', Buffer.concat([gzipSync('a\nb'), Buffer.from('\n')])],
    ['several members of gzip', Buffer.concat([gzipSync('a\n'), gzipSync('b')])],
    ['a delivery of CloudWatch Logs', gzipJson(subscription('a', 'b'))],
    [
      'several of them in gzip',
      Buffer.concat([gzipJson(subscription('a')), gzipJson(subscription('b'))]),
    ],
    [
      'one that Firehose decompressed',
      JSON.stringify(subscription('a')) + JSON.stringify(subscription('b')),
    ],
    ['a control message beside others', `a${'\n'}${JSON.stringify(CONTROL_MESSAGE)}\nb`],
  ])('%s', async (_what, record) => {
    expect(await messages(record)).toEqual(['a', 'b']);
  });

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['a control message', gzipJson(CONTROL_MESSAGE)],
  ])('%s, and then it has no events', async (_what, record) => {
    expect(await messages(record)).toEqual([]);
  });

  test('one of many', async () => {
    const records = Array.from({ length: 500 }, (_, index) => `{"message":"${index}"}`);

    expect(await messages(...records)).toEqual(records.map((_record, index) => String(index)));
  });
});

describe('an event', () => {
  test('of CloudWatch Logs is as on /cloudwatch-logs, and names its stream', async () => {
    expect(await stored(delivery(gzipJson(subscription('{"level":"INFO"}'))))).toEqual([
      {
        id: '31953106606966983378809025079804211143289615424298221560',
        timestamp: AT_MS * 1000,
        event_message: '{"level":"INFO"}',
        metadata: { ...ORIGIN, level: 'info', json: { level: 'INFO' } },
        firehose: FIREHOSE,
      },
    ]);
  });

  test('keeps its own id and message', async () => {
    expect(await stored(delivery('{"id":"e1","event_message":"m"}'))).toEqual([
      { ...SHARED, id: 'e1', event_message: 'm', metadata: { id: 'e1', event_message: 'm' } },
    ]);
  });

  test.each([
    ['timestamp', { timestamp: 1700000000000 }],
    ['time, if its timestamp is none', { timestamp: '-', time: '2023-11-14T22:13:20Z' }],
    ['eventTime', { eventTime: '2023-11-14T22:13:20Z' }],
    ['query_timestamp', { query_timestamp: '2023-11-14T22:13:20Z' }],
    ['@timestamp', { '@timestamp': '2023-11-14T22:13:20Z' }],
  ])('has the time of its %s', async (_field, object) => {
    expect(await stored(delivery(JSON.stringify(object)))).toMatchObject([
      { timestamp: 1700000000000000 },
    ]);
  });

  test('has the time of the request where its time is a duration', async () => {
    expect(await stored(delivery('{"time":12}'))).toMatchObject([SHARED]);
  });

  test('has the same id when the request comes again, and another in another request', async () => {
    const [first, again] = [
      await stored(delivery('a', 'b\nc')),
      await stored(delivery('a', 'b\nc')),
    ];
    const other = await stored(delivery('a'), {
      headers: { 'x-amz-firehose-request-id': 'another' },
    });

    expect(first.map(({ id }) => id)).toEqual([0, 1, 2].map((place) => `${REQUEST_ID}-${place}`));
    expect(again).toEqual(first);
    expect(other).toMatchObject([{ id: 'another-0' }]);
  });

  test.each([
    ['no request id', {}],
    ['one that is too long', { 'x-amz-firehose-request-id': 'x'.repeat(129) }],
  ])('has a random id where there is %s', async (_what, headers) => {
    expect(await stored(delivery('a'), { headers })).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        timestamp: AT_MS * 1000,
        event_message: 'a',
      },
    ]);
  });

  test('has the time of its arrival where the request has none', async () => {
    const harness = new Harness();

    await harness.post({ records: delivery('a').records }, path);

    expect(harness.events).toMatchObject([{ timestamp: harness.nowMs * 1000 }]);
  });
});

test.each([
  ['no JSON', 'stage=prod'],
  ['no attributes', '{"stage":"prod"}'],
  ['an attribute that is no text', '{"commonAttributes":{"stage":{"a":1}}}'],
  ['names that are too long', `{"commonAttributes":{"${'x'.repeat(257)}":""}}`],
  [
    'more than 50',
    JSON.stringify({
      commonAttributes: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])),
    }),
  ],
])('common attributes of %s are kept as they are', async (_what, text) => {
  const headers = { 'x-amz-firehose-common-attributes': text };

  expect(await stored(delivery('a'), { headers })).toMatchObject([
    { firehose: { common_attributes: { header: text } } },
  ]);
});

test('attributes have names of any kind', async () => {
  const text = '{"commonAttributes":{"__proto__":"a","deployment -context":"b"}}';

  const [event] = await stored(delivery('a'), {
    headers: { 'x-amz-firehose-common-attributes': text },
  });

  expect(JSON.stringify(event?.firehose)).toBe(
    '{"common_attributes":{"__proto__":"a","__deployment__context":"b"}}',
  );
});

describe('what cannot be read is stored as text, and the others are not touched', () => {
  const broken = gzipSync('cut short').subarray(0, -6);
  const binary = Buffer.from([0, 0xff, 0xfe, 1]);

  test.each([
    [
      'gzip that is cut short',
      broken,
      broken.toString('base64'),
      'not valid gzip data, or cut short; the message is base64',
    ],
    ['binary data', binary, binary.toString('base64'), 'binary data; the message is base64'],
    [
      'binary data in gzip',
      gzipSync(binary),
      binary.toString('base64'),
      'binary data; the message is base64',
    ],
    ['JSON that nests too deep', DEEP, DEEP, 'nested deeper than 64 levels'],
    ['a number beyond all range', '{"a":"b","c":1e999}', undefined, /range/],
  ])('%s', async (_what, record, message, problem) => {
    const events = await stored(delivery('before', record, '{"message":"after"}'));

    expect(events).toMatchObject([
      { event_message: 'before' },
      {
        ...SHARED,
        id: `${REQUEST_ID}-1`,
        ...(message !== undefined && { event_message: message }),
        ingest_problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
      },
      { event_message: 'after' },
    ]);
    expect(events[0]).not.toHaveProperty('ingest_problem');
  });

  test.each([
    ['data that is not base64', { data: 'hello!' }, 'hello!', 'not base64'],
    ['data in base64 of another alphabet', { data: '_-__' }, '_-__', 'not base64'],
    ['no data', { Data: 'x' }, '{"Data":"x"}', 'a record without base64 data'],
    [
      'data that is no text',
      { data: { a: 1 } },
      '{"data":{"a":1}}',
      'a record without base64 data',
    ],
    ['no object', null, 'null', 'a record without base64 data'],
  ])('%s', async (_what, record, message, problem) => {
    expect(await stored({ records: [record] })).toMatchObject([
      { event_message: message, ingest_problem: problem },
    ]);
  });

  test('bytes that are not UTF-8 become U+FFFD in a text', async () => {
    expect(await messages(Buffer.from('caf\xe9 au lait', 'latin1'))).toEqual(['caf\ufffd au lait']);
  });

  test('an object of a time ahead has that of its arrival', async () => {
    const harness = new Harness();
    const object = { timestamp: Date.UTC(2030, 0), type: 'span', start_time: 5 };

    await harness.post(delivery(JSON.stringify(object)), path, { headers: FIREHOSE_HEADERS });

    expect(harness.events).toMatchObject([
      {
        metadata: object,
        ingest_problem: 'timestamp is more than one hour in the future',
      },
    ]);
  });

  test('one that is out of time and nests too deep is text of its arrival', async () => {
    const harness = new Harness();
    const text = DEEP.replace('{', `{"timestamp":"2999-01-01T00:00:00Z",`);

    await harness.post(delivery(text), path, { headers: FIREHOSE_HEADERS });

    expect(harness.events).toEqual([
      {
        id: expect.any(String),
        timestamp: harness.nowMs * 1000,
        event_message: text,
        ingest_problem: 'timestamp is more than one hour in the future',
        firehose: FIREHOSE,
      },
    ]);
    expect(harness.logger.lines).toMatchObject([{ fields: { salvaged: 1, of: 1 } }]);
  });

  test.each([
    ['a line', '\u0001'.repeat(900_000)],
    ['an object', JSON.stringify({ id: 'x'.repeat(1_000_000) })],
    ['broken gzip', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(1_000_000, 'x')])],
  ])('%s that is too long for a row is stored in parts', async (_what, record) => {
    const parts = await stored(delivery(record));

    const text = parts.map(({ event_message }) => event_message).join('');
    expect([text, Buffer.from(text, 'base64').toString()]).toContain(
      Buffer.from(record).toString(),
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ id }) => id)).toEqual(
      parts.map((_part, index) => `${REQUEST_ID}-0-${index + 1}`),
    );
    expect(parts[0]).toMatchObject({ ...SHARED, ingest_part: 1, ingest_parts: parts.length });
  });
});

describe('the whole request is refused', () => {
  test.each([
    ['nothing', '', 'batch_missing'],
    ['a list', [], 'batch_missing'],
    ['records that are no list', { records: {} }, 'batch_missing'],
    ['what is not JSON', '{', 'invalid_json'],
    [
      'many broken records',
      delivery(...Array.from({ length: 17 }, () => Buffer.from([0x1f, 0x8b, 8]))),
      'malformed_compression',
    ],
  ])('for %s', async (_what, body, code) => {
    await expect(decode(body, { path })).rejects.toMatchObject({ status: 400, code });
  });

  test('for records that inflate beyond the limit together', async () => {
    const record = gzipSync('x'.repeat(400_000));

    expect((await decode(delivery(record, record), { path })).events).toHaveLength(2);
    await expect(decode(delivery(record, record, record), { path })).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  test('for more events than a request may have', async () => {
    const record = gzipSync('1\n'.repeat(MAX_EVENTS));

    expect((await decode(delivery(record), { path })).events).toHaveLength(MAX_EVENTS);
    await expect(decode(delivery(record, '{}'), { path })).rejects.toMatchObject({
      code: 'too_many_events',
    });
  });

  test('for attributes that would be repeated without end', async () => {
    const headers = { 'x-amz-firehose-common-attributes': 'x'.repeat(1000) };

    await expect(
      decode(delivery(gzipSync('1\n'.repeat(60_000))), { path, headers }),
    ).rejects.toMatchObject({ status: 413, code: 'too_many_events' });
  });
});

test('the body may name no source of ours', async () => {
  const body = { ...delivery('{"source":"aws.ec2"}'), source: 'x' };

  expect(await decode(body, { path })).not.toHaveProperty('source');
});
