import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode, Harness } from '../../support.ts';
import { AT_MS, awslogs, CONTROL_MESSAGE, gzipJson, ORIGIN, subscription } from './support.ts';

const path = '/cloudwatch-logs';

/** The events that a delivery of one message becomes. */
async function stored(body: unknown): Promise<Record<string, unknown>[]> {
  const harness = new Harness();
  const outcome = await harness.post(body, path, { maxInflatedBytes: 10_000_000 });
  expect(outcome.rejected).toEqual([]);
  return harness.events;
}

const event = (fields: object) => stored({ ...subscription(), logEvents: [fields] });

test('a log event becomes an event, its origin metadata', async () => {
  expect(await stored(subscription('one', 'two\n'))).toEqual([
    {
      id: '31953106606966983378809025079804211143289615424298221560',
      timestamp: AT_MS * 1000,
      event_message: 'one',
      metadata: ORIGIN,
    },
    {
      id: '31953106606966983378809025079804211143289615424298221561',
      timestamp: (AT_MS + 1) * 1000,
      event_message: 'two\n',
      metadata: ORIGIN,
    },
  ]);
});

const MESSAGE = subscription('one', 'two');

describe('a delivery may come as', () => {
  test.each([
    ['the event of a Lambda function', awslogs(MESSAGE), {}],
    ['that in gzip', gzipJson(awslogs(MESSAGE)), { contentEncoding: 'gzip' }],
    ['gzip that is not declared', gzipJson(MESSAGE), { contentType: 'application/json' }],
    ['gzip that is declared', gzipJson(MESSAGE), { contentEncoding: 'gzip' }],
    ['gzip by its type', gzipJson(MESSAGE), { contentType: 'application/gzip' }],
    ['gzip by no type', gzipJson(MESSAGE), { contentType: undefined }],
    ['gzip and a newline', Buffer.concat([gzipJson(MESSAGE), Buffer.from('\n')]), {}],
    ['JSON', MESSAGE, {}],
    ['JSON of another type', MESSAGE, { contentType: 'application/x-www-form-urlencoded' }],
    ['JSON over several lines', JSON.stringify(MESSAGE, null, 2), {}],
  ])('%s', async (_what, body, options) => {
    const harness = new Harness();

    await harness.post(body, path, options);

    expect(harness.events.map(({ event_message }) => event_message)).toEqual(['one', 'two']);
  });

  test.each([
    ['members of gzip', Buffer.concat([gzipJson(subscription('a')), gzipJson(subscription('b'))])],
    ['a list', [subscription('a'), awslogs(subscription('b'))]],
    [
      'lines',
      `${JSON.stringify(subscription('a'))}\n${JSON.stringify(awslogs(subscription('b')))}`,
    ],
  ])('several, in %s', async (_what, body) => {
    expect((await stored(body)).map(({ event_message }) => event_message)).toEqual(['a', 'b']);
  });
});

test.each([
  ['as it is', CONTROL_MESSAGE],
  ['for a Lambda function', awslogs(CONTROL_MESSAGE)],
  ['beside data', [CONTROL_MESSAGE, { ...subscription(), logEvents: [] }]],
])('a control message %s has no events, and is fine', async (_how, body) => {
  expect((await decode(body, { path })).events).toEqual([]);
});

describe('what a message says is taken out of it', () => {
  test.each([
    [
      "an application's JSON",
      '{"level":"WARN","message":"low","owner":"me"}\n',
      { level: 'warn', json: { level: 'WARN', message: 'low', owner: 'me' } },
    ],
    ["a platform's JSON", '{"type":"platform.start"}', { json: { type: 'platform.start' } }],
    ['a numeric level', '{"level":30}', { json: { level: 30 } }],
    [
      "Lambda's text",
      '2025-06-01T11:59:00.000Z\t8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c\tERROR\tno stock\n',
      {
        level: 'error',
        lambda: {
          type: 'log',
          request_id: '8f2d1c7a-54be-4a6e-9d0b-3c1f2e4a5b6c',
          level: 'error',
          message: 'no stock',
        },
      },
    ],
    ['other text', 'low stock {"a":1}', {}],
    ['a list', '[{"a":1}]', {}],
    ['what is cut short', '{"a":', {}],
  ])('%s', async (_what, message, parts) => {
    const [only] = await stored(subscription(message));

    expect(only).toMatchObject({ event_message: message });
    expect(only?.metadata).toEqual({ ...ORIGIN, ...parts });
  });

  test('fields of a filter pattern, of the account, and those that are new', async () => {
    const [only] = await stored({
      ...subscription(),
      policyLevel: 'ACCOUNT_LEVEL_POLICY',
      region: 'eu-west-1',
      logEvents: [{ id: '1', message: 'm', extractedFields: { ip: '::1' }, entity: { a: 1 } }],
    });

    expect(only?.metadata).toEqual({
      ...ORIGIN,
      policy_level: 'ACCOUNT_LEVEL_POLICY',
      extracted_fields: { ip: '::1' },
      other_fields: { region: 'eu-west-1', entity: { a: 1 } },
    });
  });
});

