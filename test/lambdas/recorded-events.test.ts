/**
 * The functions given whole events of API Gateway, payload format 2.0, in the shapes that AWS documents:
 * `events/` has them as they are before any code of ours sees them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdCompressSync } from 'node:zlib';
import type { PutRecordBatchCommandInput } from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpApiEvent } from '../../lambdas/shared/http-handler.ts';
import { type LocalDynamoDB, startDynamoDB } from '../../src/local/dynalite/dynamodb.ts';
import { rowsOf } from '../support/aws/fake-firehose.ts';
import { BOOTSTRAP, INGEST } from './variables.ts';

const backends = vi.hoisted(() => ({
  dynamodb: undefined as unknown,
  firehose: { send: vi.fn() },
  athena: { send: vi.fn() },
}));
vi.mock('../../lambdas/shared/dynamodb.ts', () => ({ documentClient: () => backends.dynamodb }));
vi.mock('../../src/ingest/delivery/firehose/firehose-client.ts', () => ({
  firehoseClient: () => backends.firehose,
}));
vi.mock('../../src/platform/athena/athena-client.ts', async (original) => ({
  ...(await original<object>()),
  athenaClient: () => backends.athena,
}));

/** The key in the events. */
const ADMIN_KEY = 'Xq3pT9sVbN2kLmR7wYzC4dFhJ8gAeU6i';

/** What Lambda takes from API Gateway: 6 MB of event as JSON. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

let directory: string;
let dynamodb: LocalDynamoDB;

beforeAll(async () => {
  for (const [name, value] of Object.entries({ ...INGEST, ...BOOTSTRAP })) vi.stubEnv(name, value);
  directory = mkdtempSync(join(tmpdir(), 'sluice-events-'));
  dynamodb = await startDynamoDB(directory);
  backends.dynamodb = dynamodb.client;
  const { handler } = await import('../../lambdas/bootstrap.ts');
  await handler({ adminKey: ADMIN_KEY });
});

afterAll(async () => {
  await dynamodb.close();
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

beforeEach(() => {
  backends.firehose.send.mockReset();
  backends.firehose.send.mockImplementation(async ({ input }) => ({
    FailedPutCount: 0,
    RequestResponses: input.Records.map(() => ({ RecordId: '1' })),
  }));
  backends.athena.send.mockReset();
  vi.restoreAllMocks();
});

function recorded(name: string): HttpApiEvent {
  return JSON.parse(readFileSync(new URL(`events/${name}.json`, import.meta.url), 'utf8'));
}

async function ingest(event: HttpApiEvent) {
  const { handler } = await import('../../lambdas/ingest.ts');
  return handler(event);
}

async function query(event: HttpApiEvent) {
  const { handler } = await import('../../lambdas/query.ts');
  return handler(event);
}

/** Messages of the events that reached the stream. */
function storedMessages(): string[] {
  const calls = backends.firehose.send.mock.calls as [{ input: PutRecordBatchCommandInput }][];
  return calls
    .flatMap(([{ input }]) => input.Records ?? [])
    .flatMap(({ Data = new Uint8Array() }) => rowsOf(Data))
    .map((row) => JSON.parse(row).event_message);
}

describe('ingest stores', () => {
  test.each([
    ['a JSON body', 'post-json', ['checkpoint complete']],
    ['a text, in UTF-8', 'post-text', ['checkpoint complete — ok']],
    ['a compressed body, in base64', 'post-gzip', ['checkpoint complete']],
    [
      'a body that came in chunks, without its length, to an address with a slash',
      'post-chunked',
      ['checkpoint complete', 'checkpoint starting'],
    ],
    [
      'events of a browser, with cookies and headers that came twice',
      'post-repeated-headers',
      ['checkpoint complete'],
    ],
  ])('%s', async (_what, name, messages) => {
    const event = recorded(name);

    const answer = await ingest(event);

    expect(answer).toMatchObject({
      statusCode: 200,
      body: '{"message":"Logged!"}',
      isBase64Encoded: false,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': event.headers.origin ?? '*',
      },
    });
    expect(storedMessages()).toEqual(messages);
  });

  test('a body that zstd compressed, in base64', async () => {
    const event = recorded('post-gzip');
    const json = gunzipSync(Buffer.from(event.body ?? '', 'base64'));

    const answer = await ingest({
      ...event,
      headers: { ...event.headers, 'content-encoding': 'zstd' },
      body: zstdCompressSync(json).toString('base64'),
    });

    expect(answer).toMatchObject({ statusCode: 200 });
    expect(storedMessages()).toEqual(['checkpoint complete']);
  });

  test('OTLP in protobuf, and answers in it', async () => {
    const answer = await ingest(recorded('post-protobuf'));

    expect(answer).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: { 'content-type': 'application/x-protobuf' },
    });
    expect(storedMessages()).toEqual(['otlp arrived']);
  });
});

