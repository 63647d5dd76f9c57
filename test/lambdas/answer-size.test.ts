import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fitAnswer, type HttpApiAnswer } from '../../lambdas/answer-size.ts';

const LAMBDA_LIMIT = 6 * 1024 * 1024;

function answer(body: string): HttpApiAnswer {
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
  test('that is small stays as it is', () => {
    const small = answer(result(500_000));
    expect(fitAnswer(small, 'gzip')).toBe(small);
  });

  test('that is large is compressed for whoever can read it', () => {
    const body = result(20_000_000);

    const fitted = fitAnswer(answer(body), 'br, gzip;q=0.8');

    expect(fitted).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
    });
    expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(LAMBDA_LIMIT);
    expect(gunzipSync(Buffer.from(fitted.body, 'base64')).toString()).toBe(body);
  });

  test('that fits stays readable for those who cannot decompress', () => {
    const large = answer(result(3_000_000));
    expect(fitAnswer(large, undefined)).toBe(large);
  });

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0.0, *'])(
    'that does not fit is an error with advice where Accept-Encoding is %j',
    (acceptEncoding) => {
      const fitted = fitAnswer(answer(result(7_000_000)), acceptEncoding);
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

  test('that does not fit even when compressed is an error', () => {
    const noise = JSON.stringify({
      result: [{ noise: randomBytes(6_000_000).toString('base64') }],
    });
    expect(fitAnswer(answer(noise), 'gzip')).toMatchObject({ statusCode: 400 });
  });

  test('fits to the last byte, and not with one more', () => {
    const overhead = Buffer.byteLength(JSON.stringify(answer('')));
    const full = answer('x'.repeat(LAMBDA_LIMIT - overhead));
    expect(fitAnswer(full, undefined)).toBe(full);
    expect(fitAnswer({ ...full, body: `${full.body}x` }, undefined)).toMatchObject({
      statusCode: 400,
    });
  });

  test('counts as Lambda counts: quotes are escaped', () => {
    const quotes = '"'.repeat(3_500_000);
    expect(fitAnswer(answer(quotes), undefined)).toMatchObject({ statusCode: 400 });
  });
});
