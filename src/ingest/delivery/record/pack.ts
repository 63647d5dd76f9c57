/** Packs rows into records, and records into calls of Firehose. */
import { MAX_ROW_BYTES } from '../../../lake/rows/event-sink.ts';

/**
 * Bytes of rows in a record that stays as it is: 25 billing units of Firehose. The unit that the last
 * row leaves unfilled is 4 % at worst, less than half of that on average, and some sixty rows share a
 * fate. A full record never runs over into a 26th.
 */
export const RECORD_BYTES = 25 * 5120;

/** The largest record that Firehose takes. */
export const MAX_RECORD_BYTES = 1_024_000;

/** PutRecordBatch takes at most 500 records and 4 MiB. */
export const MAX_BATCH_RECORDS = 500;
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

const NEWLINE = 10;

/** The longest UTF-8 form of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Joins rows, in order, into records of up to a number of bytes, a newline between two rows.
 * A row is never split; a longer one has a record of its own.
 *
 * @param rows at most MAX_ROW_BYTES of UTF-8 each.
 * @param recordBytes at most {@link MAX_RECORD_BYTES}.
 */
export function packRecords(rows: readonly string[], recordBytes = RECORD_BYTES): Uint8Array[] {
  const records: Uint8Array[] = [];
  let unitsLeft = rows.reduce((units, row) => units + row.length + 1, 0);
  let record: Buffer = Buffer.alloc(0);
  let end = 0;
  for (const row of rows) {
    let start = end === 0 ? 0 : end + 1;
    if (!fits(row, record.length - start)) {
      if (end > 0) records.push(record.subarray(0, end));
      record = newRecord(row, unitsLeft, recordBytes);
      start = 0;
    }
    if (start > 0) record[end] = NEWLINE;
    end = start + record.write(row, start);
    unitsLeft -= row.length + 1;
  }
  if (end > 0) records.push(record.subarray(0, end));
  return records;
}

/** Counts the bytes of a row only where it may not fit: near the end of a record. */
function fits(row: string, room: number): boolean {
  return row.length * MAX_BYTES_PER_UNIT <= room || Buffer.byteLength(row) <= room;
}

/** Memory for the record that begins with a row, given the UTF-16 length of all rows to come. */
function newRecord(row: string, unitsLeft: number, recordBytes: number): Buffer {
  const rowBytes = Buffer.byteLength(row);
  if (rowBytes > MAX_ROW_BYTES) {
    throw new RangeError(`A row takes ${rowBytes} bytes, more than ${MAX_ROW_BYTES}.`);
  }
  const useful = Math.min(recordBytes, unitsLeft * MAX_BYTES_PER_UNIT);
  return Buffer.allocUnsafeSlow(Math.max(rowBytes, useful));
}

/** How many rows a record of {@link packRecords} holds: JSON text has no newline of its own. */
export function rowsIn(record: Uint8Array): number {
  let rows = 1;
  for (let at = record.indexOf(NEWLINE); at >= 0; at = record.indexOf(NEWLINE, at + 1)) rows += 1;
  return rows;
}

/** Groups records, in order, into calls of PutRecordBatch. */
export function batchRecords(records: readonly Uint8Array[]): Uint8Array[][] {
  return batchBySize(records, (record) => record.length, {
    items: MAX_BATCH_RECORDS,
    bytes: MAX_BATCH_BYTES,
  });
}

/** Groups items, in order, so that no group is over a limit; an item over it has one of its own. */
export function batchBySize<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  most: { readonly items: number; readonly bytes: number },
): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (batch.length === most.items || (batch.length > 0 && bytes + size > most.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
