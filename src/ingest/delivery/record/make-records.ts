/**
 * How many rows share a record. Firehose bills every record as a multiple of 5 KB (5,120 bytes), and
 * when one row of a record cannot be converted, the whole record goes to the error prefix: large
 * records are cheap, small ones are safe.
 */
import { packRecords, rowsIn } from './pack.ts';
import { encodeRecord, recordHeader } from './record-encoding.ts';

/**
 * Bytes of rows in a record that is compressed, to about a tenth. Some 270 rows share a fate, and a
 * request of up to 270 events is one record. Events of 1 KB are billed 310 bytes each in records of
 * 64 KiB, 230 of 128, 208 of 512 and 197 of the largest that Firehose takes, which would share a fate
 * among 520.
 */
export const COMPRESSED_RECORD_BYTES = 512 * 1024;

/**
 * The records to put on the stream for rows, in order.
 *
 * @param rows at most MAX_ROW_BYTES of UTF-8 each.
 */
export function makeRecords(rows: readonly string[], compress: boolean): Uint8Array[] {
  return compress
    ? packRecords(rows, COMPRESSED_RECORD_BYTES).map(encodeRecord)
    : packRecords(rows);
}

/** How many rows a record of {@link makeRecords} holds. */
export function rowCount(record: Uint8Array): number {
  return recordHeader(record)?.rows ?? rowsIn(record);
}
