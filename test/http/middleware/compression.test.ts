import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createHttpApp } from '../../../src/http/app.ts';
import { acceptedCoding, compress } from '../../../src/http/middleware/content-coding.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { fixedClock, recordingLogger } from '../support.ts';

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

/** A JSON text of that many bytes. */
const text = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2));

function start() {
  const { logger, lines } = recordingLogger();
  const app = createHttpApp({ logger, clock: fixedClock });
  app.get('/bytes/:n', (c) => c.body(text(Number(c.req.param('n'))), 200, { ETag: '"a"' }));
  app.get('/nothing', (c) => c.body(null, 204));
  app.get('/wrong', () => {
    throw new ServiceError('wrong', 400, 'No. '.repeat(1_000));
  });
  const get = (path: string, acceptEncoding?: string, method = 'GET') => {
    const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding };
    return app.request(path, { method, headers });
  };
  return { get, lines };
}

describe('an answer from 1 KB', () => {
  test.each(['gzip', 'br', 'zstd'] as const)('is compressed with %s', async (coding) => {
    const { get, lines } = start();

    for (const bytes of [1_024, 65_536, 65_538, 1_000_000]) {
      const answer = await get(`/bytes/${bytes}`, coding);

      expect(answer.headers.get('Content-Encoding')).toBe(coding);
      expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('ETag')).toBe('"a"');
      const sent = Buffer.from(await answer.arrayBuffer());
      expect(DECODERS[coding](sent).toString()).toBe(text(bytes));
      expect(lines.at(-1)?.fields.bytes_out).toBe(sent.byteLength);
    }
  });

  test('says on what it depends, where it is not compressed too', async () => {
    const answer = await start().get('/bytes/1024');

    expect(answer.headers.get('Content-Encoding')).toBeNull();
    expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe(text(1_024));
  });

  test('is compressed if it is an error', async () => {
    const answer = await start().get('/wrong', 'gzip');

    expect(answer.status).toBe(400);
    const body = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
    expect(JSON.parse(body)).toMatchObject({ code: 'wrong' });
  });

  test('has the same headers for HEAD, and no body', async () => {
    const answer = await start().get('/bytes/2000', 'gzip', 'HEAD');

    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe('');
  });
});

test.each(['/bytes/1022', '/nothing', '/nowhere'])('%s stays as it is', async (path) => {
  const answer = await start().get(path, 'gzip');

  expect(answer.headers.get('Content-Encoding')).toBeNull();
  expect(answer.headers.get('Vary')).toBeNull();
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1.0, br;q=0.9, zstd;q=0.5', 'gzip'],
  ['gzip;q=0.5,br;q=0.5', 'br'],
  ['gzip ; q=0, br', 'br'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000', undefined],
  ['gzip;q=nonsense', undefined],
  ['*', 'gzip'],
  ['br;q=0.1, *;q=0.5', 'gzip'],
  ['gzip;q=0, *', undefined],
])('Accept-Encoding: %s leads to %s', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding);
});

describe('a large body', () => {
  const body = Buffer.from(text(30_000_000));

  test('is compressed while others are served', async () => {
    let turns = 0;
    const others = setInterval(() => turns++, 0);

    await compress(body, 'gzip');

    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
  });

  test('goes as it is while two others are compressed, and is compressed after them', async () => {
    const [first, second, third] = await Promise.all([
      compress(body, 'gzip'),
      compress(body, 'zstd'),
      compress(body, 'br'),
    ]);

    expect([first, second, third].map((one) => one === undefined)).toEqual([false, false, true]);
    expect(await compress(body, 'br')).toBeDefined();
  });
});
