import { constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { snappyCompress } from 'hysnappy';
import { describe, expect, test } from 'vitest';
import { MAX_EVENTS } from '../../../src/ingest/event/max-events.ts';
import { decode } from '../support.ts';
import { chunk, framed } from './snappy-frames.ts';

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

  test('a body without a content type that is no text is refused', async () => {
    const body = gzipSync('{}');
    await expect(decode(body, { contentType: undefined })).rejects.toMatchObject({
      status: 415,
      code: 'unsupported_content_type',
      message: expect.stringContaining('no Content-Type'),
    });
  });
});

describe('content encoding', () => {
  const halves = ['{"message":', '"a"}'];

  test.each([
    ['identity', JSON_EVENT],
    ['', JSON_EVENT],
    ['gzip', gzipSync(JSON_EVENT)],
    ['GZIP', gzipSync(JSON_EVENT)],
    ['x-gzip', gzipSync(JSON_EVENT)],
    ['gzip', Buffer.concat(halves.map((half) => gzipSync(half)))],
    ['deflate', deflateSync(JSON_EVENT)],
    ['deflate', deflateRawSync(JSON_EVENT)],
    ['zlib', deflateSync(JSON_EVENT)],
    ['zstd', zstdCompressSync(JSON_EVENT)],
    ['zstd', Buffer.concat(halves.map((half) => zstdCompressSync(half)))],
    ['snappy', snappyCompress(JSON_EVENT)],
    ['snappy', framed(...halves)],
    ['x-snappy-framed', framed(...halves)],
    ['gzip, zstd', zstdCompressSync(gzipSync(JSON_EVENT))],
    ['identity , gzip,', gzipSync(JSON_EVENT)],
  ])('%j is decoded', async (contentEncoding, body) => {
    expect((await decode(body, { contentEncoding })).events).toEqual([EVENT]);
  });

  test.each(['br', 'lz4', 'gzip, br', 'br, gzip', 'x', 'gzip, gzip, gzip, gzip'])(
    '%j is refused, and those that are read are named',
    async (contentEncoding) => {
      await expect(decode(JSON_EVENT, { contentEncoding })).rejects.toMatchObject({
        status: 415,
        code: 'unsupported_content_encoding',
        message: expect.stringContaining(
          'gzip, x-gzip, deflate, zlib, zstd, snappy, x-snappy-framed.',
        ),
      });
    },
  );

  test.each([
    ['gzip', 'bytes that are none', JSON_EVENT],
    ['gzip', 'a truncated body', gzipSync(JSON_EVENT).subarray(0, -9)],
    ['gzip', 'an empty body', Buffer.alloc(0)],
    ['deflate', 'bytes that are none', JSON_EVENT],
    ['zstd', 'bytes that are none', JSON_EVENT],
    ['zstd', 'a truncated body', zstdCompressSync(JSON_EVENT).subarray(0, -3)],
    ['zstd', 'an empty body', Buffer.alloc(0)],
    ['zstd', 'bytes behind the last frame', Buffer.concat([zstdCompressSync('{}'), JSON_EVENT])],
    ['zstd', 'more than a thousand frames', Buffer.concat(Array(1001).fill(zstdCompressSync('')))],
    ['snappy', 'bytes that are none', JSON_EVENT],
    ['snappy', 'an empty body', Buffer.alloc(0)],
    ['snappy', 'a truncated block', snappyCompress(JSON_EVENT).subarray(0, -3)],
    ['snappy', 'a truncated chunk', framed(JSON_EVENT.toString()).subarray(0, -3)],
    ['snappy', 'a chunk of an unknown type', Buffer.concat([framed('{}'), chunk(0x02, '{}')])],
  ])('%s refuses %s', async (contentEncoding, _case, body) => {
    await expect(decode(body, { contentEncoding })).rejects.toMatchObject({
      status: 400,
      code: 'malformed_compression',
    });
  });

  test('zstd with a window that takes more memory than RFC 9659 allows is refused', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 26 };
    const body = zstdCompressSync(Buffer.alloc(10_000_000, '[] '), { params });

    await expect(
      decode(body, { contentEncoding: 'zstd', maxInflatedBytes: 20_000_000 }),
    ).rejects.toMatchObject({ code: 'malformed_compression' });
  });

  test('chunks of snappy that carry nothing are passed over', async () => {
    const body = Buffer.concat([
      framed('{"message":'),
      chunk(0xfe, 'padding'),
      chunk(0x01, '"a"}'),
    ]);

    expect((await decode(body, { contentEncoding: 'snappy' })).events).toEqual([EVENT]);
  });
});

describe('size', () => {
  const json = JSON.stringify({ message: 'a'.repeat(1000) });

  test.each([
    ['identity', Buffer.from(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['zstd', zstdCompressSync(json)],
    ['zstd', Buffer.concat([zstdCompressSync(json.slice(0, 9)), zstdCompressSync(json.slice(9))])],
    ['snappy', snappyCompress(Buffer.from(json))],
    ['x-snappy-framed', framed(json.slice(0, 9), json.slice(9))],
    ['gzip, gzip', gzipSync(gzipSync(json))],
  ])('a body of exactly the limit is taken with %s', async (contentEncoding, body) => {
    const decoded = decode(body, { contentEncoding, maxInflatedBytes: json.length });
    await expect(decoded).resolves.toMatchObject({ events: [JSON.parse(json)] });
  });

  test.each([
    ['identity', Buffer.from(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['zstd', zstdCompressSync(json)],
    ['zstd', Buffer.concat([zstdCompressSync(json.slice(0, -1)), zstdCompressSync('}')])],
    ['snappy', snappyCompress(Buffer.from(json))],
    ['x-snappy-framed', framed(json.slice(0, 9), json.slice(9))],
    ['gzip, gzip', gzipSync(gzipSync(json))],
  ])('a body past the limit is refused with %s', async (contentEncoding, body) => {
    const decoded = decode(body, { contentEncoding, maxInflatedBytes: json.length - 1 });
    await expect(decoded).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
      message: expect.stringContaining('Split it into several requests'),
    });
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(20_000_000, ' '))],
    ['zstd', zstdCompressSync(Buffer.alloc(20_000_000, ' '))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(20_000_000, ' ')))],
    ['snappy', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0x20])],
  ])('a bomb of 20 MB or more in 20 KB is refused with %s', async (contentEncoding, bomb) => {
    await expect(decode(bomb, { contentEncoding })).rejects.toMatchObject({ status: 413 });
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
