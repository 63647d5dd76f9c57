/**
 * Every ingest format under damaged requests, for `FUZZ_SECONDS` each (default 60): no answer of the
 * 500s, no hang, and rows that every reader of the lake accepts. `npm run fuzz`
 */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { snappyCompress } from 'hysnappy';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/ingest/formats/index.ts';
import { ingestApp, KEY, WEB } from '../http/routes/ingest/support.ts';
import { framed } from '../ingest/decode/snappy-frames.ts';
import { expectWellFormedRows } from '../ingest/encode/well-formed-rows.ts';
import { Harness } from '../ingest/support.ts';
import { mutated } from './mutate.ts';
import { SAMPLES, type Sample } from './samples.ts';

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 60);

const encoding = fc.constantFrom(
  ...([
    ...['', '', '', '', '', '', 'gzip', 'gzip-damaged', 'deflate', 'deflate-damaged', 'br'],
    ...[
      'zstd',
      'zstd-damaged',
      'snappy',
      'snappy-damaged',
      'x-snappy-framed-damaged',
      'gzip, zstd',
    ],
  ] as const),
);

/** A damaged request of a format. */
function request(samples: readonly Sample[]) {
  return fc
    .tuple(fc.constantFrom(...samples), fc.constantFrom(...samples), encoding)
    .chain(([sample, other, coding]) =>
      fc.record({
        // Now and then the body of one shape under the content type of another.
        contentType: fc.constantFrom(
          ...[sample, sample, sample, other].map(({ contentType }) => contentType),
        ),
        headers: fc.constant(sample.headers ?? {}),
        coding: fc.constant(coding),
        body: mutated(Buffer.from(sample.body)).chain((bytes) => encoded(bytes, coding)),
      }),
    );
}

function encoded(bytes: Uint8Array, coding: string): fc.Arbitrary<Uint8Array> {
  switch (coding) {
    case 'gzip':
      return fc.constant(gzipSync(bytes));
    case 'deflate':
      return fc.constant(deflateSync(bytes));
    case 'gzip-damaged':
      return mutated(gzipSync(bytes));
    case 'deflate-damaged':
      return mutated(deflateSync(bytes));
    case 'zstd':
      return fc.constant(zstdCompressSync(bytes));
    case 'zstd-damaged':
      return mutated(zstdCompressSync(bytes));
    case 'snappy':
      return fc.constant(snappyCompress(bytes));
    case 'snappy-damaged':
      return mutated(snappyCompress(bytes));
    case 'x-snappy-framed-damaged':
      return mutated(framed(bytes));
    case 'gzip, zstd':
      return fc.constant(zstdCompressSync(gzipSync(bytes)));
    default:
      return fc.constant(bytes);
  }
}

describe.each(FORMATS)('$path', ({ path, atRoot }) => {
  test('answers every damaged request', { timeout: SECONDS * 1000 + 60_000 }, async () => {
    const samples = SAMPLES[path];
    if (samples === undefined) throw new Error(`There is no sample for "${path}".`);
    const statuses = new Map<number, number>();

    await fc.assert(
      fc.asyncProperty(request(samples), async ({ contentType, headers, coding, body }) => {
        const harness = new Harness();
        const { app } = ingestApp({ pipeline: harness.pipeline });
        const post = () =>
          app.request(`${atRoot ? '' : '/logs'}${path}?source=${WEB.token}`, {
            method: 'POST',
            headers: {
              ...headers,
              'Content-Type': contentType,
              'X-API-KEY': KEY,
              ...(coding === '' ? {} : { 'Content-Encoding': coding.replace('-damaged', '') }),
            },
            body: new Uint8Array(body),
          });

        const first = await post();
        // The shape of the events is known by now, and they take the fast way.
        const second = await post();

        statuses.set(first.status, (statuses.get(first.status) ?? 0) + 1);
        expect(first.status, await first.text()).toBeLessThan(500);
        expect(second.status).toBe(first.status);
        expectWellFormedRows(harness.rows);
      }),
      {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: SECONDS * 1000,
      },
    );

    console.log(`${path}: ${JSON.stringify(Object.fromEntries(statuses))}`);
    // Damage that nothing survives, or that harms nothing, would try nothing.
    expect([200, 201, 202, 204].some((status) => statuses.has(status))).toBe(true);
    expect(statuses.get(400)).toBeGreaterThan(0);
  });
});