test('ingest answers HEAD without a body', async () => {
  const answer = await ingest(recorded('head-health'));
  expect(answer).toMatchObject({ statusCode: 200, body: '', isBase64Encoded: false });
});

test('ingest answers a preflight that comes without a key', async () => {
  const answer = await ingest(recorded('options-preflight'));
  expect(answer).toMatchObject({
    statusCode: 204,
    body: '',
    headers: {
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('POST'),
    },
  });
});

test('query takes the last of a repeated parameter, decoded once', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  backends.athena.send.mockRejectedValue(
    Object.assign(new Error('stop here'), { name: 'InvalidRequestException' }),
  );

  await query(recorded('get-repeated-parameters'));

  const [[command]] = backends.athena.send.mock.calls as [[{ input: { QueryString: string } }]];
  expect(command.input.QueryString).toContain("'second & last'");
  expect(command.input.QueryString).not.toContain('first');
});

test('query takes a decoded path for the name of an endpoint, and not for an address', async () => {
  const answer = await query(recorded('get-decoded-path'));
  expect(answer).toMatchObject({ statusCode: 404 });
  expect(JSON.parse(answer.body)).toMatchObject({
    error: expect.stringContaining('the name "no such name? 100% #1"'),
  });
});

describe('at the edge of what Lambda takes', () => {
  const LIMIT = 5 * 1024 * 1024;
  const size = (event: HttpApiEvent) => Buffer.byteLength(JSON.stringify(event));

  /** The recorded request with a batch of that many bytes, of events as services log them. */
  function batch(bytes: number): HttpApiEvent {
    const event = recorded('post-json');
    const one =
      '{"message":"GET | 200 | 192.0.2.7 | /rest/v1/todos","metadata":{"request":{"method":"GET","path":"/rest/v1/todos"},"response":{"status_code":200}}},';
    const list = `[${one.repeat(Math.floor((bytes - 2) / one.length)).slice(0, -1)}]`;
    const body = list + ' '.repeat(bytes - list.length);
    const headers = { ...event.headers, 'content-length': String(bytes) };
    return { ...event, headers, body } as HttpApiEvent;
  }

  test('JSON of 5 MiB gets through, and is stored', async () => {
    const event = batch(LIMIT);

    expect(size(event)).toBeLessThan(MAX_EVENT_BYTES);
    expect(await ingest(event)).toMatchObject({ statusCode: 200 });
  });

  test('a byte more gets through too, and is told the limit', async () => {
    const event = batch(LIMIT + 1);

    expect(size(event)).toBeLessThan(MAX_EVENT_BYTES);
    const { statusCode, body } = await ingest(event);
    expect(statusCode).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ code: 'body_too_large' });
    expect(storedMessages()).toEqual([]);
  });

  test('what is too long without saying so is refused as well', async () => {
    const { headers, ...event } = batch(LIMIT + 1);
    const { 'content-length': _length, ...others } = headers;
    expect(await ingest({ ...event, headers: others } as HttpApiEvent)).toMatchObject({
      statusCode: 413,
    });
  });

  test('of a compressed body 4.4 MB get through, and 5 MB never reach a function', () => {
    const inBase64 = (bytes: number): HttpApiEvent => ({
      ...recorded('post-gzip'),
      body: Buffer.alloc(bytes, 0xff).toString('base64'),
    });
    expect(size(inBase64(4_400_000))).toBeLessThan(MAX_EVENT_BYTES);
    expect(size(inBase64(5_000_000))).toBeGreaterThan(MAX_EVENT_BYTES);
  });
});
