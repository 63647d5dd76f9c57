import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../src/ingest/max-events.ts';
import { decode } from './support.ts';

const EVENT = { message: 'a' };
const JSON_EVENT = Buffer.from(JSON.stringify(EVENT));

describe('content type', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/cloudevents+json',
    'application/reports+json; charset=utf-8',
    undefined,
    '',
  ])('%j is read as JSON', async (contentType) => {
    expect((await decode(EVENT, { contentType })).events).toEqual([EVENT]);
  });

  test.each([
    'text/plain',
    'text/html',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/foo+json',
    'nonsense',
  ])('%j is refused', async (contentType) => {
    await expect(decode(EVENT, { contentType })).rejects.toMatchObject({
      status: 415,
      code: 'unsupported_content_type',
      message: expect.stringContaining('Content-Type: application/json'),
    });
  });

  test('a body without a content type that is not JSON is refused', async () => {
    await expect(decode('a=b', { contentType: undefined })).rejects.toMatchObject({
      status: 415,
      code: 'unsupported_content_type',
      message: expect.stringContaining('no Content-Type'),
    });
  });
});

describe('content encoding', () => {
  test.each([
    ['identity', JSON_EVENT],
    ['', JSON_EVENT],
    ['gzip', gzipSync(JSON_EVENT)],
    ['GZIP', gzipSync(JSON_EVENT)],
    ['deflate', deflateSync(JSON_EVENT)],
    ['gzip', Buffer.concat([gzipSync('{"message":'), gzipSync('"a"}')])],
  ])('%j is decoded', async (contentEncoding, body) => {
    expect((await decode(body, { contentEncoding })).events).toEqual([EVENT]);
  });

  test.each(['br', 'zstd', 'gzip, br', 'gzip, gzip', 'x'])(
    '%j is refused',
    async (contentEncoding) => {
      await expect(decode(JSON_EVENT, { contentEncoding })).rejects.toMatchObject({
        status: 400,
        code: 'unsupported_content_encoding',
        message: expect.stringContaining('gzip'),
      });
    },
  );

  test.each([
    ['gzip', 'bytes that are none', JSON_EVENT],
    ['gzip', 'a truncated body', gzipSync(JSON_EVENT).subarray(0, -9)],
    ['gzip', 'an empty body', Buffer.alloc(0)],
    ['deflate', 'raw deflate', deflateRawSync(JSON_EVENT)],
  ])('%s refuses %s', async (contentEncoding, _case, body) => {
    await expect(decode(body, { contentEncoding })).rejects.toMatchObject({
      status: 400,
      code: 'malformed_compression',
    });
  });
});

describe('size', () => {
  const json = JSON.stringify({ message: 'a'.repeat(1000) });

  test.each([
    ['identity', Buffer.from(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
  ])('a body of exactly the limit is taken with %s', async (contentEncoding, body) => {
    const decoded = decode(body, { contentEncoding, maxInflatedBytes: json.length });
    await expect(decoded).resolves.toMatchObject({ events: [JSON.parse(json)] });
  });

  test.each([
    ['identity', Buffer.from(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
  ])('a body past the limit is refused with %s', async (contentEncoding, body) => {
    const decoded = decode(body, { contentEncoding, maxInflatedBytes: json.length - 1 });
    await expect(decoded).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
      message: expect.stringContaining('Split it into several requests'),
    });
  });

  test('a bomb of 20 MB in 20 KB is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
    await expect(decode(bomb, { contentEncoding: 'gzip' })).rejects.toMatchObject({ status: 413 });
  });

  test('events past the limit are refused, however small', async () => {
    const body = `[${Array(MAX_EVENTS).fill('{}').join(',')}]`;
    const more = `[${body.slice(1, -1)},{}]`;
    expect((await decode(body)).events).toHaveLength(MAX_EVENTS);
    await expect(decode(more)).rejects.toMatchObject({ status: 413, code: 'too_many_events' });
  });
});

describe('text', () => {
  test('malformed JSON is refused without being quoted', async () => {
    await expect(decode('{"secret":hunter2}')).rejects.toMatchObject({
      status: 400,
      code: 'invalid_json',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  test('an empty body is an empty object', async () => {
    expect((await decode('')).events).toEqual([{}]);
    expect((await decode('', { contentType: undefined })).events).toEqual([{}]);
  });

  test('bytes that are not UTF-8 become U+FFFD', async () => {
    const body = Buffer.from('7b226d657373616765223a2261ff62227d', 'hex');
    expect((await decode(body)).events).toEqual([{ message: 'a\ufffdb' }]);
  });
});
