import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  batchRecords,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  packRecords,
  RECORD_BYTES,
} from '../../../../src/ingest/delivery/record/pack.ts';
import { MAX_ROW_BYTES } from '../../../../src/lake/rows/event-sink.ts';

const textOf = (record: Uint8Array): string => Buffer.from(record).toString();
const rowsOf = (records: readonly Uint8Array[]): string[] =>
  records.flatMap((record) => textOf(record).split('\n'));

describe('packRecords', () => {
  test('no rows are no records', () => {
    expect(packRecords([])).toEqual([]);
  });

  test('rows stand back to back, a newline between them', () => {
    expect(packRecords(['{"a":1}', '{"b":"é漢😀"}', '{}']).map(textOf)).toEqual([
      '{"a":1}\n{"b":"é漢😀"}\n{}',
    ]);
  });

  test('many rows fill records to within one row of the target', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => String(index).padEnd(1500, 'x'));

    const records = packRecords(rows);

    expect(rowsOf(records)).toEqual(rows);
    for (const record of records.slice(0, -1)) {
      expect(record.length).toBeGreaterThan(RECORD_BYTES - 1501);
      expect(record.length).toBeLessThanOrEqual(RECORD_BYTES);
    }
  });

  test('a record may be exactly full', () => {
    const half = 'x'.repeat(RECORD_BYTES / 2);
    expect(packRecords([half, half.slice(1), '{}']).map(({ length }) => length)).toEqual([
      RECORD_BYTES,
      2,
    ]);
  });

  test('a row past the target has a record of its own', () => {
    const long = 'x'.repeat(RECORD_BYTES + 1);
    expect(packRecords(['{"a":1}', long, '{"b":1}']).map(textOf)).toEqual([
      '{"a":1}',
      long,
      '{"b":1}',
    ]);
  });

  test('the longest row fits, and a longer one is a fault of the caller', () => {
    expect(packRecords(['é'.repeat(MAX_ROW_BYTES / 2)])[0]?.length).toBe(MAX_ROW_BYTES);
    expect(() => packRecords(['é'.repeat(MAX_ROW_BYTES / 2 + 1)])).toThrow(RangeError);
  });

  test('nothing is lost, split or reordered', () => {
    const character = fc.constantFrom('a', 'é', '漢', '😀', '"');
    const row = fc
      .tuple(character, fc.oneof(fc.nat(20), fc.nat(60_000), fc.nat(200_000)))
      .map(([text, length]) => text.repeat(length + 1));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const records = packRecords(rows);
        expect(rowsOf(records)).toEqual(rows);
        for (const record of records) {
          if (textOf(record).includes('\n'))
            expect(record.length).toBeLessThanOrEqual(RECORD_BYTES);
        }
      }),
    );
  });

  test('records do not hold more memory than they need', () => {
    expect(packRecords(['{"a":1}'])[0]?.buffer.byteLength).toBeLessThan(64);
  });
});

describe('batchRecords', () => {
  const record = (bytes: number): Uint8Array => new Uint8Array(bytes);

  test('no records are no calls', () => {
    expect(batchRecords([])).toEqual([]);
  });

  test('a call has at most 500 records', () => {
    const batches = batchRecords(Array.from({ length: 1001 }, () => record(1)));
    expect(batches.map(({ length }) => length)).toEqual([MAX_BATCH_RECORDS, MAX_BATCH_RECORDS, 1]);
  });

  test('a call has at most 4 MiB', () => {
    const quarter = MAX_BATCH_BYTES / 4;
    const batches = batchRecords([quarter, quarter, quarter, quarter, 1].map(record));
    expect(batches.map(({ length }) => length)).toEqual([4, 1]);
  });

  test('records stay in order and are not copied', () => {
    const records = Array.from({ length: 700 }, (_, index) => record(index * 20));
    expect(batchRecords(records).flat()).toEqual(records);
    expect(batchRecords(records)[0]?.[0]).toBe(records[0]);
  });
});
