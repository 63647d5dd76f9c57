import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../src/ingest/event/max-events.ts';
import { decode, Harness, NOW_US, withoutIdAndTime } from '../support.ts';

const path = '/cloudflare';
const NDJSON = 'application/x-ndjson';
const LOGPUSH = 'text/plain; charset=utf-8';

const LINE =
  '{"ClientIP":"192.0.2.7", "EdgeStartTimestamp":1667512927424000000,"WAFRuleID":"","Cookies":{}}';
const EVENT = {
  id: expect.any(String),
  timestamp: 1667512927424000,
  event_message: LINE,
  metadata: { ClientIP: '192.0.2.7', EdgeStartTimestamp: 1667512927424000000 },
};

async function store(body: string | Uint8Array, contentType: string | undefined, route = path) {
  const harness = new Harness();
  const outcome = await harness.post(body, route, { contentType });
  return { events: harness.events, rows: harness.rows, ...outcome };
}

describe.each([
  ['Logpush', LOGPUSH],
  ['text/plain of another spelling', 'TEXT/plain;charset=UTF-8'],
  ['a program without a useful content type', 'application/octet-stream'],
  ['a program without a content type', undefined],
  ['NDJSON', NDJSON],
  ['NDJSON by another name', 'application/ndjson'],
  ['JSON lines', 'application/jsonl'],
])('%s', (_sender, contentType) => {
  test('sends one event a line: the line is the message, its object the metadata', async () => {
    const { events } = await store(`${LINE}\n${LINE}\n`, contentType);
    expect(events).toEqual([EVENT, EVENT]);
  });

  test('sends a single line', async () => {
    expect((await store(LINE, contentType)).events).toEqual([EVENT]);
  });

  test('sends gzip', async () => {
    const { events } = await decode(gzipSync(`${LINE}\n`), {
      path,
      contentType,
      contentEncoding: 'gzip',
    });
    expect(events).toMatchObject([{ event_message: LINE }]);
  });

  test('sends the test of a new destination', async () => {
    const { events } = await store('{"content":"tests"}', contentType);
    expect(events).toEqual([
      {
        id: expect.any(String),
        timestamp: NOW_US,
        event_message: '{"content":"tests"}',
        metadata: { content: 'tests' },
      },
    ]);
  });

  test('sends lines that are no objects: they are refused, the others stored', async () => {
    const body = `${LINE}\n{not json\n${LINE}\n5\n[{}]\nnull\n"x"`;
    const { stored, rejected } = await store(body, contentType);
    expect(stored).toBe(2);
    expect(rejected).toEqual(
      [1, 3, 4, 5, 6].map((index) => ({ index, reason: 'not a JSON object' })),
    );
  });

  test('sends nothing but a line that is no JSON', async () => {
    expect(await store('{not json', contentType)).toMatchObject({
      stored: 0,
      rejected: [{ index: 0, reason: 'not a JSON object' }],
    });
  });

  test('sends blank lines and carriage returns, which are not part of events', async () => {
    const { events } = await store(`\n\r\n\t${LINE}\r\n \n${LINE}\r`, contentType);
    expect(events).toEqual([EVENT, EVENT]);
  });

  test('sends only line ends, which are no events', async () => {
    expect(await store('\n\r\n', contentType)).toMatchObject({ stored: 0, rejected: [] });
  });

  test('sends an empty body, which is an empty event', async () => {
    const { events } = await store('', contentType);
    expect(events.map(withoutIdAndTime)).toEqual([{}]);
  });

  test('sends bytes that are not UTF-8', async () => {
    const { events } = await store(Buffer.from('7b2261223a2262ff227d0a', 'hex'), contentType);
    expect(events).toMatchObject([{ metadata: { a: 'b\ufffd' } }]);
  });

  test('sends a line that nests too deep', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { stored, rejected } = await store(`${LINE}\n${deep}`, contentType);
    expect({ stored, refused: rejected.map(({ index }) => index) }).toEqual({
      stored: 1,
      refused: [1],
    });
  });

  test('sends too many lines', async () => {
    const body = '{}\n'.repeat(MAX_EVENTS + 1);
    await expect(decode(body, { path, contentType })).rejects.toMatchObject({
      status: 413,
      code: 'too_many_events',
    });
  });
});

describe('the time of a line', () => {
  const at = 1704067200000000;

  test.each([
    ['nanoseconds', { EdgeStartTimestamp: 1704067200000000000 }],
    ['seconds', { EdgeStartTimestamp: 1704067200 }],
    ['RFC 3339', { EdgeStartTimestamp: '2024-01-01T00:00:00Z' }],
    ['a trace of a Worker', { EventTimestampMs: 1704067200000 }],
    ['a firewall event', { Datetime: '2024-01-01T00:00:00Z' }],
    ['a DNS query', { Timestamp: '2024-01-01T00:00:00Z' }],
    ['an audit log', { When: '2024-01-01T00:00:00Z' }],
    ['another program', { timestamp: '2024-01-01T00:00:00Z' }],
    ['a request, whatever else', { EdgeStartTimestamp: 1704067200, timestamp: 1, Datetime: 1 }],
  ])('is read from %s', async (_case, line) => {
    expect((await store(JSON.stringify(line), NDJSON)).events).toMatchObject([{ timestamp: at }]);
  });

  test('is that of arrival without any of them', async () => {
    expect((await store('{"a":1}', NDJSON)).events).toMatchObject([{ timestamp: NOW_US }]);
  });

  test('keeps its digits in the metadata', async () => {
    const { rows } = await store('{"EdgeStartTimestamp":1667512927424000001}', NDJSON);
    expect(rows[0]).toContain('1667512927424000001');
  });
});

test('a line keeps its own id', async () => {
  expect((await store('{"id":"x"}', NDJSON)).events).toMatchObject([{ id: 'x' }]);
});

describe('on the raw route', () => {
  test('NDJSON means the same', async () => {
    const { events } = await store(`${LINE}\n${LINE}`, NDJSON, '');
    expect(events).toEqual([EVENT, EVENT]);
  });

  test('application/octet-stream is refused', async () => {
    await expect(decode(LINE, { contentType: 'application/octet-stream' })).rejects.toMatchObject({
      status: 415,
    });
  });
});