describe('nothing in a delivery is refused', () => {
  const deep = `${'['.repeat(100)}1${']'.repeat(100)}`;

  test('a time ahead becomes that of arrival', async () => {
    const ahead = Date.UTC(2030, 0);
    const harness = new Harness();

    await harness.post(
      { ...subscription(), logEvents: [{ id: '1', timestamp: ahead, message: '{"a":1}' }] },
      path,
    );

    expect(harness.events).toEqual([
      {
        id: '1',
        timestamp: harness.nowMs * 1000,
        event_message: '{"a":1}',
        metadata: { ...ORIGIN, json: { a: 1 } },
        ingest_problem: 'timestamp is more than one hour in the future',
      },
    ]);
    expect(harness.logger.lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'Events stored in another form',
        fields: expect.objectContaining({ salvaged: 1, of: 1 }),
      }),
    ]);
  });

  test.each([
    ['JSON that nests too deep', { id: '1', timestamp: AT_MS, message: `{"a":${deep}}` }],
    ['JSON with a number beyond all range', { id: '1', timestamp: AT_MS, message: '{"a":1e999}' }],
  ])('%s stays in the message alone', async (_what, fields) => {
    expect(await event(fields)).toEqual([
      { id: '1', timestamp: AT_MS * 1000, event_message: fields.message, metadata: ORIGIN },
    ]);
  });

  test('extracted fields that nest too deep are left out, and it says so', async () => {
    const [only] = await stored(
      `{"messageType":"DATA_MESSAGE","logEvents":[{"id":"1","message":"m","extractedFields":{"a":${deep}}}]}`,
    );

    expect(only).toMatchObject({ id: '1', event_message: 'm' });
    expect(only).toMatchObject({ ingest_problem: 'nested deeper than 64 levels' });
  });

  test('a message too long for a row is stored in parts', async () => {
    const message = JSON.stringify({ text: `${'é☕😀"'.repeat(100_000)}` });

    const parts = await event({ id: '1', timestamp: AT_MS, message });

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ event_message }) => event_message).join('')).toBe(message);
    expect(parts[1]).toMatchObject({
      id: '1-2',
      timestamp: AT_MS * 1000,
      metadata: ORIGIN,
      ingest_part: 2,
      ingest_parts: parts.length,
      ingest_problem: expect.stringMatching(/^takes \d+ bytes to store/),
    });
  });

  test.each([
    ['no object', 5, '5'],
    ['an object without a message', { id: '1' }, '{"id":"1"}'],
    ['a message that is no text', { message: { a: [1] } }, '{"a":[1]}'],
  ])('a log event that is %s is stored as its text', async (_what, fields, message) => {
    const events = await stored({ ...subscription(), logEvents: [fields] });

    expect(events).toMatchObject([{ event_message: message, metadata: ORIGIN }]);
  });
});

describe('the whole request is refused', () => {
  test.each([
    ['nothing', ''],
    ['an empty object', {}],
    ['other JSON', [{ message: 'hi' }]],
    ['a delivery beside other JSON', [subscription('a'), { message: 'hi' }]],
    ['text', 'hello'],
    ['a delivery without events', { messageType: 'DATA_MESSAGE' }],
    [
      'names that CloudWatch Logs would not allow',
      { ...subscription('a'), logGroup: 'x'.repeat(513) },
    ],
    ['empty log data', { awslogs: { data: '' } }],
    ['log data in log data', awslogs(awslogs(subscription('a')))],
  ])('for %s', async (_what, body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      status: 400,
      code: 'batch_missing',
    });
  });

  test.each([
    ['base64', { awslogs: { data: 'H4sI????' } }],
    ['gzip in base64', { awslogs: { data: Buffer.from([0x1f, 0x8b, 1, 2]).toString('base64') } }],
    ['gzip', gzipJson(subscription('a')).subarray(0, -9)],
  ])('for broken %s', async (_what, body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      status: 400,
      code: 'malformed_compression',
    });
  });

  test.each([
    ['a bomb', gzipSync(Buffer.alloc(2_000_000))],
    ['small ones together', [1, 2].map(() => awslogs(subscription(' '.repeat(600_000))))],
  ])('for %s', async (_what, body) => {
    await expect(decode(body, { path })).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  test('for names that would be repeated without end', async () => {
    const logEvents = Array.from({ length: 90_000 }, () => ({ message: '' }));
    const body = { ...subscription(), logGroup: 'x'.repeat(512), logEvents };

    await expect(decode(body, { path, maxInflatedBytes: 10_000_000 })).rejects.toMatchObject({
      status: 413,
      code: 'too_many_events',
    });
  });
});
