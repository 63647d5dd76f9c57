import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packRecords } from '../../../../src/ingest/delivery/record/pack.ts';
import {
  decodeRecord,
  encodeRecord,
  MAX_EXPANSION,
  RecordError,
  recordHeader,
} from '../../../../src/ingest/delivery/record/record-encoding.ts';
import { landedRow } from '../../../support/aws/failed-records.ts';

function record(rows: readonly string[]): Uint8Array {
  const [only, ...more] = packRecords(rows);
  if (only === undefined || more.length > 0) throw new Error('One record was expected.');
  return only;
}

const alike = Array.from(
  { length: 60 },
  (_, index) => `{"id":${index},"message":"${'x'.repeat(900)}"}`,
);

/** A header of one's own, in front of a body of one's own. */
function made(header: unknown, body: Uint8Array): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const frame = Buffer.alloc(8);
  frame.writeUInt32LE(0x184d2a50, 0);
  frame.writeUInt32LE(text.length, 4);
  return Buffer.concat([frame, text, body]);
}

function codeOf(bytes: Uint8Array): string {
  try {
    decodeRecord(bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return error.code;
  }
}

describe('an encoded record', () => {
  test('gives its rows back', () => {
    const packed = record(alike);

    const encoded = encodeRecord(packed);

    expect(encoded.length).toBeLessThan(packed.length);
    expect(decodeRecord(encoded)).toEqual({ rows: 60, bytes: Buffer.from(packed) });
    expect(recordHeader(encoded)).toEqual({ encoding: 'zstd', rows: 60, bytes: packed.length });
  });

  test('names the source of its rows when they have one', () => {
    const rowsOf = (...sources: string[]) =>
      sources.flatMap((source_id) =>
        alike.slice(0, 20).map((row) => landedRow({ source_id, row })),
      );
    const [one, other] = [
      '3f1b2c4d-0000-4000-8000-000000000000',
      '4f1b2c4d-0000-4000-8000-000000000000',
    ];

    const sources = [rowsOf(one), rowsOf(one, other), alike].map(
      (rows) => recordHeader(encodeRecord(record(rows)))?.source_id,
    );

    expect(sources).toEqual([one, undefined, undefined]);
  });

  test('stays as it is when it fits one billing unit', () => {
    const packed = record(['{"id":1}', '{"id":2}']);

    expect(encodeRecord(packed)).toBe(packed);
    expect(decodeRecord(packed)).toEqual({ rows: 2, bytes: packed });
    expect(recordHeader(packed)).toBeUndefined();
  });

  test('stays as it is when compression saves no billing unit', () => {
    const random = Array.from({ length: 4_000 }, () => Math.random().toString(36).slice(2)).join(
      '',
    );
    const packed = record([JSON.stringify({ random: Buffer.from(random).toString('base64') })]);
    const barely = packed.subarray(0, 5_121);

    expect(encodeRecord(barely).length).toBeLessThanOrEqual(barely.length);
  });

  test('is never smaller than a 20th of its rows', () => {
    const zeros = record([`{"zeros":"${'0'.repeat(500_000)}"}`]);

    const encoded = encodeRecord(zeros);

    expect(encoded.length).toBe(Math.ceil(zeros.length / MAX_EXPANSION));
    expect(decodeRecord(encoded).bytes).toEqual(Buffer.from(zeros));
  });

  test('is any text of rows', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1, maxLength: 50 }), (texts) => {
        const [packed] = packRecords(texts.map((text) => JSON.stringify({ text })));
        if (packed === undefined) throw new Error('A record was expected.');
        expect(Buffer.from(decodeRecord(encodeRecord(packed)).bytes).equals(packed)).toBe(true);
      }),
    );
  });
});

describe('a record that cannot be read', () => {
  const body = zstdCompressSync(Buffer.from('{}'));

  test.each([
    [
      'an encoding of a newer release',
      made({ encoding: 'zstd-2', rows: 1, bytes: 2 }, body),
      'unknown_encoding',
    ],
    ['nothing', Buffer.alloc(0), 'damaged_record'],
    ['text that is no row', Buffer.from('hello'), 'damaged_record'],
    ['a header that is not JSON', made('{', body), 'damaged_record'],
    ['a header without a length', made({ encoding: 'zstd', rows: 1 }, body), 'damaged_record'],
    [
      'a length over what a record holds',
      made({ encoding: 'zstd', rows: 1, bytes: 1_024_001 }, body),
      'damaged_record',
    ],
    [
      'more rows than its header says',
      made({ encoding: 'zstd', rows: 1, bytes: 1 }, body),
      'damaged_record',
    ],
    [
      'fewer rows than its header says',
      made({ encoding: 'zstd', rows: 1, bytes: 3 }, body),
      'damaged_record',
    ],
    [
      'a body that is cut',
      made({ encoding: 'zstd', rows: 1, bytes: 2 }, body.subarray(0, -3)),
      'damaged_record',
    ],
    [
      'a header longer than the record',
      made({ encoding: 'zstd', rows: 1, bytes: 2 }, body).subarray(0, 20),
      'damaged_record',
    ],
  ])('has a code: %s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  test('is refused with a code whatever its bytes are', () => {
    const packed = encodeRecord(record(alike));
    const flipped = fc
      .tuple(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }))
      .map(([at, by]) => {
        const copy = Buffer.from(packed);
        copy[at] = (copy[at] ?? 0) ^ by;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(flipped, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        expect(['read', 'damaged_record', 'unknown_encoding']).toContain(codeOf(bytes));
      }),
    );
  });
});
