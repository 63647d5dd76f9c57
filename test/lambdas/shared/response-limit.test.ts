import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type HttpApiResponse, limitResponse } from '../../../lambdas/shared/response-limit.ts';

const LAMBDA_LIMIT = 6 * 1024 * 1024;

function answer(body: string): HttpApiResponse {
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  return { statusCode: 200, headers, body, isBase64Encoded: false };
}

/** A result of that many bytes which compresses as logs do. */
function result(bytes: number): string {
  const row = '{"id":"0c8b9cf6","event_message":"GET | 200 | 192.0.2.7 | /rest/v1/todos"}';
  return `{"result":[${Array(Math.ceil(bytes / row.length))
    .fill(row)
    .join(',')}]}`;
}

describe('an answer', () => {
  test('that is small stays as it is', async () => {
    const small = answer('x'.repeat(1_023));
    expect(await limitResponse(small, 'gzip')).toBe(small);
  });

  test.each([
    ['gzip', 2_000, gunzipSync],
    ['br', 2_000, brotliDecompressSync],
    ['zstd', 2_000, zstdDecompressSync],
    ['gzip', 20_000_000, gunzipSync],
    ['br', 20_000_000, brotliDecompressSync],
    ['zstd', 20_000_000, zstdDecompressSync],
  ])('is compressed with %s for whoever can read it: %d bytes', async (coding, bytes, decode) => {
    const body = result(bytes);

    const fitted = await limitResponse(answer(body), coding);

    expect(fitted).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: { 'content-encoding': coding },
    });
    expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(LAMBDA_LIMIT);
    expect(decode(Buffer.from(fitted.body, 'base64')).toString()).toBe(body);
  });

  test('that fits stays readable for those who cannot decompress', async () => {
    const large = answer(result(3_000_000));
    expect(await limitResponse(large, undefined)).toBe(large);
  });

  test.each([undefined, '', 'identity', 'deflate', 'gzip;q=0', '*;q=0', 'gzip;q=0.0, *'])(
    'that does not fit is an error with advice where Accept-Encoding is %j',
    async (acceptEncoding) => {
      const fitted = await limitResponse(answer(result(7_000_000)), acceptEncoding);
      expect(fitted).toMatchObject({
        statusCode: 400,
        isBase64Encoded: false,
        headers: { 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
      });
      expect(JSON.parse(fitted.body)).toEqual({
        code: 'result_too_large',
        error: expect.stringContaining('Accept-Encoding: gzip'),
      });
    },
  );

  test('that does not fit even when compressed is an error', async () => {
    const noise = JSON.stringify({
      result: [{ noise: randomBytes(6_000_000).toString('base64') }],
    });
    expect(await limitResponse(answer(noise), 'gzip')).toMatchObject({ statusCode: 400 });
  });

  test('fits to the last byte, and not with one more', async () => {
    const overhead = Buffer.byteLength(JSON.stringify(answer('')));
    const full = answer('x'.repeat(LAMBDA_LIMIT - overhead));
    expect(await limitResponse(full, undefined)).toBe(full);
    expect(await limitResponse({ ...full, body: `${full.body}x` }, undefined)).toMatchObject({
      statusCode: 400,
    });
  });

  test('counts as Lambda counts: quotes are escaped', async () => {
    const quotes = '"'.repeat(3_500_000);
    expect(await limitResponse(answer(quotes), undefined)).toMatchObject({ statusCode: 400 });
  });
});
